from django.http import HttpRequest, HttpResponse


def rules(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError


def rule_set(request: HttpRequest, **kwargs: object) -> HttpResponse:
    raise NotImplementedError

