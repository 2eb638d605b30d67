"""Creating and editing series, their owners and their tournaments.

Every write adds a `SeriesChange` to the list of changes: what, by whom, when. A write that concerns
a tournament first takes the tournament's lock and also appends an entry to its audit trail. Then
the row of the series is locked.
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
from tournaments.exceptions import ChangedSince, OperationRefused
from tournaments.models import AuditEntry, Series, SeriesChange, Tournament
from tournaments.services import seating

SETTINGS = ("name", "season", "rules")
Kind = SeriesChange.Kind


class SeriesChanged(ChangedSince):
    code = "series_changed"
    at = "seen"
    sentence = _("The series has changed since you opened this page. Check it, then save.")


class LastOwner(OperationRefused):
    code = "last_owner"
    sentence = _("At least one account has to be able to edit the series. Add another one first.")


@transaction.atomic
def create_series(series: Series, *, by: Actor, event: Tournament | None = None) -> Series:
    """Save a new series owned by `by`; `event`, if given, is its first tournament.

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
def edit_series(
    series: Series, settings: Mapping[str, Any], *, seen_version: int, by: Actor
) -> Series:
    """Change the `SETTINGS` that `settings` contains; return the series. Idempotent.

    `seen_version` is the version of the series that was shown. Raises `SeriesChanged`,
    `Series.DoesNotExist` and `scoring.season.rules.BadSeasonRules`.
    """
    current = lock_series(series)
    new = {**_settings(current), **settings}
    new["rules"] = read_season_rules(new["rules"]).as_json()
    if new == _settings(current):
        return current
    last_edit = current.changes.filter(kind=Kind.SET).order_by("-number").first()
    # Changes of owners and tournaments raise the version, too, but do not conflict.
    if last_edit is not None and last_edit.number > seen_version:
        raise SeriesChanged
    for name in SETTINGS:
        setattr(current, name, new[name])
    current.save(update_fields=SETTINGS)
    append_change(current, Kind.SET, by, new)
    return current


@transaction.atomic
def add_owner(series: Series, user: User, *, by: Actor) -> None:
    """Idempotent. Raises `Series.DoesNotExist`."""
    current = lock_series(series)
    _ownership, is_created = current.ownerships.get_or_create(user=user)
    if is_created:
        append_change(current, Kind.OWNER_ADDED, by, {"account": user.get_username()})


@transaction.atomic
def remove_owner(series: Series, user: User, *, by: Actor) -> None:
    """Revoke an account's right to edit the series. Idempotent.

    Raises `LastOwner` and `Series.DoesNotExist`.
    """
    current = lock_series(series)
    ownership = current.ownerships.filter(user=user)
    if not ownership.exists():
        return
    if current.ownerships.count() == 1:
        raise LastOwner
    ownership.delete()
    append_change(current, Kind.OWNER_REMOVED, by, {"account": user.get_username()})


@transaction.atomic
def add_event(series: Series, tournament: Tournament, *, by: Actor) -> None:
    """Add a tournament to the series. It may be closed. Idempotent.

    Raises `seating.OneTable` for a club table, `Series.DoesNotExist` and `Tournament.DoesNotExist`.
    """
    event = lock_tournament(tournament)
    if event.kind == Tournament.Kind.TABLE:
        raise seating.OneTable
    current = lock_series(series)
    _row, is_created = current.events.get_or_create(tournament=event)
    if is_created:
        _append_event_change(current, event, Kind.EVENT_ADDED, by)


@transaction.atomic
def remove_event(series: Series, tournament: Tournament, *, by: Actor) -> None:
    """Remove a tournament from the series. Idempotent.

    Links of its players stay stored, in case it is added again. Raises `Series.DoesNotExist` and
    `Tournament.DoesNotExist`.
    """
    event = lock_tournament(tournament)
    current = lock_series(series)
    removed, _rows = current.events.filter(tournament=event).delete()
    if removed:
        _append_event_change(current, event, Kind.EVENT_REMOVED, by)


def _append_event_change(
    series: Series, event: Tournament, kind: SeriesChange.Kind, by: Actor
) -> None:
    """Append to the series' list of changes and to the tournament's audit trail.

    `kind` is `EVENT_ADDED` or `EVENT_REMOVED`.
    """
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
    """Append to the list of changes and raise the version of the series to the change's number.

    Call it under the lock of the series.
    """
    series.version += 1
    series.save(update_fields=["version"])
    series.changes.create(number=series.version, who=by.who, kind=kind, facts=dict(facts))


def lock_series(series: Series) -> Series:
    """Lock the row of a series until the transaction ends; return it read anew."""
    return Series.objects.select_for_update().get(pk=series.pk)
