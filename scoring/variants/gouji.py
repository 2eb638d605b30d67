"""Gouji (够级) for six in two teams, scored by finishing order (source 004)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from scoring.game import NEW_TABLE, Advice, Game, Line, RoundScore, Side, Start
from scoring.problems import Problems
from scoring.rules import Custom, Rule, Rules, RuleSet, Ruling
from scoring.seats import to_the_right
from scoring.sources import Text
from scoring.translation import gettext_noop as _

TEXT = Text("004", "ゴウジー(够级)", "赤桐", 2009)

ROUND_KEYS = frozenset({"finish", "teams"})
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")

RULES = (
    Rule("first", +4, _("First out"), TEXT.at("1位 | プラス4点")),
    Rule("second", +2, _("Second out"), TEXT.at("2位 | プラス2点")),
    Rule("third", 0, _("Third out"), TEXT.at("3位 | 0点")),
    Rule("fourth", 0, _("Fourth out"), TEXT.at("4位 | 0点")),
    Rule("fifth", -2, _("Fifth out"), TEXT.at("5位 | マイナス2点")),
    Rule("sixth", -4, _("Last"), TEXT.at("6位 | マイナス4点")),
)

CUSTOMS = (
    Custom(
        "shuffle",
        _("{first} and {second} shuffle."),
        TEXT.at("前回のプレイで1位と2位になったプレイヤーがシャッフルします"),
        meaning=_("Those who went out first and second shuffle."),
    ),
    Custom(
        "exchange",
        _("{giver} gives {taker} the strongest cards ({cards}) and gets as many back."),
        TEXT.at(
            "前回6位のプレイヤーは1位のプレイヤーに最も強い2枚のカードを誰にも見せないで渡します"
        ),
        meaning=_(
            "Place 6 exchanges two cards with place 1, and place 5 one with place 2; after a "
            "sweep, players sitting opposite each other exchange one."
        ),
    ),
    Custom(
        "exchange_in_team",
        _("{giver} and {taker} are on the same team: they may agree not to exchange."),
        TEXT.at(
            "同じチームどうしで交換を行うことになった場合は、"
            "話し合いで、交換を行わないことにしてもかまいません"
        ),
        meaning=_("Two team-mates who would exchange may agree not to."),
    ),
    Custom(
        "exchanges_swapped",
        _(
            "{fifth} and {sixth} are on the same team: they may agree that {fifth} exchanges two "
            "cards with {first}, and {sixth} one with {second}."
        ),
        TEXT.at(
            "5位のプレイヤーが1位のプレイヤーと2枚交換し"
            "6位のプレイヤーが2位のプレイヤーと1枚交換することにしてもかまいません"
        ),
        meaning=_("Places 5 and 6, if on the same team, may agree to swap their exchanges."),
    ),
    Custom(
        "plays_first",
        _("{first} plays first."),
        TEXT.at("前回のプレイで6位のプレイヤーが最初にプレイを行うプレイヤーとなります"),
        meaning=_("The player who went out last plays first."),
    ),
    Custom(
        "starting_card",
        _("A starting card is drawn to decide who takes the first card."),
        TEXT.at("カードの数字と同じ所にあるプレイヤーが最初にカードを取るプレイヤーになります"),
        meaning=_(
            "In the first deal and after a sweep, a starting card is drawn to decide who takes "
            "the first card."
        ),
    ),
    Custom(
        "starting_card_unless",
        _("After a revolution, or when teams have changed, a starting card is drawn instead."),
        TEXT.at("革命の後や、前回のプレイで上位3人が同じチームであったときや"),
    ),
)

RULINGS = (
    Ruling(
        _("Each player is credited with the team’s score."),
        TEXT.at("各チームはプレイヤーの順位により次の点数を合計して得点します"),
    ),
    Ruling(
        _("If players change teams, each deal counts for the teams that played it."),
        TEXT.at("チームのメンバーが入れ替わったあとのディールでは"),
    ),
    Ruling(
        _("The number of deals is agreed, or left open."),
        TEXT.at("いつゲームを終えるかというルールは特にないようです"),
    ),
)

Teams = tuple[tuple[str, ...], tuple[str, ...]]


class Finish(NamedTuple):
    """The facts of a deal: the players in the order they went out, and the two teams."""

    order: tuple[str, ...]
    teams: Teams

    def are_one_team(self, *players: str) -> bool:
        return any(set(players) <= set(team) for team in self.teams)


class CardExchange(NamedTuple):
    """An exchange before a deal: the giver's strongest cards for as many cards of the taker."""

    giver: str
    taker: str
    cards: int


