"""The HTTP API, for programs and for the scripts of our own pages. Contract: `docs/api.md`.

Each module has the operations of one subject, `urls` their addresses. `authentication` tells who
asks, `request_bodies` and `schemas` hold what is received and answered, `refusals` and
`exception_handlers` how errors are answered, and `openapi` completes the OpenAPI document.
"""
