"""What the face-card games share: the facts of a round, who won a deal and how, and its lines.

A round (役) is one to three deals (戦) by one dealer with the same two sides. Facts are face cards:
how many of the sixteen each side held when play stopped, and at most one declaration. No rule
set's numbers are here: each variant gives its targets, its legal declarations, what each item is
worth and which items an outcome scores.

Outcomes are named as the items are: ``won``, ``lost``, ``skunk``, ``reverse_skunk``, and for each
declaration its own name when made and with ``_missed`` when not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from scoring import seats
from scoring.problems import Problems
from scoring.rules import Advice, Line, Option, RoundScore, Rule, Rules, Source
from scoring.rules import gettext_noop as _

FACE_CARDS = 16
LAST_DEAL = 3
TRUMPS = ("clubs", "diamonds", "hearts", "spades")
KANKEI_DECLARATIONS = ("juroku", "called_skunk", "called_juroku")
MUKANKEI_DECLARATIONS = ("reverse_juroku", "called_reverse_skunk", "called_reverse_juroku")
DECLARATIONS = KANKEI_DECLARATIONS + MUKANKEI_DECLARATIONS

ROUND_KEYS = frozenset({"trump", "dealer", "kankei", "deals", "cut_off"})
DEAL_KEYS = frozenset({"kankei", "mukankei", "declaration", "trump"})


class Deal(NamedTuple):
    """The facts of a deal: face cards each side held when play stopped, and what was declared."""

    kankei: int
    mukankei: int
    declaration: str | None = None
    trump: str | None = None


class Round(NamedTuple):
    """The facts of a round. `kankei` are the two declared players; the dealer of six is a third."""

    kankei: tuple[str, ...]
    deals: tuple[Deal, ...]
    dealer: str | None = None
    trump: str | None = None
    cut_off: bool = False


class Verdict(NamedTuple):
    """How a deal ended, and whether the kankei go on."""

    outcome: str
    kankei_won: bool


class Refusal(NamedTuple):
    """Why a deal cannot have ended like that: the field it concerns, a code and what to do."""

    field: str
    code: str
    template: str
    params: Mapping[str, Any]


class TableState(NamedTuple):
    """Who sits where before a round, who deals it and what is trump in its first deal."""

    seats: tuple[str, ...]
    dealer: str | None
    trump: str
    number: int


def judge(
    deal: Deal,
    targets: tuple[int, int],
    *,
    skunk_from: int | None = None,
    reverse_skunk: bool = True,
    missed_call_ends_deal: bool = True,
) -> Verdict | Refusal:
    """Return how a deal ended, or why it cannot have.

    `targets` are the face cards that win it, for kankei and for mukankei. A skunk needs the
    kankei's target, or `skunk_from` if that is more.

    >>> judge(Deal(9, 0), (9, 8))
    Verdict(outcome='skunk', kankei_won=True)
    >>> judge(Deal(16, 0, "juroku"), (8, 9))
    Verdict(outcome='juroku', kankei_won=True)
    >>> judge(Deal(9, 7, "juroku"), (8, 9))
    Verdict(outcome='juroku_missed', kankei_won=False)
    """
    if deal.declaration is not None:
        return _judge_declared(deal, targets, missed_call_ends_deal)
    if deal.kankei >= targets[0]:
        is_skunk = deal.mukankei == 0 and deal.kankei >= (skunk_from or targets[0])
        return Verdict("skunk" if is_skunk else "won", True)
    if deal.mukankei >= targets[1]:
        is_reverse = deal.kankei == 0 and reverse_skunk
        return Verdict("reverse_skunk" if is_reverse else "lost", False)
    return _undecided(targets)


def _undecided(targets: tuple[int, int]) -> Refusal:
    return Refusal(
        "kankei",
        "undecided",
        _(
            "Nobody has won yet: the kankei need {kankei} face cards, or the mukankei {mukankei}; "
            "count again."
        ),
        {"kankei": targets[0], "mukankei": targets[1]},
    )


def _judge_declared(
    deal: Deal, targets: tuple[int, int], missed_call_ends_deal: bool
) -> Verdict | Refusal:
    """Judge from the declaring side: its own cards, the others', and the target it must reach."""
    declaration = deal.declaration or ""
    by_kankei = declaration in KANKEI_DECLARATIONS
    own, others = (deal.kankei, deal.mukankei) if by_kankei else (deal.mukankei, deal.kankei)
    target = targets[0] if by_kankei else targets[1]
    is_call = declaration.startswith("called_")
    for_all = declaration.endswith("juroku")

    if not is_call and own < target:
        return _impossible_before_target(by_kankei, target)
    if others == 0:
        if own == FACE_CARDS or (not for_all and own >= target):
            return Verdict(declaration, by_kankei)
        return _undecided_for_all(by_kankei) if for_all else _undecided_call(by_kankei, target)
    if is_call and not for_all and own >= target and missed_call_ends_deal:
        return _impossible_after_miss(by_kankei, target)
    if is_call and not missed_call_ends_deal:
        if deal.kankei < targets[0] and deal.mukankei < targets[1]:
            return _undecided(targets)
        return Verdict(f"{declaration}_missed", deal.kankei >= targets[0])
    return Verdict(f"{declaration}_missed", not by_kankei)


