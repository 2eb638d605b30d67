from django.http import HttpRequest, HttpResponse


def sitting(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def record_round(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def preview_round(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError

