from django.http import HttpRequest, HttpResponse


def seat_session(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def session(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError

