"""The JSON objects of responses: each is a `TypedDict`, beside the function that returns it.

mypy checks what the functions return, and django-ninja describes the same classes in the OpenAPI
document. Responses are not validated when they are made, but every response in the tests is.
"""