def _impossible_before_target(by_kankei: bool, target: int) -> Refusal:
    if by_kankei:
        text = _(
            "16 is declared after a skunk: the kankei must hold {target} or more. "
            "Correct the count or remove the declaration."
        )
    else:
        text = _(
            "Reverse 16 is declared after a reverse skunk: the mukankei must hold {target} or "
            "more. Correct the count or remove the declaration."
        )
    return Refusal("declaration", "declaration_impossible", text, {"target": target})


def _impossible_after_miss(by_kankei: bool, target: int) -> Refusal:
    if by_kankei:
        text = _(
            "A called skunk ends when the mukankei take a face card: either the mukankei hold "
            "none, or the kankei fewer than {target}."
        )
    else:
        text = _(
            "A called reverse skunk ends when the kankei take a face card: either the kankei hold "
            "none, or the mukankei fewer than {target}."
        )
    return Refusal("declaration", "declaration_impossible", text, {"target": target})


def _undecided_for_all(by_kankei: bool) -> Refusal:
    if by_kankei:
        text = _("16 was declared: either the kankei hold all 16, or the mukankei at least 1.")
    else:
        text = _(
            "Reverse 16 was declared: either the mukankei hold all 16, or the kankei at least 1."
        )
    return Refusal("kankei", "undecided", text, {})


def _undecided_call(by_kankei: bool, target: int) -> Refusal:
    if by_kankei:
        text = _(
            "A skunk was called: either the kankei hold {target} or more, "
            "or the mukankei at least 1."
        )
    else:
        text = _(
            "A reverse skunk was called: either the mukankei hold {target} or more, "
            "or the kankei at least 1."
        )
    return Refusal("kankei", "undecided", text, {"target": target})


def won_items(deal: int) -> tuple[str, ...]:
    """Return the items of a deal the kankei won, the ordinary way of goninkan."""
    return ("deal_won", "third_deal") if deal == LAST_DEAL else ("deal_won",)


def goninkan_items(verdict: Verdict, deal: int, options: Mapping[str, bool]) -> tuple[str, ...]:
    """Return the items that a deal scores, as every goninkan counts them.

    >>> choices = {"reverse_skunk_deal1_flat": False, "skunk_kept_with_juroku": True}
    >>> goninkan_items(Verdict("juroku", True), 2, choices)
    ('deal_won', 'skunk', 'juroku')
    >>> goninkan_items(Verdict("reverse_skunk", False), 1, choices)
    ('deal_lost', 'reverse_skunk_deal_1')
    """
    plain = won_items(deal) if verdict.kankei_won else ("deal_lost",)
    match verdict.outcome:
        case "won" | "lost":
            return plain
        case "juroku" if options["skunk_kept_with_juroku"]:
            return (*plain, "skunk", "juroku")
        case "reverse_skunk" if deal == 1:
            return (*besides_reverse_skunk(plain, options), "reverse_skunk_deal_1")
        case "reverse_skunk" | "reverse_juroku":
            return (verdict.outcome,)
        case outcome:
            return (*plain, outcome)


def besides_reverse_skunk(plain: tuple[str, ...], options: Mapping[str, bool]) -> tuple[str, ...]:
    """Return what a reverse skunk in deal 1 leaves of the deal's own points."""
    return () if options["reverse_skunk_deal1_flat"] else plain


# What the items are called. What they are worth, and where that is written, each variant says.
ITEM_NAMES = {
    "deal_won": _("Deal won"),
    "deal_lost": _("Deal lost"),
    "third_deal": _("Third deal won"),
    "lost_in_deal_1": _("Lost in deal 1"),
    "lost_in_deal_2": _("Lost in deal 2"),
    "lost_in_deal_3": _("Lost in deal 3"),
    "all_deals_won": _("All three deals won"),
    "skunk": _("Skunk"),
    "juroku": _("Juroku"),
    "juroku_missed": _("Juroku missed"),
    "reverse_skunk_deal_1": _("Reverse skunk in deal 1"),
    "reverse_skunk": _("Reverse skunk"),
    "reverse_juroku": _("Reverse juroku"),
    "reverse_juroku_missed": _("Reverse juroku missed"),
    "called_skunk": _("Called skunk"),
    "called_skunk_missed": _("Called skunk missed"),
    "called_juroku": _("Called juroku"),
    "called_juroku_missed": _("Called juroku missed"),
    "called_reverse_skunk_deal_1": _("Called reverse skunk in deal 1"),
    "called_reverse_skunk": _("Called reverse skunk"),
    "called_reverse_skunk_missed_deal_1": _("Called reverse skunk missed in deal 1"),
    "called_reverse_skunk_missed": _("Called reverse skunk missed"),
    "called_reverse_juroku": _("Called reverse juroku"),
    "called_reverse_juroku_missed": _("Called reverse juroku missed"),
    "voided": _("Earlier deals void"),
    "cut_off_void": _("Cut off: does not count"),
}

OPTION_MEANINGS = {
    "reverse_skunk_deal1_flat": _(
        "A reverse skunk in deal 1 scores its points instead of the lost deal’s, not besides them"
    ),
    "skunk_kept_with_juroku": _("A made juroku scores the skunk it went on from, too"),
    "last_round_spades": _("Spades are trump in the first deal of the last round"),
    "cut_off_round_scores": _("A round cut off by the clock scores what it had earned so far"),
    "missed_call_ends_deal": _("A missed call ends the deal at once, and loses it"),
}


def rule(item: str, points: int, source: Source, *, voids: bool = False) -> Rule:
    """Return what an item is worth to each kankei player. A house rule cannot change its sign."""
    lowest, highest = (0 if points > 0 else -999), (0 if points < 0 else 999)
    return Rule(item, points, ITEM_NAMES[item], source, lowest, highest, voids)


def taking_back(item: str, source: Source) -> Rule:
    """Return the rule that takes back what is void: worth the opposite of what was earned."""
    return Rule(item, 0, ITEM_NAMES[item], source, 0, 0)


def option(name: str, default: bool, source: Source) -> Option:
    """Return a choice that the texts leave open, with this text's default."""
    return Option(name, default, OPTION_MEANINGS[name], source)


