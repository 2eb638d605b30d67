"""Planning an exchange of two players in a session, also after rounds were recorded.

Recorded facts belong to the seat. They name players by key, so the two keys are exchanged in all
facts of the session. If only one of the two players is seated, the other takes over that seat.
`services.exchanges` writes the plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.exceptions import OperationRefused
from tournaments.models import (
    AuditEntry,
    Disagreement,
    Entry,
    Round,
    Session,
    Sitting,
    SittingTotals,
)
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.sheets import Sheet, sheets_of, with_totals
from tournaments.queries.what_if import Move, moves, with_rounds

RECORDING_KINDS = (
    AuditEntry.Kind.ROUND_RECORDED,
    AuditEntry.Kind.ROUND_CONTINUED,
    AuditEntry.Kind.ROUND_CORRECTED,
)


class NotSeated(OperationRefused):
    code = "not_seated"
    status = 422
    at = "one"
    sentence = _(
        "Neither of the two has a seat in this session. Enter at least one player who has."
    )


class Undecided(OperationRefused):
    """The tables have open disputes (`disagreements`), which the desk must settle first.

    The disputed facts name the players as they sat before the exchange.
    """

    code = "open_disputes"
    sentence = _(
        "The table has two versions of a round. Decide first which is right, then exchange the "
        "players."
    )

    def __init__(self, disagreements: Sequence[Disagreement]) -> None:
        super().__init__("Two phones differ about a round.")
        self.disagreements = disagreements


class ChangedRound(NamedTuple):
    """A round whose facts an exchange would change: its stored row, and an unsaved next version."""

    sheet: Sheet
    old: Round
    new: Round


class Exchange(NamedTuple):
    """A planned exchange of two players in a session: the affected sheets before and after.

    If only one of them is seated, the other takes over the seat.
    """

    one: Entry
    other: Entry
    before: tuple[Sheet, ...]
    after: tuple[Sheet, ...]

    @property
    def rounds(self) -> list[ChangedRound]:
        return [
            ChangedRound(after, old, new)
            for before, after in zip(self.before, self.after, strict=True)
            for old, new in zip(before.rows, after.rows, strict=True)
            if old.facts != new.facts
        ]

    @property
    def stamp(self) -> str:
        """Return a text of the seats and versions on which the plan is based.

        It differs if any of them has changed, so that a stale plan is noticed.
        """
        tables = [
            f"{sheet.sitting.number}:{'-'.join(sheet.players)}:"
            + "-".join(str(row.version) for row in sheet.rows)
            + (f"t{sheet.typed_totals.version}" if sheet.typed_totals else "")
            for sheet in self.before
        ]
        return self.stamp_of_pair + "/".join(tables)

    @property
    def stamp_of_pair(self) -> str:
        """Return how `stamp` begins for these two players."""
        return f"{self.one.key}/{self.other.key}/"

    @property
    def places(self) -> str:
        """Return where the two sit, such as `1.3-2.6`: tables and seats, none for who has no seat.

        It differs once they were exchanged.
        """
        found = {
            key: f"{sheet.sitting.number}.{seat}"
            for sheet in self.before
            for seat, key in enumerate(sheet.players, 1)
        }
        return "-".join(found.get(entry.key, "") for entry in (self.one, self.other))

    @property
    def places_afterwards(self) -> str:
        """Return `places` as they are once the two have been exchanged."""
        return "-".join(reversed(self.places.split("-")))

    @property
    def moves(self) -> list[Move]:
        tournament = self.before[0].sitting.session.tournament
        return moves(ranking_facts(tournament), self.after)


def plan_exchange(session: Session, one: Entry, other: Entry) -> Exchange:
    """Return the plan of an exchange. Raises `NotSeated` and `Undecided`.

    `NotSeated` is also raised if both are the same player.
    """
    seated = Sitting.objects.filter(session=session, seats__entry__in=[one, other]).distinct()
    before = tuple(sheets_of(seated.order_by("number")))
    if not before or one == other:
        raise NotSeated
    tables = [sheet.sitting for sheet in before]
    open_disputes = Disagreement.objects.filter(sitting__in=tables, settled_at=None)
    if undecided := list(open_disputes.select_related("sitting")):
        raise Undecided(undecided)
    exchanged = {one.key: other, other.key: one}
    after: dict[int, Sheet] = {}  # by number of the sitting
    for sheet in before:  # a sitting that goes on has the higher number
        earlier = tuple(after.get(each.sitting.number, each) for each in sheet.earlier)
        after[sheet.sitting.number] = _with_players_exchanged(sheet, earlier, exchanged)
    return Exchange(one, other, before=before, after=tuple(after.values()))


def _with_players_exchanged(
    sheet: Sheet, earlier: tuple[Sheet, ...], exchanged: Mapping[str, Entry]
) -> Sheet:
    """Return the sheet, scored again, with players exchanged: the new ones by the keys of the old.

    `earlier` are the sheets before at the table, in which they are exchanged already.
    """
    new_keys = {key: entry.key for key, entry in exchanged.items()}
    entries = tuple(exchanged.get(entry.key, entry) for entry in sheet.entries)
    rounds = [replace_players(row.facts, new_keys) for row in sheet.rows]
    replaced = with_rounds(sheet, rounds, sheet._replace(entries=entries, earlier=earlier))
    return _with_players_replaced_in_totals(replaced, new_keys)


def _with_players_replaced_in_totals(sheet: Sheet, new_keys: Mapping[str, str]) -> Sheet:
    """Return the sheet with players replaced in its typed totals, if any: new keys by old ones."""
    old = sheet.typed_totals
    if old is None:
        return sheet
    points = {new_keys.get(player, player): total for player, total in old.points.items()}
    new = SittingTotals(sitting=sheet.sitting, version=old.version + 1, points=points)
    return with_totals(sheet, new)


class NamedNow(NamedTuple):
    """A version of a round whose facts name the current players.

    `renamed` has, by the key of each player whom it named when it was recorded, the current one, if
    that is another.
    """

    row: Round
    renamed: dict[str, str]


def versions_as_named_now(sitting: Sitting, number: int) -> list[NamedNow]:
    """Return all versions of a round, the oldest first, with facts that name the current players.

    The exchanges of players after a version are applied to its facts, in memory only.
    """
    rows = list(Round.objects.filter(sitting=sitting, number=number).order_by("version"))
    audit_entries = sitting.session.tournament.audit_entries.order_by("number")
    subject = audit.table_subject(sitting) | {"round": number}
    recordings = audit_entries.filter(
        kind__in=RECORDING_KINDS, **{f"subject__{key}": subject[key] for key in subject}
    )
    audit_numbers = {each.subject["version"]: each.number for each in recordings}
    players = {row.version: {key: key for key in _players_in(row.facts)} for row in rows}
    for exchange in audit_entries.filter(
        kind=AuditEntry.Kind.PLAYERS_EXCHANGED, subject__session=subject["session"]
    ):
        before = [row for row in rows if audit_numbers.get(row.version, 0) < exchange.number]
        # The exchange itself wrote the newest of them, or that one is set aside or names nobody.
        for row in before[:-1]:
            new_keys = _exchanged_keys(exchange, sitting)
            row.facts = replace_players(row.facts, new_keys)
            named = players[row.version]
            players[row.version] = {was: new_keys.get(key, key) for was, key in named.items()}
    return [
        NamedNow(row, {was: key for was, key in players[row.version].items() if was != key})
        for row in rows
    ]


def _players_in(facts: Any) -> list[str]:
    """Return the keys of the players named in facts; see `replace_players`."""
    match facts:
        case str():
            return [facts] if facts.isdecimal() else []
        case list():
            return [key for each in facts for key in _players_in(each)]
        case dict():
            return _players_in([*facts, *facts.values()])
        case _:
            return []


def _exchanged_keys(exchange: AuditEntry, sitting: Sitting) -> dict[str, str]:
    """Return the keys of the players at a table after an exchange, by key of the player before.

    `exchange` is its audit entry. Empty if it did not concern the table.
    """
    table = str(sitting.number)
    old, new = exchange.old or {}, exchange.new or {}
    return dict(zip(old.get(table, ()), new.get(table, ()), strict=True))


def replace_players(facts: Any, new_keys: Mapping[str, str]) -> Any:
    """Return a round's facts, or a part of them, with players replaced: new keys by old ones.

    Keys of players are the only texts in facts that are numbers, in whatever game.

    >>> replace_players({"dealer": "1", "kankei": ["2", "4"], "deals": []}, {"1": "4", "4": "1"})
    {'dealer': '4', 'kankei': ['2', '1'], 'deals': []}
    >>> replace_players({"captured": {"1": ["SQ"]}, "exposed": []}, {"1": "7"})
    {'captured': {'7': ['SQ']}, 'exposed': []}
    """
    match facts:
        case str():
            return new_keys.get(facts, facts)
        case list():
            return [replace_players(each, new_keys) for each in facts]
        case dict():
            return {
                new_keys.get(key, key): replace_players(value, new_keys)
                for key, value in facts.items()
            }
        case _:
            return facts