class GoujiGame(Game):
    """Gouji under chosen rules. Every line belongs to a team; its players get the team's points."""

    kind: Literal["finish"] = "finish"

    def __init__(self, rules: Rules) -> None:
        """Lines are cached: there are twelve, six places for each team."""
        self.rules = rules
        self._line = cache(rules.line)

    def read_round(
        self, problems: Problems, at: str, data: Any, players: Sequence[str]
    ) -> Finish | None:
        """Return None after adding problems."""
        count_before = problems.count
        if not problems.check_object(at, data, ROUND_KEYS):
            return None
        order = self._read_finish(problems, at, data, players)
        teams = self._read_teams(problems, at, data, players)
        return None if problems.count > count_before else Finish(order, teams)

    def _read_finish(
        self, problems: Problems, at: str, data: Mapping[str, Any], players: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the players in the order they went out, after adding problems.

        Returns an empty tuple if the list is missing or has an item that is no player.
        """
        if not problems.check_key(at, data, "finish"):
            return ()
        finish, at_finish = data["finish"], f"{at}.finish"
        if not problems.check_players(at_finish, finish, players):
            return ()
        if len(finish) != len(PLACES) or len(set(finish)) != len(finish):
            problems.add(
                at_finish,
                "finish",
                _("Enter all six players in the order they went out, each once."),
            )
        return tuple(finish)

    def _read_teams(
        self, problems: Problems, at: str, data: Mapping[str, Any], players: Sequence[str]
    ) -> Teams:
        """Return the two teams, by default every other seat; empty teams after adding a problem."""
        if "teams" not in data:
            return tuple(players[::2]), tuple(players[1::2])
        teams, at_teams = data["teams"], f"{at}.teams"
        if not problems.check_list(at_teams, teams):
            return (), ()
        # Every team is checked, so that all problems are added.
        are_players = [
            problems.check_players(f"{at_teams}[{i}]", team, players)
            for i, team in enumerate(teams)
        ]
        if not all(are_players):
            return (), ()
        if [len(team) for team in teams] != [3, 3] or sorted(teams[0] + teams[1]) != sorted(
            players
        ):
            problems.add(
                at_teams, "teams", _("Enter two teams of three, every player in one of them.")
            )
            return (), ()
        return tuple(teams[0]), tuple(teams[1])

    def canonical_facts(
        self,
        facts: Finish,
        earlier_rounds: Sequence[Finish],
        players: Sequence[str],
        planned_rounds: int | None,
        start: Start = NEW_TABLE,
    ) -> dict[str, Any]:
        """Return the canonical form: teams in seat order, or no teams if they are the default."""
        teams = [sorted(team, key=players.index) for team in facts.teams]
        every_other_seat = [list(players[::2]), list(players[1::2])]
        return {"finish": list(facts.order)} | (
            {} if teams == every_other_seat else {"teams": teams}
        )

    def check_rounds(
        self,
        problems: Problems,
        rounds: Sequence[Finish | None],
        players: Sequence[str],
        partners: bool,
        start: Start = NEW_TABLE,
    ) -> None:
        """Add no problems: deals are independent of each other."""

    def score_round(self, facts: Finish, players: Sequence[str]) -> RoundScore:
        """Return both teams' lines; each player is credited with the team's score."""
        lines = self.lines(facts)
        teams = (
            sum(line.points for line in lines if line.team == 1),
            sum(line.points for line in lines if line.team == 2),
        )
        points = {player: teams[1 if player in facts.teams[1] else 0] for player in players}
        return RoundScore(points, complete=True, lines=lines, teams=teams)

    def lines(self, facts: Finish) -> tuple[Line, ...]:
        """Return a line for every place, with the team of the player who took it."""
        return tuple(
            self._line(place, team=2 if player in facts.teams[1] else 1)
            for place, player in zip(PLACES, facts.order, strict=True)
        )

    def team_totals(
        self, scores: Sequence[RoundScore], players: Sequence[str], partners: bool
    ) -> tuple[int, int]:
        """Return the totals of team 1 and of team 2, whoever plays in them in each deal."""
        teams = [score.teams for score in scores if score.teams]
        return sum(team[0] for team in teams), sum(team[1] for team in teams)

    def sums_to_zero(self, player_count: int) -> bool:
        """Return whether the points of all places, each of which one player gets, sum to 0."""
        return not sum(self.rules.points.values())

    def side_of(
        self, player: str, facts: Finish, players: Sequence[str], partners: bool = False
    ) -> Side:
        """Return the player's team in this deal.

        >>> import scoring
        >>> game = scoring.choose(scoring.get_rule_set("gouji")).game
        >>> facts = Finish(tuple("ABCDEF"), (tuple("ABC"), tuple("DEF")))
        >>> game.side_of("C", facts, "ABCDEF"), game.lineup(facts, "ABCDEF")[1]
        (Side(role='team', players=('A', 'B', 'C')), ('D', 'E', 'F'))
        """
        return Side("team", facts.teams[player in facts.teams[1]])

    def lineup(self, facts: Finish, players: Sequence[str]) -> Teams:
        return facts.teams

    def own_lines(
        self, player: str, facts: Finish, lines: Sequence[Line], players: Sequence[str]
    ) -> tuple[Line, ...]:
        team = 2 if player in facts.teams[1] else 1
        return tuple(line for line in lines if line.team == team)

    def is_sweep(self, facts: Finish) -> bool:
        """Return whether one team took the first three places (a sweep)."""
        return facts.are_one_team(*facts.order[:3])

    def first_player(self, rounds: Sequence[Finish]) -> str | None:
        """Return who leads the next deal: the player who went out last.

        None in the first deal and after a sweep, when a drawn card decides.
        """
        if not rounds or self.is_sweep(rounds[-1]):
            return None
        return rounds[-1].order[-1]

    def exchanges(self, facts: Finish, players: Sequence[str]) -> tuple[CardExchange, ...]:
        """Return the exchanges of cards before the next deal.

        The player who went out last gives two cards to the first one, the fifth player one card to
        the second. After a sweep, opponents who sit opposite each other exchange one card.

        >>> import scoring
        >>> game = scoring.choose(scoring.get_rule_set("gouji")).game
        >>> game.exchanges(Finish(tuple("ABCDEF"), (tuple("ACE"), tuple("BDF"))), "ABCDEF")[1]
        CardExchange(giver='E', taker='B', cards=1)
        """
        order = facts.order
        if not self.is_sweep(facts):
            return CardExchange(order[5], order[0], 2), CardExchange(order[4], order[1], 1)
        opposite = [(to_the_right(players, taker, steps=3), taker) for taker in order[:3]]
        return tuple(
            CardExchange(giver, taker, 1) for giver, taker in opposite if giver in order[3:]
        )

    def advice(
        self,
        rounds: Sequence[Finish],
        players: Sequence[str],
        planned_rounds: int | None,
        partners: bool = False,
        start: Start = NEW_TABLE,
    ) -> tuple[Advice, ...]:
        """Return the advice on who shuffles, who exchanges how many cards, and who plays first.

        After a revolution or a change of teams a card is drawn (004: 革命の後や、…
        チームのメンバーが入れ替わったあと). Records contain neither, so the advice mentions both.
        """
        if planned_rounds is not None and start.rounds + len(rounds) >= planned_rounds:
            return (
                Advice(
                    "finished",
                    _("All deals have been played ({planned})."),
                    values={"planned": planned_rounds},
                ),
            )
        if not rounds:
            return self.rules.advice("starting_card")
        return (
            *self._exchange_advice(rounds[-1], players),
            *self._first_player_advice(self.first_player(rounds)),
        )

    def _first_player_advice(self, first: str | None) -> tuple[Advice, ...]:
        """Return who plays first; if a sweep leaves that open (None), how it is found."""
        if first is None:
            return self.rules.advice("starting_card")
        return (
            *self.rules.advice("plays_first", {"first": first}),
            *self.rules.advice("starting_card_unless"),
        )

    def next_start(
        self,
        rounds: Sequence[Finish],
        players: Sequence[str],
        next_players: Sequence[str],
        start: Start = NEW_TABLE,
        partners: bool = False,
    ) -> Start:
        """Return how others go on: with a drawn card (004: チームのメンバーが入れ替わったあと)."""
        return Start(start.rounds + len(rounds))

    def _exchange_advice(self, facts: Finish, players: Sequence[str]) -> Iterator[Advice]:
        """Yield the advice on who shuffles after this deal, and who exchanges how many cards."""
        places = dict(zip(PLACES, facts.order, strict=True))
        yield from self.rules.advice(
            "shuffle", {place: places[place] for place in ("first", "second")}
        )
        for giver, taker, cards in self.exchanges(facts, players):
            pair = {"giver": giver, "taker": taker}
            yield from self.rules.advice("exchange", pair, cards=cards)
            if facts.are_one_team(giver, taker):
                yield from self.rules.advice("exchange_in_team", pair)
        if not self.is_sweep(facts) and facts.are_one_team(places["fifth"], places["sixth"]):
            named = ("first", "second", "fifth", "sixth")
            yield from self.rules.advice(
                "exchanges_swapped", {place: places[place] for place in named}
            )


RULE_SET = RuleSet(
    slug="gouji",
    title=_("Gouji"),
    about=_("Two teams of three: what counts is who gets rid of all their cards first."),
    in_short=_("Two teams of three: the first to get rid of their cards win points."),
    edition="1",
    texts=(TEXT,),
    players=(6,),
    unit="ディール",
    rounds=None,
    options=(),
    rules=RULES,
    game=GoujiGame,
    customs=CUSTOMS,
    rulings=RULINGS,
)
