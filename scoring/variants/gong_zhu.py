"""Gong Zhu (拱猪) for four or five: who took the pig, sheep, hearts and ten (source 003)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from scoring.problems import Problems
from scoring.rules import Advice, Line, Option, RoundScore, Rule, Rules, RuleSet, Text
from scoring.rules import gettext_noop as _

TEXT = Text("003", "ゴンジュー(拱猪)")

PIG, SHEEP, TEN, ACE_OF_HEARTS = "SQ", "DJ", "C10", "HA"
EXPOSABLE = (ACE_OF_HEARTS, PIG, SHEEP, TEN)
HEARTS = tuple(f"H{rank}" for rank in ("A", "K", "Q", "J", *range(10, 1, -1)))

# Hearts with a rule of their own; the ones below 5 are scoring cards worth nothing.
HEART_RULES = {"HA": "heart_ace", "HK": "heart_king", "HQ": "heart_queen", "HJ": "heart_jack"} | {
    f"H{rank}": "heart_spot" for rank in range(5, 11)
}

ROUND_KEYS = frozenset({"captured", "exposed"})


def penalty(item: str, points: int, meaning: str, words: str) -> Rule:
    """Return a rule that costs points, whatever a house rule makes of it."""
    return Rule(item, points, meaning, TEXT.at(words), -999, 0)


def bonus(item: str, points: int, meaning: str, words: str) -> Rule:
    """Return a rule that brings points, whatever a house rule makes of it."""
    return Rule(item, points, meaning, TEXT.at(words), 0, 999)


def derived(item: str, meaning: str, words: str) -> Rule:
    """Return a rule whose points follow from the others."""
    return Rule(item, 0, meaning, TEXT.at(words), 0, 0)


RULES = (
    derived("hearts", _("Hearts"), "トリックで取ったカードについて、次の点数がつきます"),
    penalty("heart_ace", -50, _("Ace of hearts"), "H -50点"),
    penalty("heart_king", -40, _("King of hearts"), "H -40点"),
    penalty("heart_queen", -30, _("Queen of hearts"), "H -30点"),
    penalty("heart_jack", -20, _("Jack of hearts"), "H -20点"),
    penalty("heart_spot", -10, _("Each heart from 10 to 5"), "H10 -10点"),
    bonus("all_hearts", 200, _("All the hearts"), "ハートの全点数-200点が+200点に変わります"),
    derived(
        "hearts_exposed",
        _("Ace of hearts exposed"),
        "すべてのハートの点数(他のプレイヤーの分も)が2倍になります",
    ),
    penalty("pig", -100, _("Pig"), "(豚) -100点"),
    derived("pig_turned", _("Pig, with all the hearts"), "-100点から+100点に変わります"),
    derived("pig_exposed", _("Pig exposed"), "このカードの点数が-200点になります"),
    bonus("sheep", 100, _("Sheep"), "(羊) +100点"),
    derived("sheep_exposed", _("Sheep exposed"), "このカードの点数が+200点になります"),
    derived("ten_doubles", _("Ten of clubs"), "合計点数が2倍になります"),
    bonus("ten_alone", 50, _("Ten of clubs alone"), "+50点の得点になります"),
    derived("ten_exposed", _("Ten of clubs exposed"), "このカードの効果が更に2倍されます"),
    Rule(
        "game_end",
        -1000,
        _("A total that ends the game"),
        TEXT.at("誰かの累計の罰点が1000点かそれ以上になれば、ゲーム終了です"),
        -9999,
        -1,
    ),
)

OPTIONS = (
    Option(
        "all_hearts_with_ten_300",
        False,
        _("With all the hearts, the ten of clubs makes their 200 points 300, not 400"),
        TEXT.at("C10も取っていれば、ハートの全点数は200点の2倍でなく300点になる"),
    ),
)


class Captures(NamedTuple):
    """The facts of a deal: each player's scoring cards, and the cards exposed before play."""

    captured: Mapping[str, frozenset[str]]
    exposed: frozenset[str]


def scoring_cards(players: int) -> tuple[str, ...]:
    """Return the cards that somebody takes in every deal; five play without the two of hearts.

    >>> len(scoring_cards(4)), len(scoring_cards(5))
    (16, 15)
    """
    hearts = HEARTS[:-1] if players == 5 else HEARTS
    return (PIG, SHEEP, TEN, *hearts)


