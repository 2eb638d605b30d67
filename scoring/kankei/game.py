"""A face-card game under chosen rules. Variants differ in the arguments of `KankeiGame`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from scoring.game import NEW_TABLE, Advice, Game, Line, RoundScore, Side, Start, TableState
from scoring.kankei.advice import (
    finished_advice,
    note_advice,
    same_sides_advice,
    seat_change_advice,
    trump_advice,
)
from scoring.kankei.facts import TRUMPS, Deal, Round
from scoring.kankei.judging import ImpossibleDeal, Judge, Verdict
from scoring.kankei.reading import RoundReader
from scoring.problems import Problems
from scoring.rules import Choice, Rules
from scoring.seats import (
    DEALER_SITS_OUT_AT,
    SeatChange,
    next_opener,
    partner_of_both_key_cards,
    seat_change_of,
    swapped,
    to_the_right,
)
from scoring.sources import Source
from scoring.translation import gettext_noop as _

# Outcomes that cancel earlier points only with the option `reverse_juroku_voids`.
MADE_REVERSE_JUROKU = ("reverse_juroku", "called_reverse_juroku")


def _without_none(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if value is not None}


class KankeiGame(Game):
    """A face-card game under chosen rules: reads and scores rounds, and advises the table.

    - `targets`: by deal, the face cards that win it, for kankei and for mukankei
    - `declarations`: by deal, the legal declarations
    - `items`: returns the items that a verdict scores in a deal, given the options
    - `seat_change_before`: the number of the deal before which adjacent kankei change seats
    - `may_be_cut_off`: whether a round that time cut off can be recorded
    """

    kind: Literal["kankei"] = "kankei"
    rounds_are_deals = False

    def __init__(
        self,
        rules: Rules,
        *,
        targets: Mapping[int, tuple[int, int]],
        targets_source: Source,
        declarations: Mapping[int, tuple[str, ...]],
        items: Callable[[Verdict, int, Mapping[str, Choice]], tuple[str, ...]],
        skunk_from: Mapping[int, int] | None = None,
        reverse_skunk_deals: Sequence[int] = (1, 2, 3),
        seat_change_before: int = 1,
        may_be_cut_off: bool = True,
    ) -> None:
        """See the class; `skunk_from` and `reverse_skunk_deals` are explained by `Judge`.

        `verdict` and `deal_lines` are attributes: each game has its own cache of them.
        """
        self.rules = rules
        self.targets = targets
        self.targets_source = targets_source
        self.declarations = declarations
        self.items = items
        self.reverse_skunk_deals = reverse_skunk_deals
        self.seat_change_before = seat_change_before
        self.may_be_cut_off = may_be_cut_off
        self.judge = Judge(
            targets,
            skunk_from=skunk_from or {},
            reverse_skunk_deals=reverse_skunk_deals,
            missed_call_ends_deal=bool(rules.options.get("missed_call_ends_deal", True)),
        )
        self.verdict = self.judge.verdict
        self.deal_lines = cache(self._deal_lines)

    @property
    def key_card(self) -> str:
        """Return the rank of the key card: its holder and that of the joker are the kankei."""
        return str(self.rules.options.get("key_card", "A"))

    @property
    def has_dealers(self) -> bool:
        """Return whether the text says who deals the next round."""
        return "dealer" in self.rules.customs

    def read_round(
        self, problems: Problems, at: str, data: Any, players: Sequence[str]
    ) -> Round | None:
        """Return None after adding problems."""
        reader = RoundReader(
            self.judge,
            problems,
            players,
            declarations=self.declarations,
            may_be_cut_off=self.may_be_cut_off,
        )
        return reader.read(at, data)

    def canonical_facts(
        self,
        facts: Round,
        earlier_rounds: Sequence[Round],
        players: Sequence[str],
        planned_rounds: int | None,
        start: Start = NEW_TABLE,
    ) -> dict[str, Any]:
        """Return the canonical form: kankei in seat order, trump and dealer filled in.

        A game without dealers leaves the dealer out.

        >>> import scoring
        >>> game = scoring.choose(scoring.get_rule_set("yoninkan")).game
        >>> game.canonical_facts(Round(("C", "A"), (Deal(9, 7),)), (), "ABCD", None)
        {'kankei': ['A', 'C'], 'deals': [{'kankei': 9, 'mukankei': 7}], 'trump': 'clubs'}
        """
        state = self.state_after(earlier_rounds, players, planned_rounds, start)
        first, *others = facts.deals
        trump = facts.trump or first.trump or state.trump
        deals = [first._replace(trump=None), *others]
        document: dict[str, Any] = {
            "kankei": sorted(facts.kankei, key=players.index),
            "deals": [_without_none(deal._asdict()) for deal in deals],
        }
        dealer = (facts.dealer or state.dealer) if self.has_dealers else None
        document |= _without_none({"dealer": dealer, "trump": trump})
        return document | ({"cut_off": True} if facts.cut_off else {})

    def check_rounds(
        self,
        problems: Problems,
        rounds: Sequence[Round | None],
        players: Sequence[str],
        partners: bool,
        start: Start = NEW_TABLE,
    ) -> None:
        """Add a problem for every unfinished round but the last."""
        for i, facts in enumerate(rounds[:-1]):
            if facts is not None and not self.is_complete(facts):
                problems.add(
                    f"rounds[{i}]",
                    "unfinished_round",
                    _("Round {round} is not finished: add its next deal, or mark it as cut off."),
                    round=i + 1,
                )

    def is_over(self, deals: Sequence[Deal]) -> bool:
        """Return whether the last of these deals ends the round. `deals` must not be empty."""
        return self.judge.is_over(deals)

    def is_complete(self, facts: Round) -> bool:
        """Return whether the round was played to its end or cut off."""
        return facts.cut_off or self.is_over(facts.deals)

    def is_unfinished(self, facts: Mapping[str, Any]) -> bool:
        """Return whether a round goes on, by its facts as JSON, which `read_round` has accepted."""
        deals = [
            Deal(deal["kankei"], deal["mukankei"], deal.get("declaration"))
            for deal in facts["deals"]
        ]
        return not facts.get("cut_off") and not self.is_over(deals)

    def may_stop_at(self, deal_number: int, kankei: int, mukankei: int, player_count: int) -> bool:
        """Return whether an undeclared deal can have stopped at these counts, with so many players.

        Play stops with the trick that reaches a side's target, and a trick has one card of each who
        plays: the winners exceed their target by fewer. With six players the dealer sits out.

        >>> import scoring
        >>> game = scoring.choose(scoring.get_rule_set("goninkan-association")).game
        >>> [game.may_stop_at(1, *counts, 6) for counts in ((11, 5), (1, 12), (1, 13))]
        [True, True, False]
        """
        playing = player_count - (player_count == DEALER_SITS_OUT_AT)
        targets = self.targets[deal_number]
        excess = kankei - targets[0] if kankei >= targets[0] else mukankei - targets[1]
        return 0 <= excess < playing

    def _deal_lines(
        self, deal_number: int, kankei: int, mukankei: int, declaration: str | None
    ) -> tuple[Line, ...]:
        """Return a deal's lines, regardless of earlier deals. `deal_number` is 1, 2 or 3.

        Raises `ValueError` for impossible facts, which `read_round` would have refused.
        """
        verdict = self.verdict(deal_number, kankei, mukankei, declaration)
        if isinstance(verdict, ImpossibleDeal):
            message = verdict.template.format(**verdict.params)
            raise ValueError(message)  # noqa: TRY004  the value is wrong, not the type
        items = self.items(verdict, deal_number, self.rules.options)
        return tuple(self.rules.line(item, deal=deal_number) for item in items)

    def voids(self, item: str) -> bool:
        """Return whether an item cancels the points of the round's earlier deals."""
        reverse_juroku_voids = self.rules.options.get("reverse_juroku_voids", True)
        if item in MADE_REVERSE_JUROKU and not reverse_juroku_voids:
            return False
        return self.rules.by_item[item].voids

    def lines(self, deals: Sequence[Deal], cut_off: bool = False) -> list[Line]:
        """Return each kankei player's lines of a round.

        Where a deal voids earlier ones, or a round `cut_off` does not count, a line that cancels
        the points so far is inserted. Raises `ValueError` for impossible facts.
        """
        lines: list[Line] = []
        for number, deal in enumerate(deals, 1):
            deal_lines = self.deal_lines(number, deal.kankei, deal.mukankei, deal.declaration)
            if lines and any(self.voids(line.item) for line in deal_lines):
                lines.append(self._void_line("voided", lines, deal_number=number))
            lines += deal_lines
        if cut_off and not self.rules.options["cut_off_round_scores"]:
            lines.append(self._void_line("cut_off_void", lines, deal_number=len(deals)))
        return lines

    def _void_line(self, item: str, lines: Sequence[Line], *, deal_number: int) -> Line:
        """Return a line of deal `deal_number` that cancels the points of `lines`."""
        points = sum(line.points for line in lines)
        return Line(item, -points, self.rules.by_item[item].source, deal=deal_number)

    def score_round(self, facts: Round, players: Sequence[str]) -> RoundScore:
        """Return the round's lines and points; an unfinished round has no lines and 0 points."""
        if not self.is_complete(facts):
            return RoundScore(dict.fromkeys(players, 0), complete=False, lines=())
        lines = self.lines(facts.deals, cut_off=facts.cut_off)
        points = sum(line.points for line in lines)
        kankei_side = self.kankei_side(facts, players)
        return RoundScore(
            {player: points if player in kankei_side else -points for player in players},
            complete=True,
            lines=tuple(lines),
        )

    def team_totals(
        self, scores: Sequence[RoundScore], players: Sequence[str], partners: bool
    ) -> None:
        """Return None: the sides change every round."""

    def sums_to_zero(self, player_count: int) -> bool:
        """Return whether the sides are equal: one gets what the other loses."""
        return player_count % 2 == 0

    def side_of(
        self, player: str, facts: Round, players: Sequence[str], partners: bool = False
    ) -> Side:
        """Return kankei or mukankei; the dealer may score with the kankei.

        >>> import scoring
        >>> game = scoring.choose(scoring.get_rule_set("goninkan-association")).game
        >>> facts = Round(("A", "C"), (), dealer="F")
        >>> game.side_of("B", facts, "ABCDEF"), game.side_of("F", facts, "ABCDEF").role
        (Side(role='mukankei', players=('B', 'D', 'E')), 'dealer')
        """
        kankei_side = self.kankei_side(facts, players)
        if player not in kankei_side:
            return Side("mukankei", tuple(each for each in players if each not in kankei_side))
        return Side("kankei" if player in facts.kankei else "dealer", kankei_side)

    def own_lines(
        self, player: str, facts: Round, lines: Sequence[Line], players: Sequence[str]
    ) -> tuple[Line, ...]:
        """Return all lines; for a mukankei player, with the opposite points."""
        if player in self.kankei_side(facts, players):
            return tuple(lines)
        return tuple(line._replace(points=-line.points) for line in lines)

    def kankei_side(self, facts: Round, players: Sequence[str]) -> tuple[str, ...]:
        """Return the players who get the kankei's points: with six, the dealer as well."""
        if len(players) == DEALER_SITS_OUT_AT and facts.dealer is not None:
            return (*facts.kankei, facts.dealer)
        return facts.kankei

    def seats_after(self, rounds: Sequence[Round], players: Sequence[str]) -> tuple[str, ...]:
        """Return the seats after these rounds. Seat changes are permanent."""
        return self._seats_and_dealer(rounds, players)[0]

    def _seats_and_dealer(
        self, rounds: Sequence[Round], players: Sequence[str], start: Start = NEW_TABLE
    ) -> tuple[tuple[str, ...], str | None]:
        """Return the seats after these rounds, and who deals next.

        A round without a dealer was dealt by the next one in turn. The dealer is None if none of
        the rounds has one, or if the game has no dealers.
        """
        seats, next_dealer = tuple(players), start.opener
        for facts in rounds:
            if len(facts.deals) >= self.seat_change_before:
                change = self.seat_change(seats, facts.kankei, facts.dealer)
                seats = swapped(seats, *change) if change else seats
            dealer = facts.dealer or next_dealer
            next_dealer = to_the_right(seats, dealer) if dealer and self.has_dealers else None
        return seats, next_dealer

    def seat_change(
        self, seats: Sequence[str], kankei: Sequence[str], dealer: str | None
    ) -> SeatChange | None:
        """Return who changes seats if these kankei sit side by side, otherwise None.

        With six players the dealer, who sits out, is skipped.
        """
        sits_out = dealer if len(seats) == DEALER_SITS_OUT_AT else None
        return seat_change_of(seats, kankei, sits_out)

    def partner_of_both_key_cards(
        self, seats: Sequence[str], player: str, dealer: str | None
    ) -> str | None:
        """Return the partner of a player with both key cards; None if the player sits out.

        `dealer` is the dealer of the round, who sits out if there are six players.
        """
        sits_out = dealer if len(seats) == DEALER_SITS_OUT_AT else None
        if player == sits_out:
            return None
        return partner_of_both_key_cards(seats, player, sits_out)

    def trump(self, round_number: int, planned_rounds: int | None) -> str:
        """Return the trump of the first deal of a round: clubs, diamonds and hearts in turn.

        With the option `last_round_spades`, the last of the `planned_rounds` rounds is in spades.
        """
        if round_number == planned_rounds and self.rules.options["last_round_spades"]:
            return "spades"
        return TRUMPS[(round_number - 1) % 3]

    def state_after(
        self,
        rounds: Sequence[Round],
        players: Sequence[str],
        planned_rounds: int | None,
        start: Start = NEW_TABLE,
    ) -> TableState:
        """Return how the round after these begins.

        The dealer is None in round 1, if no round has a dealer, and in a game without dealers.
        """
        seats, dealer = self._seats_and_dealer(rounds, players, start)
        round_number = start.rounds + len(rounds) + 1
        return TableState(seats, dealer, self.trump(round_number, planned_rounds), round_number)

    def advice(
        self,
        rounds: Sequence[Round],
        players: Sequence[str],
        planned_rounds: int | None,
        partners: bool = False,
        start: Start = NEW_TABLE,
    ) -> tuple[Advice, ...]:
        """Return the advice before the next deal of the last round, or before the next round."""
        notes = self._notes_on(rounds[-1].deals) if rounds else ()
        if rounds and not self.is_complete(rounds[-1]):
            deal_number = len(rounds[-1].deals) + 1
            change = self._seat_change_before(deal_number, rounds, players)
            return (
                *notes,
                same_sides_advice(deal_number, has_dealer=self.has_dealers),
                *((seat_change_advice(change),) if change else ()),
                *self.chooser_advice(deal_number),
            )
        if planned_rounds is not None and start.rounds + len(rounds) >= planned_rounds:
            return (*notes, finished_advice(planned_rounds))
        state = self.state_after(rounds, players, planned_rounds, start)
        return (
            *notes,
            *self._dealer_advice(state),
            trump_advice(state.round_number, state.trump),
            *self.first_lead_advice(state.trump),
        )

    def _notes_on(self, deals: Sequence[Deal]) -> tuple[Advice, ...]:
        """Return the notes of the rules that the last of these deals scored."""
        last = deals[-1]
        lines = self.deal_lines(len(deals), last.kankei, last.mukankei, last.declaration)
        rules = [self.rules.by_item[line.item] for line in lines]
        return tuple(note_advice(rule) for rule in rules if rule.note)

    def _dealer_advice(self, state: TableState) -> tuple[Advice, ...]:
        """Return who deals the next round; none after a round that nobody is known to have dealt.

        The dealer of the first round is drawn.
        """
        if state.dealer:
            return self.rules.advice("dealer", {"dealer": state.dealer})
        return self.rules.advice("draw_dealer") if state.round_number == 1 else ()

    def first_lead_advice(self, trump: str) -> tuple[Advice, ...]:
        """Return who leads the first deal of a round with this trump, if the text says so."""
        return self.rules.advice(f"first_lead_{trump}") or self.rules.advice("first_lead")

    def chooser_advice(self, deal_number: int) -> tuple[Advice, ...]:
        """Return who chooses the trump of deal 2 or 3, and leads."""
        if deal_number == 2:
            return self.rules.advice("joker_holder_chooses")
        return self.rules.advice("key_card_holder_chooses", card=self.key_card)

    def next_start(
        self,
        rounds: Sequence[Round],
        players: Sequence[str],
        next_players: Sequence[str],
        start: Start = NEW_TABLE,
        partners: bool = False,
    ) -> Start:
        """Return how other players go on: round number, trump and dealer follow the last ones."""
        seats, dealer = self._seats_and_dealer(rounds, players, start)
        opener = next_opener(seats, dealer, next_players) if dealer else None
        return Start(start.rounds + len(rounds), opener)

    def _seat_change_before(
        self, deal_number: int, rounds: Sequence[Round], players: Sequence[str]
    ) -> SeatChange | None:
        """Return who changes seats before this deal of the last round."""
        if deal_number != self.seat_change_before:
            return None
        seats = self.seats_after(rounds, players)  # nobody has changed in the last round yet
        return self.seat_change(seats, rounds[-1].kankei, rounds[-1].dealer)
