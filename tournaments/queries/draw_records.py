"""The draw of a session's seats (抽選の記録), beside the seats as they are now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tournaments.models import Draw, Session, Tournament

Tables = Sequence[Sequence[str]]  # numbers of players as text, in seat order
BY_STANDING = frozenset({"level", "mixed"})


class DrawRecord(NamedTuple):
    """How seats were drawn, and how many players sit elsewhere than drawn."""

    request: dict[str, Any]
    answer: dict[str, Any]
    changed: int

    @property
    def method(self) -> str:
        """Return the code of the method."""
        return str(self.answer["method"])

    @property
    def clubs(self) -> bool:
        """Return whether players of one club were to be seated apart."""
        return bool(self.request.get("clubs", self.method not in {"lot", "fixed"}))

    @property
    def pairs(self) -> dict[int, int]:
        """Return how many pairs have met how often, for those who met more than once."""
        met = {int(times): pairs for times, pairs in self.answer["quality"]["meetings"].items()}
        return {times: pairs for times, pairs in sorted(met.items()) if times > 1}

    @property
    def sits_out(self) -> list[int]:
        """Return the numbers of those who found no table."""
        return [int(key) for key in self.answer["sessions"][0]["sits_out"]]

    @property
    def apart(self) -> list[list[int]]:
        """Return the pairs of numbers that were kept apart."""
        return [[int(key) for key in pair] for pair in self.request.get("apart", ())]

    @property
    def fixed(self) -> list[tuple[int, int]]:
        """Return the number of each player who was fixed, and of their table."""
        return [(int(each["id"]), each["table"]) for each in self.request.get("fixed", ())]

    @property
    def tells_points(self) -> bool:
        """Return whether the request tells points, which may not be announced yet."""
        return self.method in BY_STANDING


def draw_record(tournament: Tournament, session: int, tables: Tables) -> DrawRecord | None:
    """Return the draw of a session, by its number, beside these seats; None if seated by hand."""
    rows = Draw.objects.filter(session__tournament__slug=tournament.slug, session__number=session)
    found = rows.values("request", "answer").first()
    if found is None:
        return None
    return DrawRecord(**found, changed=_changed(found["answer"]["sessions"][0]["tables"], tables))


def last_draw(tournament: Tournament, before: int) -> DrawRecord | None:
    """Return the draw of the last session before this number, None if that was seated by hand.

    Play-offs are passed over.
    """
    earlier = Session.objects.filter(tournament=tournament, number__lt=before, tied__isnull=True)
    last = earlier.order_by("number").last()
    found = last and Draw.objects.filter(session=last).values("request", "answer").first()
    return DrawRecord(**found, changed=0) if found else None


def _changed(drawn: Tables, tables: Tables) -> int:
    """Return how many players sit elsewhere than drawn, or in one of the two only.

    >>> _changed([["1", "2"], ["3", "4"]], [["1", "3"], ["2"]])
    3
    """
    before, after = _places(drawn), _places(tables)
    return sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())


def _places(tables: Tables) -> dict[str, tuple[int, int]]:
    """Return table and seat of each player, counted from 0."""
    return {key: (t, s) for t, table in enumerate(tables) for s, key in enumerate(table)}
