"""What follows when two players change places after the fact, or one stands in for another.

Everything recorded at a seat goes with the seat: facts name entries by number, so the numbers are
exchanged wherever the facts name them. Reads; writes nothing: `writes.exchange` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tournaments import audit
from tournaments.models import (
    AuditEntry,
    Disagreement,
    Entry,
    Round,
    Session,
    Sitting,
    SittingTotals,
)
from tournaments.queries.sheets import Sheet, sheets_of, with_totals
from tournaments.queries.standings import sheets_for
from tournaments.queries.what_if import Move, moves, with_rounds

RECORDING_KINDS = (
    AuditEntry.Kind.ROUND_RECORDED,
    AuditEntry.Kind.ROUND_CONTINUED,
    AuditEntry.Kind.ROUND_CORRECTED,
)
PLAYER_LISTS = ("kankei", "finish")  # lists of players in facts


class NotSeated(Exception):
    """Raised when neither of the two sits in this session, so that there is nothing to exchange."""


class Undecided(Exception):
    """Raised while two phones differ about rounds at the tables: the desk decides that first.

    What is said otherwise of them names those who sat there when it was said. `disagreements` are
    the open ones.
    """

    def __init__(self, disagreements: Sequence[Disagreement]) -> None:
        """Keep what is to be decided."""
        super().__init__("Two phones differ about a round.")
        self.disagreements = disagreements


class Exchange(NamedTuple):
    """Two players who take each other's place in a session: every table's sheet before and after.

    Where only one of them is seated, the other stands in.
    """

    one: Entry
    other: Entry
    before: tuple[Sheet, ...]
    after: tuple[Sheet, ...]

    @property
    def rounds(self) -> list[tuple[Sheet, Round, Round]]:
        """Return the rounds whose facts would change: sheet, stored row, new row."""
        return [
            (after, old, new)
            for before, after in zip(self.before, self.after, strict=True)
            for old, new in zip(before.rows, after.rows, strict=True)
            if old.facts != new.facts
        ]

    @property
    def stamp(self) -> str:
        """Return what this was worked out from: it differs once anything there has changed."""
        said = [
            f"{sheet.sitting.number}:{'-'.join(sheet.players)}:"
            + "-".join(str(row.version) for row in sheet.rows)
            + (f"t{sheet.typed.version}" if sheet.typed else "")
            for sheet in self.before
        ]
        return f"{self.one.key}/{self.other.key}/" + "/".join(said)

    @property
    def moves(self) -> list[Move]:
        """Return who would move in the standings."""
        tournament = self.before[0].sitting.session.tournament
        return moves(sheets_for(tournament), self.after)


def plan_exchange(session: Session, one: Entry, other: Entry) -> Exchange:
    """Return what an exchange would bring. Raises `NotSeated` and `Undecided`."""
    seated = Sitting.objects.filter(session=session, seats__entry__in=[one, other]).distinct()
    before = tuple(sheets_of(seated.order_by("number")))
    if not before or one == other:
        raise NotSeated
    tables = [sheet.sitting for sheet in before]
    differing = Disagreement.objects.filter(sitting__in=tables, settled_at=None)
    if undecided := list(differing.select_related("sitting")):
        raise Undecided(undecided)
    swapped = {one.key: other, other.key: one}
    names = {key: entry.key for key, entry in swapped.items()}
    after = tuple(
        _with_totals(
            with_rounds(
                sheet,
                [rename_players(row.facts, names) for row in sheet.rows],
                [swapped.get(entry.key, entry) for entry in sheet.entries],
            ),
            names,
        )
        for sheet in before
    )
    return Exchange(one, other, before, after)


def _with_totals(sheet: Sheet, names: Mapping[str, str]) -> Sheet:
    """Return the sheet with its typed totals, if it has any, under the new names."""
    if sheet.typed is None:
        return sheet
    points = {names.get(player, player): own for player, own in sheet.typed.points.items()}
    version = sheet.typed.version + 1
    typed = SittingTotals(sitting=sheet.sitting, version=version, points=points)
    return with_totals(sheet, typed)


def versions_as_named_now(sitting: Sitting, number: int) -> list[Round]:
    """Return every version of a round, the oldest first, its facts under the names of today.

    Whoever has taken a player's place since is named for them; the rows themselves stay as written.
    """
    rows = list(Round.objects.filter(sitting=sitting, number=number).order_by("version"))
    acts = sitting.session.tournament.audit_entries.order_by("number")
    here = audit.table_subject(sitting) | {"round": number}
    told = acts.filter(kind__in=RECORDING_KINDS, **{f"subject__{key}": here[key] for key in here})
    written = {act.subject["version"]: act.number for act in told}
    for act in acts.filter(
        kind=AuditEntry.Kind.PLAYERS_EXCHANGED, subject__session=here["session"]
    ):
        before = [row for row in rows if written.get(row.version, 0) < act.number]
        # The newest of them is as the exchange left it: written anew, set aside, or without a name.
        for row in before[:-1]:
            row.facts = rename_players(row.facts, _exchanged_names(act, sitting))
    return rows


def _exchanged_names(act: AuditEntry, sitting: Sitting) -> dict[str, str]:
    """Return by what names an exchange called the players of a table, by those before it."""
    table = str(sitting.number)
    return dict(zip((act.old or {}).get(table, ()), (act.new or {}).get(table, ()), strict=True))


def rename_players(facts: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return facts with some players called by other names, wherever facts name players.

    >>> renamed({"dealer": "1", "kankei": ["2", "4"], "deals": []}, {"1": "4", "4": "1"})
    {'dealer': '4', 'kankei': ['2', '1'], 'deals': []}
    >>> renamed({"captured": {"1": ["SQ"]}, "exposed": []}, {"1": "7"})
    {'captured': {'7': ['SQ']}, 'exposed': []}
    """
    new = dict(facts)
    if "dealer" in new:
        new["dealer"] = names.get(new["dealer"], new["dealer"])
    for key in PLAYER_LISTS:
        if key in new:
            new[key] = [names.get(player, player) for player in new[key]]
    if "teams" in new:
        new["teams"] = [[names.get(player, player) for player in team] for team in new["teams"]]
    if "captured" in new:
        new["captured"] = {names.get(who, who): cards for who, cards in new["captured"].items()}
    return new
