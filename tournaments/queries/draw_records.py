"""The draw of a session's seats (抽選の記録), beside the seats as they are now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tournaments import draws
from tournaments.models import Draw, Session, Tournament

Tables = Sequence[Sequence[str]]  # numbers of players as text, in seat order
BY_STANDING = frozenset({"level", "mixed"})
FIELDS = ("request", "answer", "nth")


class DrawRecord(NamedTuple):
    """How seats were drawn, and how many players sit elsewhere than drawn.

    The session is the `nth` of those drawn together. `tells_later` says whether one of them is to
    come, whose seats anybody could draw again.
    """

    request: dict[str, Any]
    answer: dict[str, Any]
    nth: int = 1
    changed: int = 0
    tells_later: bool = False

    @property
    def method(self) -> str:
        """Return the code of the method."""
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
        """Return how many pairs have met how often, for those who met more than once."""
        met = {int(times): pairs for times, pairs in self.answer["quality"]["meetings"].items()}
        return {times: pairs for times, pairs in sorted(met.items()) if times > 1}

    @property
    def meeting_again(self) -> int:
        """Return how many pairs at its tables had met before those sessions were drawn."""
        tables = self.answer["sessions"][self.nth - 1]["tables"]
        return draws.meeting_again(self.request.get("history", ()), tables)

    @property
    def sits_out(self) -> list[int]:
        """Return the numbers of those who found no table."""
        return [int(key) for key in self.answer["sessions"][self.nth - 1]["sits_out"]]

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
    found = rows.values(*FIELDS).first()
    if found is None:
        return None
    drawn = found["answer"]["sessions"]
    to_come = len(drawn) - found["nth"]
    return DrawRecord(
        **found,
        changed=draws.places_changed(drawn[found["nth"] - 1]["tables"], tables),
        tells_later=to_come > 0 and not _is_opened(tournament, session + to_come),
    )


def _is_opened(tournament: Tournament, session: int) -> bool:
    """Return whether a session, by its number, or a later one is opened."""
    return Session.objects.filter(tournament__slug=tournament.slug, number__gte=session).exists()


def last_draw(tournament: Tournament, before: int) -> DrawRecord | None:
    """Return the draw of the last session before this number, None if that was seated by hand.

    Play-offs are passed over.
    """
    earlier = Session.objects.filter(tournament=tournament, number__lt=before, tied__isnull=True)
    last = earlier.order_by("number").last()
    found = last and Draw.objects.filter(session=last).values(*FIELDS).first()
    return DrawRecord(**found) if found else None
