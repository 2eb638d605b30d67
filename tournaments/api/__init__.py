"""The HTTP API, for programs and for the scripts of our own pages. Contract: `docs/api.md`.

Each module has the operations of one subject, and `urls` has their URLs. `authentication` finds
the account or phone of a request, `request_bodies` and `schemas` describe the JSON objects of
requests and responses, `refusals` and `exception_handlers` answer errors, and `openapi` completes
the OpenAPI document.
"""
