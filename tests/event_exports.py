"""What is exported of an event: workbooks, and the documents of the API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.test import Client
from django.urls import reverse

from tournaments.i18n.audit_entries import entry_context
from tournaments.models import AuditEntry, Sitting, Tournament
from tournaments.queries.events import Event
from tournaments.tables import exports
from tournaments.tables.audit_entries import AuditTable

LANGUAGES = ("ja", "en", "zh-hans")


def exports_of(
    tournament: Tournament, browser: Client, languages: Sequence[str] = LANGUAGES
) -> dict[str, Any]:
    """Return the exports of an event: workbooks as bytes, the API's documents without ids."""
    found: dict[str, Any] = {}
    for language in languages:
        browser.cookies["language"] = language
        path = reverse("standings-workbook", args=[tournament.slug])
        found[f"standings.xlsx {language}"] = answered(browser, path)
    for name in ("api-tournament", "api-entries", "api-sessions", "api-standings"):
        path = reverse(name, args=[tournament.slug])
        found[name] = without_ids(json.loads(answered(browser, path)))
    for sitting in Sitting.objects.filter(session__tournament=tournament).order_by(
        "session__number", "number"
    ):
        path = reverse("api-rounds", args=[sitting.pk])
        if not sitting.session.totals_only:
            place = f"session {sitting.session.number} table {sitting.number}"
            found[place] = without_ids(json.loads(answered(browser, path)))
    return found


def history_before(event: Tournament) -> bytes:
    """Return the workbook of audit entries from before the first import."""
    moves = event.audit_entries.filter(kind=AuditEntry.Kind.ARCHIVE_READ).values_list("number")[:1]
    acts = (
        event.audit_entries.filter(number__lt=moves[0][0]) if moves else event.audit_entries.all()
    )
    table = AuditTable(acts.order_by("-number"), entry_context(event))
    page = exports.Page("History", table, is_wide=True)
    return exports.workbook(event.name, [page], at=Event(event).as_of)


def answered(browser: Client, path: str) -> bytes:
    answer = browser.get(path)
    assert answer.status_code == 200, (path, answer.content)
    return bytes(answer.content)


OF_THE_PLACE = {"id", "token", "link", "closed", "role"}  # and of who asks


def without_ids(document: Any) -> Any:
    """Return a document without primary keys and other values of one installation."""
    if isinstance(document, dict):
        return {
            key: without_ids(value) for key, value in document.items() if key not in OF_THE_PLACE
        }
    return [without_ids(each) for each in document] if isinstance(document, list) else document
