from django.http import HttpRequest, HttpResponse


def entries(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def edit_entry(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError

