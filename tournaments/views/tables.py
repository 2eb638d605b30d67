from django.http import HttpRequest, HttpResponse


def start_table(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def join_table(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError

