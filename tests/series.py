"""Series for tests: small events with the same six names, played and announced."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth.models import User

from tests import cast
from tests.cast import SOMEBODY
from tournaments.audit import Actor
from tournaments.models import Membership, Series, Tournament
from tournaments.queries.same_players import proposals
from tournaments.queries.season import season_of
from tournaments.services import closing, publications, same_players, series

FIRST, SECOND = (1, 3), (2, 4)  # the numbers of the kankei, who lose the round


def make_played(
    name: str,
    month: int,
    kankei: tuple[int, int] = FIRST,
    *,
    by: User | None = None,
    **fields: Any,
) -> Tournament:
    """Return a tournament of six players with one round, not yet published."""
    tournament = cast.make_tournament(name=name, held_on=date(2026, month, 1), **fields)
    sitting = cast.make_sitting(tournament)
    cast.record(sitting, cast.plain_round(sitting) | {"kankei": [str(each) for each in kankei]})
    if by is not None:
        role = Membership.Role.DIRECTOR
        Membership.objects.create(tournament=tournament, user=by, role=role)
    return Tournament.objects.get(pk=tournament.pk)


def announce(tournament: Tournament, *, closes: bool = True) -> None:
    publications.publish(tournament, by=SOMEBODY)
    if closes:
        closing.close(tournament, by=SOMEBODY)


def make_series(*events: Tournament, owner: User | None = None, **rules: Any) -> Series:
    by = Actor.of(owner) if owner else SOMEBODY
    made = series.create_series(
        Series(name="五所川原シリーズ", season="2026年度", rules=rules), by=by
    )
    for each in events:
        series.add_event(made, each, by=by)
    return made


def link_everybody(found: Series) -> int:
    """Link all proposed pairs as the same person; return how many."""
    pairs = [
        (_entry(found, each.first.value), _entry(found, each.second.value))
        for each in proposals(season_of(found, None))
    ]
    return same_players.link_players(found, pairs, by=SOMEBODY)


def link_first(found: Series) -> None:
    """Link the first players of the first two tournaments as the same person."""
    one, other = (each.entries.get(number=1) for each in found.tournaments.order_by("pk")[:2])
    same_players.link_players(found, [(one, other)], by=SOMEBODY)


def _entry(found: Series, value: str) -> Any:
    event, number = value.split(".")
    return found.tournaments.get(pk=event).entries.get(number=number)
