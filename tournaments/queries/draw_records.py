"""The draw of a session's seats (抽選の記録), compared with the current seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tournaments import draws
from tournaments.models import Draw, Session, Tournament

Tables = Sequence[Sequence[str | None]]  # numbers of players as text, in seat order
BY_STANDING = frozenset({"level", "mixed"})
FIELDS = ("request", "answer", "nth")


class DrawRecord(NamedTuple):
    """A stored draw: its request and answer as JSON.

    - `nth`: the position of this session among those drawn together, from 1
    - `changed`: the number of players with another seat than the one drawn, or who took or left one
    - `has_later_sessions`: the draw includes sessions that are not opened yet; their seats could be
      computed from the request
    """

    request: dict[str, Any]
    answer: dict[str, Any]
    nth: int = 1
    changed: int = 0
    has_later_sessions: bool = False

    @property
    def method(self) -> str:
        return str(self.answer["method"])

    @property
    def sessions(self) -> int:
        """Return how many sessions were drawn together."""
        return len(self.answer["sessions"])

    @property
    def clubs(self) -> bool:
        """Return whether players of one club were to be seated apart."""
        return bool(self.request.get("clubs", self.method not in {"lot", "fixed"}))

    @property
    def pairs(self) -> dict[int, int]:
        """Return the number of pairs by number of meetings, for two meetings or more."""
        pairs = {int(times): count for times, count in self.answer["quality"]["meetings"].items()}
        return {times: count for times, count in sorted(pairs.items()) if times > 1}

    @property
    def meeting_again(self) -> int:
        """Return how many pairs of this session had met before the first drawn session."""
        tables = self.answer["sessions"][self.nth - 1]["tables"]
        history, met = self.request.get("history", ()), self.request.get("met", ())
        return draws.count_pairs_meeting_again(history, tables, met)

    @property
    def sits_out(self) -> list[int]:
        return [int(key) for key in self.answer["sessions"][self.nth - 1]["sits_out"]]

    @property
    def apart(self) -> list[list[int]]:
        return [[int(key) for key in pair] for pair in self.request.get("apart", ())]

    @property
    def fixed(self) -> list[tuple[int, int]]:
        """Return (number of the player, number of the table) of each player fixed at a table."""
        return [(int(each["id"]), each["table"]) for each in self.request.get("fixed", ())]

    @property
    def contains_points(self) -> bool:
        """Return whether the request contains points, which may not be published yet."""
        return self.method in BY_STANDING


def draw_record(tournament: Tournament, session: int, tables: Tables) -> DrawRecord | None:
    """Return the draw of session number `session`; None if it was seated by hand.

    `tables` are the seats with which the draw is compared, as `seated_tables.assigned_seats`
    returns them.
    """
    rows = Draw.objects.filter(session__tournament__slug=tournament.slug, session__number=session)
    row = rows.values(*FIELDS).first()
    if row is None:
        return None
    drawn = row["answer"]["sessions"]
    sessions_after = len(drawn) - row["nth"]
    return DrawRecord(
        **row,
        changed=draws.count_seat_changes(drawn[row["nth"] - 1]["tables"], tables),
        has_later_sessions=sessions_after > 0
        and not _is_opened(tournament, session + sessions_after),
    )


def _is_opened(tournament: Tournament, session: int) -> bool:
    """Return whether session number `session` or a later one is opened."""
    return Session.objects.filter(tournament__slug=tournament.slug, number__gte=session).exists()


def last_draw(tournament: Tournament, before: int) -> DrawRecord | None:
    """Return the draw of the last session before this number, play-offs ignored.

    None without such a session, and if it was seated by hand. `changed` and `has_later_sessions`
    are not set.
    """
    earlier = Session.objects.filter(tournament=tournament, number__lt=before, tied__isnull=True)
    last = earlier.order_by("number").last()
    row = last and Draw.objects.filter(session=last).values(*FIELDS).first()
    return DrawRecord(**row) if row else None
