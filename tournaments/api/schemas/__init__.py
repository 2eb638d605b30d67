"""The JSON objects of the API: each is a `TypedDict`, with the function that makes it beside it.

mypy checks what the functions return, and django-ninja describes the same classes in the OpenAPI
document. Nothing is validated while a response is made; every response in the tests is.
"""
