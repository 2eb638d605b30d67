"""Gong Zhu under chosen rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from scoring.game import NEW_TABLE, Advice, Game, Line, RoundScore, Side, Start
from scoring.problems import Problems
from scoring.rules import Rules
from scoring.translation import gettext_noop as _
from scoring.variants.gong_zhu.facts import (
    ACE_OF_HEARTS,
    EXPOSABLE,
    PIG,
    SHEEP,
    TEN,
    Captures,
    scoring_cards,
)
from scoring.variants.gong_zhu.reading import DealReader

# The rule of each heart; those below 5 have none and are worth nothing.
HEART_RULES = {"HA": "heart_ace", "HK": "heart_king", "HQ": "heart_queen", "HJ": "heart_jack"} | {
    f"H{rank}": "heart_spot" for rank in range(5, 11)
}


class GongZhuGame(Game):
    """Gong Zhu under chosen rules. Every line belongs to a player; partners add up their totals."""

    kind: Literal["captures"] = "captures"
    may_end_early = True

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def scoring_cards(self, players: int) -> tuple[str, ...]:
        """Return the cards that a deal's facts must contain with this number of players."""
        return scoring_cards(players, str(self.rules.options["five_without"]))

    def hearts(self, players: int) -> frozenset[str]:
        """Return the hearts that a deal's facts must contain with this number of players."""
        return frozenset(card for card in self.scoring_cards(players) if card[0] == "H")

    def read_round(
        self, problems: Problems, at: str, data: Any, players: Sequence[str]
    ) -> Captures | None:
        """Return None after adding problems."""
        return DealReader(problems, players, self.scoring_cards(len(players))).read(at, data)

    def canonical_facts(
        self,
        facts: Captures,
        earlier_rounds: Sequence[Captures],
        players: Sequence[str],
        planned_rounds: int | None,
        start: Start = NEW_TABLE,
    ) -> dict[str, Any]:
        """Return the canonical form: players in seat order, cards in the game's order."""
        cards = self.scoring_cards(len(players))
        cards_by_player = {
            player: [card for card in cards if card in facts.captured.get(player, ())]
            for player in players
        }
        return {
            "captured": {player: taken for player, taken in cards_by_player.items() if taken},
            "exposed": [card for card in EXPOSABLE if card in facts.exposed],
        }

    def check_rounds(
        self,
        problems: Problems,
        rounds: Sequence[Captures | None],
        players: Sequence[str],
        partners: bool,
        start: Start = NEW_TABLE,
    ) -> None:
        """Add a problem for every deal after the end of the game, counted from the table's first.

        Stops at a deal that could not be read, since the totals after it are unknown.
        """
        totals: Counter[str] = Counter()
        over_after = start.rounds if self.is_over(totals, players, partners, start) else 0
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
                if self.is_over(totals, players, partners, start):
                    over_after = start.rounds + i + 1

    @property
    def limit(self) -> int:
        """Return the total at or below which the game ends."""
        return self.rules.points["game_end"]

    def ends_by_pairs(self, partners: bool) -> bool:
        """Return whether the game ends by the total of a pair instead of a player."""
        return partners and bool(self.rules.options["partners_end_by_total"])

    def limited_groups(self, players: Sequence[str], partners: bool) -> tuple[tuple[str, ...], ...]:
        """Return the groups whose total can end the game: each player alone, or two pairs.

        >>> import scoring
        >>> gong_zhu = scoring.get_rule_set("gong-zhu")
        >>> scoring.choose(gong_zhu).game.limited_groups("ABCD", partners=True)
        (('A',), ('B',), ('C',), ('D',))
        >>> game = scoring.choose(gong_zhu, {"partners_end_by_total": True}).game
        >>> game.limited_groups("ABCD", partners=True)
        (('A', 'C'), ('B', 'D'))
        """
        return self.sides(players, self.ends_by_pairs(partners))

    def sides(self, players: Sequence[str], partners: bool) -> tuple[tuple[str, ...], ...]:
        """Return who wins or loses together: two pairs of partners, or each player alone."""
        if partners:
            return tuple(players[0::2]), tuple(players[1::2])
        return tuple((player,) for player in players)

    def limited_totals(
        self, totals: Counter[str], players: Sequence[str], partners: bool, start: Start = NEW_TABLE
    ) -> dict[tuple[str, ...], int]:
        """Return the total in the whole game of each group that can end it.

        `totals` are those of `players` since `start`. The text speaks of somebody's total
        (誰かの累計), so a total is a person's: who takes over a seat begins at 0, who comes back
        goes on from the own total, and that of who has left stays as it was. A pair's total is
        what both seats have won, whoever sat there.

        >>> import scoring
        >>> game = scoring.choose(scoring.get_rule_set("gong-zhu")).game
        >>> left = scoring.Start(2, totals={"A": -900, "B": 50})
        >>> game.limited_totals(Counter(B=-200, C=10), "BC", partners=False, start=left)
        {('A',): -900, ('B',): -150, ('C',): 10}
        """
        if self.ends_by_pairs(partners):
            pairs = zip(self.sides(players, partners), start.team_totals, strict=True)
            return {pair: before + sum(totals[each] for each in pair) for pair, before in pairs}
        everybody = dict.fromkeys((*start.totals, *players))
        return {(each,): start.totals.get(each, 0) + totals[each] for each in everybody}

    def is_over(
        self, totals: Counter[str], players: Sequence[str], partners: bool, start: Start = NEW_TABLE
    ) -> bool:
        """Return whether the total of a player, or of a pair if pairs are limited, ended the game.

        Arguments as for `limited_totals`.
        """
        in_game = self.limited_totals(totals, players, partners, start)
        return any(total <= self.limit for total in in_game.values())

    def score_round(self, facts: Captures, players: Sequence[str]) -> RoundScore:
        """Return the lines and points of every player."""
        all_hearts = self.hearts(len(players))
        lines: list[Line] = []
        points: dict[str, int] = {}
        for player in players:
            cards = facts.captured.get(player, frozenset())
            player_lines = self.player_lines(
                player, cards, facts.exposed, has_all_hearts=cards >= all_hearts
            )
            points[player] = sum(line.points for line in player_lines)
            lines += player_lines
        return RoundScore(points, complete=True, lines=tuple(lines))

    def player_lines(
        self, player: str, cards: frozenset[str], exposed: frozenset[str], has_all_hearts: bool
    ) -> list[Line]:
        """Return a player's lines: hearts, pig (♠Q), sheep (♦J), and the effect of the ♣10.

        `cards` are those that the player took, `exposed` those that any player exposed.
        """
        lines = self._heart_lines(player, cards, exposed, has_all_hearts)
        hearts = sum(line.points for line in lines)
        if PIG in cards:
            turns = has_all_hearts and self._turns_pig(cards)
            pig = self.rules.points["pig"] * (-1 if turns else 1)
            lines.append(self._line("pig_turned" if turns else "pig", pig, player))
            if PIG in exposed:
                lines.append(self._line("pig_exposed", pig, player))
        if SHEEP in cards:
            lines.append(self.rules.line("sheep", player=player))
            if SHEEP in exposed:
                lines.append(self._line("sheep_exposed", self.rules.points["sheep"], player))
        if TEN in cards:
            total = sum(line.points for line in lines)
            lines += self._ten_lines(
                player,
                cards,
                exposed,
                all_hearts=hearts if has_all_hearts else 0,
                total=total,
            )
        return lines

    def _turns_pig(self, cards: frozenset[str]) -> bool:
        """Return whether the pig counts positive for a player with all the hearts."""
        return cards >= {SHEEP, TEN} or not self.rules.options["pig_turns_with_all_cards"]

    def _heart_lines(
        self, player: str, cards: frozenset[str], exposed: frozenset[str], has_all_hearts: bool
    ) -> list[Line]:
        """Return the line of the hearts, and a second one that doubles it if the ace is exposed.

        Returns no lines if the hearts bring no points.
        """
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
        """Return the lines of the ♣10: it doubles the total, or quadruples it if exposed.

        `total` are the player's points without the ten. `all_hearts` are the points among them for
        all the hearts, or 0. With the option `all_hearts_with_ten_300` the ten adds only half of
        `all_hearts` (003, note 1: ハートの全点数は200点の2倍でなく300点になる).
        """
        if cards == {TEN}:
            added = self.rules.points["ten_alone"]
            lines = [self.rules.line("ten_alone", player=player)]
            added_if_exposed = added
        else:
            halved = all_hearts if self.rules.options["all_hearts_with_ten_300"] else 0
            added = total - halved + halved // 2
            added_if_exposed = 2 * (total - halved) + 3 * halved // 2
            lines = [self._line("ten_doubles", added, player)] if added else []
        if TEN in exposed and added_if_exposed:
            lines.append(self._line("ten_exposed", added_if_exposed, player))
        return lines

    def _line(self, item: str, points: int, player: str) -> Line:
        """Return a player's line with points that may differ from those of the item's rule."""
        return Line(item, points, self.rules.by_item[item].source, player=player)

    def team_totals(
        self, scores: Sequence[RoundScore], players: Sequence[str], partners: bool
    ) -> tuple[int, int] | None:
        """Return the totals of seats 1 and 3, and of seats 2 and 4; None without partners."""
        if not partners:
            return None
        one, other = (
            sum(score.points[player] for score in scores for player in side)
            for side in self.sides(players, partners)
        )
        return one, other

    def side_of(
        self, player: str, facts: Captures, players: Sequence[str], partners: bool = False
    ) -> Side:
        """Return the player's pair, or that the player plays alone.

        >>> import scoring
        >>> game = scoring.choose(scoring.get_rule_set("gong-zhu")).game
        >>> game.side_of("C", None, "ABCD", partners=True), game.side_of("C", None, "ABCD").role
        (Side(role='team', players=('A', 'C')), 'alone')
        """
        side = next(side for side in self.sides(players, partners) if player in side)
        return Side("team" if partners else "alone", side)

    def own_lines(
        self, player: str, facts: Captures, lines: Sequence[Line], players: Sequence[str]
    ) -> tuple[Line, ...]:
        """Return the lines of the cards that the player took."""
        return tuple(line for line in lines if line.player == player)

    def advice(
        self,
        rounds: Sequence[Captures],
        players: Sequence[str],
        planned_rounds: int | None,
        partners: bool = False,
        start: Start = NEW_TABLE,
    ) -> tuple[Advice, ...]:
        """Return the advice on who leads the next deal, or that the game or sitting is over."""
        totals = self._totals(rounds, players)
        if self.is_over(totals, players, partners, start):
            return (_game_over(self.limited_totals(totals, players, partners, start)),)
        if planned_rounds is not None and start.rounds + len(rounds) >= planned_rounds:
            return (
                Advice(
                    "finished",
                    _("All deals have been played ({planned})."),
                    values={"planned": planned_rounds},
                ),
            )
        leader = self.leader(rounds) if rounds else start.opener
        if leader is None:
            return self.rules.advice("two_of_spades_leads")
        return self.rules.advice("leads", {"leader": leader})

    def next_start(
        self,
        rounds: Sequence[Captures],
        players: Sequence[str],
        next_players: Sequence[str],
        start: Start = NEW_TABLE,
        partners: bool = False,
    ) -> Start:
        """Return how other players go on: who took the pig leads, unless that player has left."""
        leader = self.leader(rounds) if rounds else start.opener
        totals = self._totals(rounds, players)
        sides = self.sides(players, partners) if partners else ((), ())
        one, other = (
            before + sum(totals[player] for player in side)
            for before, side in zip(start.team_totals, sides, strict=True)
        )
        in_game = dict(start.totals)
        for player in players:
            in_game[player] = in_game.get(player, 0) + totals[player]
        return Start(
            start.rounds + len(rounds),
            leader if leader in next_players else None,
            in_game,
            (one, other),
        )

    def _totals(self, rounds: Sequence[Captures], players: Sequence[str]) -> Counter[str]:
        totals: Counter[str] = Counter()
        for facts in rounds:
            totals.update(self.score_round(facts, players).points)
        return totals

    def leader(self, rounds: Sequence[Captures]) -> str | None:
        """Return who leads the next deal: the player who took the pig; None in the first deal."""
        if not rounds:
            return None
        return next(player for player, cards in rounds[-1].captured.items() if PIG in cards)


def _game_over(totals: Mapping[tuple[str, ...], int]) -> Advice:
    """Return the advice that the game is over, naming the player or pair with the worst total.

    `totals` are those of the players or pairs whose total can end the game.
    """
    losers = min(totals, key=lambda group: totals[group])
    points = {"points": totals[losers]}
    if len(losers) == 1:
        sentence = _("{loser} has {points} points: the game is over.")
        return Advice("game_over", sentence, {"loser": losers[0]}, points)
    sentence = _("{first} and {second} have {points} points together: the game is over.")
    first, second = losers
    return Advice("game_over", sentence, {"first": first, "second": second}, points)
