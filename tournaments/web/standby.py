"""How the standby copies are, for the desk and the page of backups."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from tournaments.i18n import standby as words
from tournaments.standby import followers, status, targets
from tournaments.standby.status import TargetStatus
from tournaments.standby.targets import Target


class Row(NamedTuple):
    """A place with copies, its state in words, and the time of its newest copy in words."""

    target: Target
    is_fine: bool
    state: str
    made_at: str


def notice() -> words.Notice:
    """Return what the desk is told."""
    report = status.read(settings.STANDBY_DIR)
    elsewhere = report.elsewhere() + followers.as_targets(settings.STANDBY_DIR)
    return words.notice(report, elsewhere)


def names_elsewhere() -> list[str]:
    """Return the names of the disks and of the other computers that have copies."""
    disks = [each.name for each in targets.chosen(settings.STANDBY_DIR)]
    return disks + [each.name for each in followers.all_followers(settings.STANDBY_DIR)]


def context() -> dict[str, Any]:
    """Return the template context of the section on the page of backups."""
    report = status.read(settings.STANDBY_DIR)
    by_id = {each.id: each for each in report.targets}
    chosen = targets.chosen(settings.STANDBY_DIR)
    own = targets.own(settings.STANDBY_DIR)
    return {
        "is_made": connection.vendor == "sqlite" and bool(settings.STANDBY_SECONDS),
        "faults": words.database_faults(report),
        "is_other": report.database == "other",
        "own": _row(own, by_id[own.id]) if own.id in by_id else None,
        "rows": [_row(target, by_id.get(target.id)) for target in chosen],
        "followers": [
            (each, _row(own, how))
            for each, how in zip(
                followers.all_followers(settings.STANDBY_DIR),
                followers.as_targets(settings.STANDBY_DIR),
                strict=True,
            )
        ],
        "has_https": settings.DESK_CERTIFICATE is not None,
    }


def _row(target: Target, found: TargetStatus | None) -> Row:
    if found is None:
        return Row(target, is_fine=False, state=str(words.STATES["waiting"]), made_at="")
    is_fine = found.is_fine and found.age is not None
    state = words.age_in_words(found.age or 0) if is_fine else words.STATES[words.state_of(found)]
    made_at = words.made_at_in_words(found.made_at) if found.made_at else ""
    return Row(target, is_fine=is_fine, state=str(state), made_at=made_at)
