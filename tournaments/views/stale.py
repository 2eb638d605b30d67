"""A form whose page has been overtaken: what somebody else has changed since it was opened."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest

from tournaments.facts.registration import Stale
from tournaments.models import Act, Tournament
from tournaments.wording.acts import before_and_after, telling_of

MOST_DIGITS = 9
NEVER = -1  # the version that nothing ever has


class Change(NamedTuple):
    """What has been done since, and in words what stood before it and stands now.

    `act` is None where nothing has been done, and the page did not say what it had seen.
    """

    act: Act | None
    before: str = ""
    after: str = ""


def seen_by(request: HttpRequest) -> int:
    """Return the version that the page names as seen, one that nothing has if it names none."""
    named = request.POST.get("seen", "")
    return int(named) if named.isdecimal() and len(named) <= MOST_DIGITS else NEVER


def change_of(tournament: Tournament, stale: Stale) -> Change:
    """Return in words what the writer has not seen."""
    if stale.act is None:
        return Change(None)
    return Change(stale.act, *before_and_after(stale.act, telling_of(tournament)))
