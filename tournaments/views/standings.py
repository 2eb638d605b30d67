from django.http import HttpRequest, HttpResponse


def standings(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def standings_workbook(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def player(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError

