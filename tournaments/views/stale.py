"""A form whose page has been overtaken: what somebody else has changed since it was opened."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest

from tournaments.i18n.audit_entries import before_and_after, entry_context
from tournaments.models import AuditEntry, Tournament
from tournaments.services.versions import VersionConflict
from tournaments.web.numbers import number_named

NEVER = -1  # the version that nothing ever has


class Change(NamedTuple):
    """What has been done since, and in words what stood before it and stands now.

    `act` is None where nothing has been done, and the page did not say what it had seen.
    """

    act: AuditEntry | None
    before: str = ""
    after: str = ""


def seen_by(request: HttpRequest) -> int:
    """Return the version that the page names as seen, one that nothing has if it names none."""
    named = number_named(request.POST.get("seen", ""))
    return NEVER if named is None else named


def change_of(tournament: Tournament, stale: VersionConflict) -> Change:
    """Return in words what the writer has not seen."""
    if stale.audit_entry is None:
        return Change(None)
    return Change(
        stale.audit_entry, *before_and_after(stale.audit_entry, entry_context(tournament))
    )