class GongZhuGame:
    """Gong Zhu under chosen rules. Every line is one player's; partners only add theirs up."""

    kind: Literal["captures"] = "captures"

    def __init__(self, rules: Rules) -> None:
        """Keep the rules."""
        self.rules = rules

    def read_round(
        self, problems: Problems, at: str, data: Any, players: Sequence[str]
    ) -> Captures | None:
        """Return a deal's facts, or None after noting everything wrong with them."""
        before = len(problems.found)
        if not problems.is_object(at, data, ROUND_KEYS):
            return None
        captured = self._read_captured(problems, at, data, players)
        exposed = self._read_exposed(problems, at, data)
        return None if len(problems.found) > before else Captures(captured, exposed)

    def _read_captured(
        self, problems: Problems, at: str, data: Mapping[str, Any], players: Sequence[str]
    ) -> dict[str, frozenset[str]]:
        place, given = f"{at}.captured", data.get("captured")
        if not problems.required(at, data, "captured"):
            return {}
        if type(given) is not dict:
            problems.add(place, "type", _("Write a JSON object here: who took which cards."))
            return {}
        cards = scoring_cards(len(players))
        taken: Counter[str] = Counter()
        captured: dict[str, frozenset[str]] = {}
        for player, hand in given.items():
            at_player = f"{place}.{player}"
            problems.is_player(at_player, player, players)
            if problems.is_list(at_player, hand):
                mine = self._read_hand(problems, at_player, hand, cards, taken)
                captured[player] = frozenset(mine)
        if all(type(hand) is list for hand in given.values()):
            self._note_missing(problems, place, cards, taken)
        return captured

    def _read_hand(
        self,
        problems: Problems,
        at: str,
        hand: list[Any],
        cards: Sequence[str],
        taken: Counter[str],
    ) -> list[str]:
        mine = []
        for i, card in enumerate(hand):
            if not self._is_card(problems, f"{at}[{i}]", card, cards):
                continue
            mine.append(card)
            taken[card] += 1
            if taken[card] == 2:
                problems.add(
                    f"{at}[{i}]",
                    "card_twice",
                    _("{card} was taken by one player only; remove it from the others."),
                    card=card,
                )
        return mine

    def _note_missing(
        self, problems: Problems, at: str, cards: Sequence[str], taken: Counter[str]
    ) -> None:
        for card in cards:
            if card not in taken:
                problems.add(at, "card_missing", _("Nobody took {card}; say who did."), card=card)

    def _is_card(self, problems: Problems, at: str, card: Any, cards: Sequence[str]) -> bool:
        if type(card) is not str:
            problems.add(at, "type", _("Write a card here, such as “SQ”, in quotation marks."))
        elif card not in cards:
            problems.add(
                at,
                "unknown_card",
                _("“{card}” is not one of this table’s scoring cards: {cards}."),
                card=card,
                cards=", ".join(cards),
            )
        else:
            return True
        return False

    def _read_exposed(self, problems: Problems, at: str, data: Mapping[str, Any]) -> frozenset[str]:
        place, given = f"{at}.exposed", data.get("exposed", [])
        if not problems.is_list(place, given):
            return frozenset()
        seen: set[str] = set()
        for i, card in enumerate(given):
            if type(card) is not str:
                problems.add(
                    f"{place}[{i}]",
                    "type",
                    _("Write a card here, such as “SQ”, in quotation marks."),
                )
            elif card not in EXPOSABLE:
                problems.add(
                    f"{place}[{i}]",
                    "not_exposable",
                    _("“{card}” cannot be exposed; only {cards} can."),
                    card=card,
                    cards=", ".join(EXPOSABLE),
                )
            elif card in seen:
                problems.add(
                    f"{place}[{i}]",
                    "card_twice",
                    _("{card} is exposed twice; remove one of them."),
                    card=card,
                )
            else:
                seen.add(card)
        return frozenset(seen)

    def check_rounds(
        self, problems: Problems, rounds: Sequence[Captures | None], players: Sequence[str]
    ) -> None:
        """Note every deal played after somebody's total had ended the game."""
        totals: Counter[str] = Counter()
        over_after = 0
        for i, facts in enumerate(rounds):
            if over_after:
                problems.add(
                    f"rounds[{i}]",
                    "game_over",
                    _("The game was over after deal {deal}; remove this one."),
                    deal=over_after,
                )
            elif facts is None:
                return
            else:
                totals.update(self.score_round(facts, players).points)
                over_after = i + 1 if self.is_over(totals) else 0

    def is_over(self, totals: Mapping[str, int]) -> bool:
        """Return whether somebody's total has ended the game."""
        return min(totals.values(), default=0) <= self.rules.points["game_end"]

    def score_round(self, facts: Captures, players: Sequence[str]) -> RoundScore:
        """Return every player's lines and points."""
        all_hearts = {card for card in scoring_cards(len(players)) if card[0] == "H"}
        lines: list[Line] = []
        points: dict[str, int] = {}
        for player in players:
            cards = facts.captured.get(player, frozenset())
            own = self.player_lines(player, cards, facts.exposed, cards >= all_hearts)
            points[player] = sum(line.points for line in own)
            lines += own
        return RoundScore(points, True, tuple(lines))

    def player_lines(
        self, player: str, cards: frozenset[str], exposed: frozenset[str], has_all_hearts: bool
    ) -> list[Line]:
        """Return one player's lines: hearts, pig, sheep, and what the ten makes of them."""
        lines = self._heart_lines(player, cards, exposed, has_all_hearts)
        hearts = sum(line.points for line in lines)
        if PIG in cards:
            pig = self.rules.points["pig"] * (-1 if has_all_hearts else 1)
            lines.append(self._line("pig_turned" if has_all_hearts else "pig", pig, player))
            if PIG in exposed:
                lines.append(self._line("pig_exposed", pig, player))
        if SHEEP in cards:
            lines.append(self.rules.line("sheep", player=player))
            if SHEEP in exposed:
                lines.append(self._line("sheep_exposed", self.rules.points["sheep"], player))
        if TEN in cards:
            total = sum(line.points for line in lines)
            lines += self._ten_lines(player, cards, exposed, hearts if has_all_hearts else 0, total)
        return lines

    def _heart_lines(
        self, player: str, cards: frozenset[str], exposed: frozenset[str], has_all_hearts: bool
    ) -> list[Line]:
        if has_all_hearts:
            hearts = self.rules.points["all_hearts"]
        else:
            hearts = sum(
                self.rules.points[HEART_RULES[card]] for card in cards & HEART_RULES.keys()
            )
        if not hearts:
            return []
        lines = [self._line("all_hearts" if has_all_hearts else "hearts", hearts, player)]
        if ACE_OF_HEARTS in exposed:
            lines.append(self._line("hearts_exposed", hearts, player))
        return lines

    def _ten_lines(
        self,
        player: str,
        cards: frozenset[str],
        exposed: frozenset[str],
        all_hearts: int,
        total: int,
    ) -> list[Line]:
        """Return what the ten adds: the total once more, and twice more again if it was exposed.

        With `all_hearts_with_ten_300` it adds to all the hearts only half as much (003, note 1).
        """
        if cards == {TEN}:
            once = self.rules.points["ten_alone"]
            lines = [self.rules.line("ten_alone", player=player)]
            more = once
        else:
            halved = all_hearts if self.rules.options["all_hearts_with_ten_300"] else 0
            once = total - halved + halved // 2
            more = 2 * (total - halved) + 3 * halved // 2
            lines = [self._line("ten_doubles", once, player)] if once else []
        if TEN in exposed and more:
            lines.append(self._line("ten_exposed", more, player))
        return lines

    def _line(self, item: str, points: int, player: str) -> Line:
        return Line(item, points, self.rules.by_item[item].source, player=player)

    def team_totals(
        self, scores: Sequence[RoundScore], players: Sequence[str], partners: bool
    ) -> tuple[int, int] | None:
        """Return the partners' totals: seats 1 and 3, then seats 2 and 4."""
        if not partners:
            return None
        of = [sum(score.points[player] for score in scores) for player in players]
        return of[0] + of[2], of[1] + of[3]

    def advice(
        self, rounds: Sequence[Captures], players: Sequence[str], planned: int | None
    ) -> tuple[Advice, ...]:
        """Return who leads the next deal, or that the game is over."""
        totals: Counter[str] = Counter()
        for facts in rounds:
            totals.update(self.score_round(facts, players).points)
        if self.is_over(totals):
            loser = min(totals, key=totals.__getitem__)
            return (
                Advice(
                    "game_over",
                    _("{loser} has {points} points: the game is over."),
                    {"loser": loser},
                    {"points": totals[loser]},
                ),
            )
        if planned is not None and len(rounds) >= planned:
            return (
                Advice("finished", _("All {planned} deals are played."), {}, {"planned": planned}),
            )
        leader = self.leader(rounds)
        if leader is None:
            return (Advice("two_of_spades_leads", _("Whoever holds the two of spades leads.")),)
        return (
            Advice(
                "leads", _("{leader} took the pig and leads the next deal."), {"leader": leader}
            ),
        )

    def leader(self, rounds: Sequence[Captures]) -> str | None:
        """Return who leads the next deal: the taker of the pig; None before the first."""
        if not rounds:
            return None
        return next(p for p, cards in rounds[-1].captured.items() if PIG in cards)

    def chart(self) -> Any:
        """Return the quick-reference chart (得点配分早見表)."""
        from scoring.charts import gong_zhu_chart  # noqa: PLC0415  charts score games

        return gong_zhu_chart(self)


RULE_SET = RuleSet(
    slug="gong-zhu",
    title=_("Gong Zhu"),
    edition="1",
    texts=(TEXT,),
    players=(4, 5),
    rounds=None,
    options=OPTIONS,
    rules=RULES,
    game=GongZhuGame,
    partners_of=(4,),
)
