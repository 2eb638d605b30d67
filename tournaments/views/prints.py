from django.http import HttpRequest, HttpResponse


def chart(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def chart_pdf(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def sheet(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def sheet_pdf(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def session_sheets(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def tournament_chart(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def tournament_chart_pdf(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError
