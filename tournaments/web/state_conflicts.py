"""The page for a change of an event's state that somebody else has changed meanwhile.

It lists the other changes, and keeps what was typed: one button sends it again unchanged.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.audit import StateChanged
from tournaments.i18n.audit_entries import entry_context, subject_words
from tournaments.web.resubmission import submitted_fields

FIELD = "seen_version"  # of the forms that change the state of an event


class StateConflictMiddleware:
    """Answers 409 for pages whose view raises `StateChanged`; the API has a handler of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        return conflict_page(request, error) if isinstance(error, StateChanged) else None


def conflict_page(request: HttpRequest, conflict: StateChanged) -> HttpResponse:
    """Return the page that says what others did, with a form that sends the same again."""
    words = entry_context(conflict.tournament)
    context = {
        "tournament": conflict.tournament,
        "changes": [(each, subject_words(each.subject, words)) for each in conflict.since],
        "address": request.get_full_path(),
        "typed": [field for field in submitted_fields(request) if field[0] != FIELD],
        "seen_version": conflict.version,
    }
    return render(request, "state_changed.html", context, status=409)
