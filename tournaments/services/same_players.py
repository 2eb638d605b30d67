"""Linking players of several events of a series who are the same person, and unlinking them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournaments
from tournaments.exceptions import ChangedSince, OperationRefused
from tournaments.models import Entry, SamePlayer, Series, SeriesChange
from tournaments.queries import season
from tournaments.services.series import append_change, lock_series

MOST_LINKED = 2000  # pairs at once
Kind = SeriesChange.Kind


class NotInSeries(ChangedSince):
    code = "not_in_series"
    sentence = _("A player is no longer in this series. Reload the list and choose again.")


class PlayedTogether(OperationRefused):
    code = "played_together"
    sentence = _(
        "Both play in the same tournament, so they cannot be one person. Choose another player."
    )


@transaction.atomic
def link_players(series: Series, pairs: Sequence[tuple[Entry, Entry]], *, by: Actor) -> int:
    """Link the two players of each pair as one person; return the number of new links.

    Idempotent: pairs of one person already are skipped. Raises `NotInSeries`, `PlayedTogether` and
    `Series.DoesNotExist`; then nobody is linked.
    """
    lock_tournaments({entry.tournament_id for pair in pairs for entry in pair})
    current = lock_series(series)
    _check_in_series(current, pairs)
    # A person is named by the key of one of their players, the representative.
    stands_for = season.same_people(current)
    events: dict[season.PlayerKey, set[int]] = {}  # of each person, by primary key
    for key in {*stands_for, *stands_for.values(), *(_key_of(e) for pair in pairs for e in pair)}:
        events.setdefault(season.representative(stands_for, key), set()).add(key[0])
    linked: list[SamePlayer] = []
    for first, second in pairs:
        one, other = (season.representative(stands_for, _key_of(each)) for each in (first, second))
        if one == other:
            continue
        if events[one] & events[other]:
            raise PlayedTogether
        season.join(stands_for, one, other)
        events[min(one, other)] |= events[max(one, other)]  # the smaller key represents both
        linked.append(SamePlayer(series=current, first=first, second=second))
    if linked:
        SamePlayer.objects.bulk_create(linked)
        append_change(current, Kind.LINKED, by, {"pairs": [_names_of(link) for link in linked]})
    return len(linked)


@transaction.atomic
def unlink_players(series: Series, link_pk: int, *, by: Actor) -> None:
    """Idempotent. Raises `Series.DoesNotExist`."""
    current = lock_series(series)
    links = current.same_players.select_related("first__tournament", "second__tournament")
    link = links.filter(pk=link_pk).first()
    if link is not None:
        pairs = [_names_of(link)]
        link.delete()
        append_change(current, Kind.UNLINKED, by, {"pairs": pairs})


def _check_in_series(series: Series, pairs: Iterable[tuple[Entry, Entry]]) -> None:
    pks = {entry.pk for pair in pairs for entry in pair}
    entries_in_series = Entry.objects.filter(pk__in=pks, tournament__in_series__series=series)
    if entries_in_series.count() < len(pks):
        raise NotInSeries


def _key_of(entry: Entry) -> season.PlayerKey:
    return entry.tournament_id, entry.number


def _names_of(link: SamePlayer) -> list[str]:
    return [
        f"{entry.name} ({entry.tournament.name}, {entry.number})"
        for entry in (link.first, link.second)
    ]