class KankeiGame:
    """A face-card game under chosen rules: reads, scores and explains its rounds.

    `targets` are by deal, for kankei and mukankei; `declarations` the legal ones by deal; `items`
    tells which items an outcome scores. `parted_before` is the deal before which neighbouring
    kankei change places; `key_card` the trump that, with the joker, makes its holder kankei.
    """

    kind: Literal["kankei"] = "kankei"

    def __init__(
        self,
        rules: Rules,
        *,
        targets: Mapping[int, tuple[int, int]],
        targets_source: Source,
        declarations: Mapping[int, tuple[str, ...]],
        items: Callable[[Verdict, int, Mapping[str, bool]], tuple[str, ...]],
        skunk_from: Mapping[int, int] | None = None,
        reverse_skunk_deals: Sequence[int] = (1, 2, 3),
        parted_before: int = 1,
        key_card: str = "A",
        may_be_cut_off: bool = True,
    ) -> None:
        """Keep the numbers of a variant; nothing is worked out before it is asked for."""
        self.rules = rules
        self.targets = targets
        self.targets_source = targets_source
        self.declarations = declarations
        self.items = items
        self.skunk_from = skunk_from or {}
        self.reverse_skunk_deals = reverse_skunk_deals
        self.parted_before = parted_before
        self.key_card = key_card
        self.may_be_cut_off = may_be_cut_off
        # 153 counts, at most 7 declarations, 3 deals: judge each once, whoever asks.
        self.verdict = cache(self._verdict)
        self.deal_lines = cache(self._deal_lines)

    # Reading

    def read_round(
        self, problems: Problems, at: str, data: Any, players: Sequence[str]
    ) -> Round | None:
        """Return a round's facts, or None after noting everything wrong with them."""
        before = len(problems.found)
        if not problems.is_object(at, data, ROUND_KEYS):
            return None
        trump = self._read_trump(problems, at, data)
        dealer = self._read_dealer(problems, at, data, players)
        kankei = self._read_kankei(problems, at, data, players)
        if dealer in kankei and len(players) == seats.DEALER_SITS_OUT_AT:
            problems.add(
                f"{at}.dealer",
                "dealer",
                _("With six the dealer sits out: choose two other players as kankei."),
            )
        deals = self._read_deals(problems, at, data)
        cut_off = self._read_cut_off(problems, at, data, deals)
        if len(problems.found) > before:
            return None
        return Round(kankei, deals, dealer, trump, cut_off)

    def _read_trump(self, problems: Problems, at: str, data: Mapping[str, Any]) -> str | None:
        if "trump" not in data:
            return None
        trump = data["trump"]
        if type(trump) is not str:
            problems.add(f"{at}.trump", "type", _("Write a suit here, in quotation marks."))
        elif trump not in TRUMPS:
            problems.add(
                f"{at}.trump", "range", _("Choose one of {suits}."), suits=", ".join(TRUMPS)
            )
        else:
            return trump
        return None

    def _read_dealer(
        self, problems: Problems, at: str, data: Mapping[str, Any], players: Sequence[str]
    ) -> str | None:
        if "dealer" not in data:
            if len(players) == seats.DEALER_SITS_OUT_AT:
                problems.required(at, data, "dealer")
            return None
        dealer: str = data["dealer"]
        return dealer if problems.is_player(f"{at}.dealer", dealer, players) else None

    def _read_kankei(
        self, problems: Problems, at: str, data: Mapping[str, Any], players: Sequence[str]
    ) -> tuple[str, ...]:
        if not problems.required(at, data, "kankei"):
            return ()
        kankei, place = data["kankei"], f"{at}.kankei"
        are_known = problems.are_players(place, kankei, players)
        if type(kankei) is list and (len(kankei) != 2 or kankei[0] == kankei[1]):
            problems.add(
                place, "kankei", _("Choose the two players who declared themselves kankei.")
            )
        return tuple(kankei) if are_known else ()

    def _read_deals(self, problems: Problems, at: str, data: Mapping[str, Any]) -> tuple[Deal, ...]:
        if not problems.required(at, data, "deals"):
            return ()
        if not problems.is_list(f"{at}.deals", data["deals"]):
            return ()
        if not data["deals"]:
            problems.add(f"{at}.deals", "missing", _("Add at least the first deal of the round."))
        deals: list[Deal] = []
        over_after = LAST_DEAL
        for number, facts in enumerate(data["deals"], 1):
            place = f"{at}.deals[{number - 1}]"
            if number > over_after:
                problems.add(
                    place,
                    "round_over",
                    _("The round was over after deal {deal}; remove this one."),
                    deal=over_after,
                )
            deal = self._read_deal(problems, place, facts, number)
            if deal is not None:
                deals.append(deal)
                if number < over_after and self._ends_round(deal, number):
                    over_after = number
        return tuple(deals)

    def _read_deal(self, problems: Problems, at: str, data: Any, number: int) -> Deal | None:
        if not problems.is_object(at, data, DEAL_KEYS):
            return None
        before = len(problems.found)
        kankei = self._read_count(problems, at, data, "kankei")
        mukankei = self._read_count(problems, at, data, "mukankei")
        trump = self._read_trump(problems, at, data)
        declaration = self._read_declaration(problems, at, data, number)
        if kankei is None or mukankei is None:
            return None
        if kankei + mukankei > FACE_CARDS:
            problems.add(
                at,
                "too_many_face_cards",
                _("There are 16 face cards, but {kankei} + {mukankei} = {sum}; count again."),
                kankei=kankei,
                mukankei=mukankei,
                sum=kankei + mukankei,
            )
        if len(problems.found) > before:
            return None
        if number <= LAST_DEAL:
            verdict = self.verdict(number, kankei, mukankei, declaration)
            if isinstance(verdict, Refusal):
                problems.add(
                    f"{at}.{verdict.field}", verdict.code, verdict.template, **verdict.params
                )
                return None
        return Deal(kankei, mukankei, declaration, trump)

    def _read_count(
        self, problems: Problems, at: str, data: Mapping[str, Any], side: str
    ) -> int | None:
        if not problems.required(at, data, side):
            return None
        count = data[side]
        if type(count) is not int:
            problems.add(f"{at}.{side}", "type", _("Write a whole number of face cards here."))
            return None
        if not 0 <= count <= FACE_CARDS:
            problems.add(f"{at}.{side}", "range", _("Write a number from 0 to 16 here."))
            return None
        return count

    def _read_declaration(
        self, problems: Problems, at: str, data: Mapping[str, Any], number: int
    ) -> str | None:
        if "declaration" not in data:
            return None
        declaration, place = data["declaration"], f"{at}.declaration"
        legal = self.declarations[min(number, LAST_DEAL)]
        if type(declaration) is not str:
            problems.add(
                place, "type", _("Write the declaration in quotation marks, or leave it out.")
            )
        elif declaration not in legal:
            problems.add(
                place,
                "declaration_not_allowed",
                _("“{declaration}” cannot be declared in deal {deal}; legal are: {legal}."),
                declaration=declaration,
                deal=number,
                legal=", ".join(legal) or "–",
            )
        else:
            return declaration
        return None

    def _read_cut_off(
        self, problems: Problems, at: str, data: Mapping[str, Any], deals: tuple[Deal, ...]
    ) -> bool:
        if "cut_off" not in data:
            return False
        place = f"{at}.cut_off"
        if not problems.is_flag(place, data["cut_off"]) or not data["cut_off"]:
            return False
        if not self.may_be_cut_off:
            problems.add(
                place, "cut_off", _("This game gives a round cut off no points; remove “cut_off”.")
            )
        elif deals and len(deals) == len(data["deals"]) and self._is_over(deals):
            problems.add(
                place,
                "cut_off",
                _(
                    "Only a round that would go on can be cut off; this one ended. "
                    "Remove “cut_off”."
                ),
            )
        return True

    def check_rounds(
        self, problems: Problems, rounds: Sequence[Round | None], players: Sequence[str]
    ) -> None:
        """Note every round but the last that would still go on."""
        for i, facts in enumerate(rounds[:-1]):
            if facts is not None and not self.is_complete(facts):
                problems.add(
                    f"rounds[{i}]",
                    "unfinished_round",
                    _("Round {round} goes on: add its next deal, or mark it as cut off."),
                    round=i + 1,
                )

    # Scoring

    def _verdict(
        self, number: int, kankei: int, mukankei: int, declaration: str | None
    ) -> Verdict | Refusal:
        return judge(
            Deal(kankei, mukankei, declaration),
            self.targets[number],
            skunk_from=self.skunk_from.get(number),
            reverse_skunk=number in self.reverse_skunk_deals,
            missed_call_ends_deal=self.rules.options.get("missed_call_ends_deal", True),
        )

    def _is_over(self, deals: Sequence[Deal]) -> bool:
        return self._ends_round(deals[-1], len(deals))

    def _ends_round(self, deal: Deal, number: int) -> bool:
        """Return whether no deal follows: the mukankei have won this one, or it was the third."""
        if number >= LAST_DEAL:
            return True
        verdict = self.verdict(number, deal.kankei, deal.mukankei, deal.declaration)
        return isinstance(verdict, Verdict) and not verdict.kankei_won

    def is_complete(self, facts: Round) -> bool:
        """Return whether the round counts: played to its end, or cut off."""
        return facts.cut_off or self._is_over(facts.deals)

    def _deal_lines(
        self, number: int, kankei: int, mukankei: int, declaration: str | None
    ) -> tuple[Line, ...]:
        """Return what a deal brings each kankei player by itself, whatever came before."""
        verdict = self.verdict(number, kankei, mukankei, declaration)
        if isinstance(verdict, Refusal):
            message = verdict.template.format(**verdict.params)
            raise ValueError(message)  # noqa: TRY004  the counts are wrong, not their type
        items = self.items(verdict, number, self.rules.options)
        return tuple(self.rules.line(item, deal=number) for item in items)

    def lines(self, deals: Sequence[Deal], cut_off: bool = False) -> list[Line]:
        """Return each kankei player's lines so far, with those that take back what is void."""
        lines: list[Line] = []
        for number, deal in enumerate(deals, 1):
            new = self.deal_lines(number, deal[0], deal[1], deal[2])
            if lines and any(self.rules.by_item[line.item].voids for line in new):
                lines.append(self._taking_back("voided", lines, number))
            lines += new
        if cut_off and not self.rules.options["cut_off_round_scores"]:
            lines.append(self._taking_back("cut_off_void", lines, len(deals)))
        return lines

    def _taking_back(self, item: str, lines: Sequence[Line], deal: int) -> Line:
        earned = sum(line.points for line in lines)
        return Line(item, -earned, self.rules.by_item[item].source, deal)

    def score_round(self, facts: Round, players: Sequence[str]) -> RoundScore:
        """Return the round's lines and everybody's points; 0 for everyone while it goes on."""
        if not self.is_complete(facts):
            return RoundScore(dict.fromkeys(players, 0), False, ())
        lines = self.lines(facts.deals, facts.cut_off)
        points = sum(line.points for line in lines)
        side = self.kankei_side(facts, players)
        return RoundScore(
            {p: points if p in side else -points for p in players}, True, tuple(lines)
        )

    def team_totals(
        self, scores: Sequence[RoundScore], players: Sequence[str], partners: bool
    ) -> None:
        """Sides are drawn anew every round: there are no teams to total."""

    def kankei_side(self, facts: Round, players: Sequence[str]) -> tuple[str, ...]:
        """Return everybody who scores with the kankei: with six, the dealer too."""
        if len(players) == seats.DEALER_SITS_OUT_AT and facts.dealer is not None:
            return (*facts.kankei, facts.dealer)
        return facts.kankei

    # What the table does next

    def seats_after(self, rounds: Sequence[Round], players: Sequence[str]) -> tuple[str, ...]:
        """Return who sits where after these rounds; seats changed stay changed."""
        order = tuple(players)
        for facts in rounds:
            if len(facts.deals) >= self.parted_before:
                move = self.seat_change(order, facts.kankei, facts.dealer)
                order = seats.swapped(order, *move) if move else order
        return order

    def seat_change(
        self, order: Sequence[str], kankei: Sequence[str], dealer: str | None
    ) -> tuple[str, str] | None:
        """Return who changes places with whom once these two are known to be kankei, if anyone."""
        sits_out = dealer if len(order) == seats.DEALER_SITS_OUT_AT else None
        return seats.neighbours_to_part(order, kankei, sits_out)

    def trump(self, number: int, planned: int | None) -> str:
        """Return the trump of a round's first deal: three suits in turn, spades to close.

        The last of the `planned` rounds is in spades where the option `last_round_spades` says so.
        """
        if number == planned and self.rules.options["last_round_spades"]:
            return "spades"
        return TRUMPS[(number - 1) % 3]

    def state_after(
        self, rounds: Sequence[Round], players: Sequence[str], planned: int | None
    ) -> TableState:
        """Return how the round after these begins. The dealer of the first round is drawn: None."""
        order = self.seats_after(rounds, players)
        number = len(rounds) + 1
        last_dealer = rounds[-1].dealer if rounds else None
        dealer = seats.to_the_right(order, last_dealer) if last_dealer else None
        return TableState(order, dealer, self.trump(number, planned), number)

    def advice(
        self, rounds: Sequence[Round], players: Sequence[str], planned: int | None
    ) -> tuple[Advice, ...]:
        """Return what the table does next: the next deal of this round, or the next round."""
        if rounds and not self.is_complete(rounds[-1]):
            return self._next_deal(rounds, players)
        if planned is not None and len(rounds) >= planned:
            return (
                Advice("finished", _("All {planned} rounds are played."), {}, {"planned": planned}),
            )
        state = self.state_after(rounds, players, planned)
        told = [
            Advice(
                "trump",
                _("Round {round}: {trump} are trump in the first deal."),
                {},
                {"round": state.number, "trump": state.trump},
            )
        ]
        if state.dealer:
            told.insert(0, Advice("dealer", _("{dealer} deals next."), {"dealer": state.dealer}))
        else:
            told.insert(0, Advice("draw_dealer", _("Whoever draws the lowest card deals first.")))
        return tuple(told)

    def _next_deal(self, rounds: Sequence[Round], players: Sequence[str]) -> tuple[Advice, ...]:
        facts = rounds[-1]
        number = len(facts.deals) + 1
        told = [
            Advice(
                "same_sides", _("Deal {deal} follows, same dealer and sides."), {}, {"deal": number}
            )
        ]
        if number == self.parted_before:
            order = self.seats_after(rounds[:-1], players)
            move = self.seat_change(order, facts.kankei, facts.dealer)
            if move:
                told.append(seat_change_advice(move))
        if number == 2:
            told.append(
                Advice(
                    "joker_holder_chooses",
                    _(
                        "Whoever held the joker in the first deal chooses the trump and leads, "
                        "after seeing two of the partner’s cards."
                    ),
                )
            )
        else:
            told.append(
                Advice(
                    "key_card_holder_chooses",
                    _(
                        "Whoever held the {card} of trumps in the first deal chooses the trump and "
                        "leads, after seeing two of the partner’s cards."
                    ),
                    {},
                    {"card": self.key_card},
                )
            )
        return tuple(told)

    def chart(self) -> Any:
        """Return the quick-reference chart (得点配分早見表)."""
        from scoring.charts import kankei_chart  # noqa: PLC0415  charts score games

        return kankei_chart(self)


def seat_change_advice(move: tuple[str, str]) -> Advice:
    """Return the sentence that tells two players to change places."""
    mover, other = move
    return Advice(
        "seat_change", _("{mover} changes places with {other}."), {"mover": mover, "other": other}
    )
