"""Series: created and edited, their tournaments, and who in them is the same person.

Every write is listed as a `SeriesChange`: by whom, when. What concerns a tournament takes its lock
first and stands in its audit trail, too; then the row of the series is locked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.season.rules import read_season_rules
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Series, SeriesChange, Tournament
from tournaments.services import seating

SETTINGS = ("name", "season", "rules")
Kind = SeriesChange.Kind


class SeriesChanged(OperationRefused):
    """The series has been edited since it was shown."""

    code = "series_changed"
    sentence = _("The series has been changed meanwhile. Look at it again, then save.")


class LastOwner(OperationRefused):
    """A series keeps at least one account that may edit it."""

    code = "last_owner"
    sentence = _("Somebody has to edit the series: add another account first.")


@transaction.atomic
def create_series(series: Series, *, by: Actor, event: Tournament | None = None) -> Series:
    """Save a new series, which `by` may edit, with `event` as its first tournament, if given.

    Raises `scoring.season.rules.BadSeasonRules`, `seating.OneTable` and `Tournament.DoesNotExist`.
    """
    if event is not None:
        lock_tournament(event)
    series.rules = read_season_rules(series.rules).as_json()
    series.save(force_insert=True)
    append_change(series, Kind.SET, by, _settings(series))
    if by.user is not None:
        series.ownerships.create(user=by.user)
        append_change(series, Kind.OWNER_ADDED, by, {"account": by.user.get_username()})
    if event is not None:
        add_event(series, event, by=by)
        series.refresh_from_db()
    return series


@transaction.atomic
def edit_series(series: Series, settings: Mapping[str, Any], *, seen: int, by: Actor) -> Series:
    """Change name, season or rules. Idempotent.

    `seen` is the version that was shown. Raises `SeriesChanged`, `Series.DoesNotExist` and
    `scoring.season.rules.BadSeasonRules`.
    """
    current = lock_series(series)
    new = {**_settings(current), **settings}
    new["rules"] = read_season_rules(new["rules"]).as_json()
    if new == _settings(current):
        return current
    last_edit = current.changes.filter(kind=Kind.SET).order_by("-number").first()
    if last_edit is not None and last_edit.number > seen:
        raise SeriesChanged
    for name in SETTINGS:
        setattr(current, name, new[name])
    current.save(update_fields=SETTINGS)
    append_change(current, Kind.SET, by, new)
    return current


@transaction.atomic
def add_owner(series: Series, user: User, *, by: Actor) -> None:
    """Let an account edit the series. Idempotent. Raises `Series.DoesNotExist`."""
    current = lock_series(series)
    _ownership, is_new = current.ownerships.get_or_create(user=user)
    if is_new:
        append_change(current, Kind.OWNER_ADDED, by, {"account": user.get_username()})


@transaction.atomic
def remove_owner(series: Series, user: User, *, by: Actor) -> None:
    """Let an account no longer edit the series. Idempotent.

    Raises `LastOwner` and `Series.DoesNotExist`.
    """
    current = lock_series(series)
    own = current.ownerships.filter(user=user)
    if not own.exists():
        return
    if current.ownerships.count() == 1:
        raise LastOwner
    own.delete()
    append_change(current, Kind.OWNER_REMOVED, by, {"account": user.get_username()})


@transaction.atomic
def add_event(series: Series, tournament: Tournament, *, by: Actor) -> None:
    """Add a tournament, closed or not. Idempotent.

    Raises `seating.OneTable`, `Series.DoesNotExist` and `Tournament.DoesNotExist`.
    """
    event = lock_tournament(tournament)
    if event.kind == Tournament.Kind.TABLE:
        raise seating.OneTable
    current = lock_series(series)
    _row, is_new = current.events.get_or_create(tournament=event)
    if is_new:
        _append_both(current, event, Kind.EVENT_ADDED, by)


@transaction.atomic
def remove_event(series: Series, tournament: Tournament, *, by: Actor) -> None:
    """Take a tournament out of the series; who was linked stays so, should it come back.

    Idempotent. Raises `Series.DoesNotExist` and `Tournament.DoesNotExist`.
    """
    event = lock_tournament(tournament)
    current = lock_series(series)
    removed, _rows = current.events.filter(tournament=event).delete()
    if removed:
        _append_both(current, event, Kind.EVENT_REMOVED, by)


def _append_both(series: Series, event: Tournament, kind: SeriesChange.Kind, by: Actor) -> None:
    """List a change of the series, and append it to the audit trail of the tournament."""
    append_change(series, kind, by, {"slug": event.slug, "name": event.name})
    facts = {"slug": series.slug, "name": str(series)}
    if kind == Kind.EVENT_ADDED:
        audit.append_entry(event, AuditEntry.Kind.SERIES_JOINED, by, new=facts, is_locked=True)
    else:
        audit.append_entry(event, AuditEntry.Kind.SERIES_LEFT, by, old=facts, is_locked=True)


def _settings(series: Series) -> dict[str, Any]:
    return {name: getattr(series, name) for name in SETTINGS}


def append_change(
    series: Series, kind: SeriesChange.Kind, by: Actor, facts: Mapping[str, Any]
) -> None:
    """List a change; its number is the new version. Call it under the lock of the series."""
    series.version += 1
    series.save(update_fields=["version"])
    series.changes.create(number=series.version, who=by.who, kind=kind, facts=dict(facts))


def lock_series(series: Series) -> Series:
    """Lock the row of a series until the transaction ends; return it read anew."""
    return Series.objects.select_for_update().get(pk=series.pk)
