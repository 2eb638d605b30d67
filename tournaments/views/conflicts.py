"""Edit conflicts: the change that somebody else has made since a page was opened."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest

from tournaments.i18n.audit_entries import before_and_after, entry_context
from tournaments.models import AuditEntry, Tournament
from tournaments.services.versions import VersionConflict
from tournaments.web.numbers import parse_number

NO_VERSION = -1  # equals no stored version


class UnseenChange(NamedTuple):
    """The audit entry of a change, and the values before and after it in words.

    `audit_entry` is None if nothing has changed, but the request named no version or a wrong one.
    """

    audit_entry: AuditEntry | None
    before: str = ""
    after: str = ""


def seen_version(request: HttpRequest) -> int:
    """Return the version that the posted page showed: the field `seen`.

    `NO_VERSION` if the field is missing or no number.
    """
    number = parse_number(request.POST.get("seen", ""))
    return NO_VERSION if number is None else number


def unseen_change(tournament: Tournament, conflict: VersionConflict) -> UnseenChange:
    if conflict.audit_entry is None:
        return UnseenChange(audit_entry=None)
    before, after = before_and_after(conflict.audit_entry, entry_context(tournament))
    return UnseenChange(conflict.audit_entry, before=before, after=after)
