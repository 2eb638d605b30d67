from django.http import HttpRequest, HttpResponse


def tournament(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def edit_tournament(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def publish(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def staff(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def choose_rules(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def create_tournament(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError

