"""The HTTP API: what anybody may drive the app with from outside, and what its own pages use.

`asking` finds out who asks, `bodies` has what bodies of requests share, `refusals` says no in one
shape, also by the `handlers` of whatever was raised, `documents` says what rows look like as JSON,
`answers` describes that, and `description` makes the OpenAPI document of it all; the other modules
have the operations, one for each subject, `urls` their addresses. Contract: `docs/api.md`.
"""
