"""Gouji's chart: the places, the twenty sets of places a team can take, what comes next."""

from collections.abc import Collection
from itertools import combinations

from scoring.charts.parts import Cell, Heading, Label, Row, Section
from scoring.rules import Advice
from scoring.translation import gettext_noop as _
from scoring.variants.gouji import PLACES, Finish, GoujiGame

# In a chart a player is called by the place they take.
PLAYERS = ("1", "2", "3", "4", "5", "6")


def gouji_chart(game: GoujiGame) -> tuple[Section, ...]:
    """Return Gouji's chart: points by place, by a team's three places, and the next deal."""
    return (_places(game), _teams(game), _next_deal(game), _after_a_sweep(game))


def finish_of(team: Collection[str]) -> Finish:
    """Return the deal in which one team takes these places and the other takes the rest.

    >>> finish_of("145").teams
    (('1', '4', '5'), ('2', '3', '6'))
    """
    other = tuple(player for player in PLAYERS if player not in team)
    return Finish(PLAYERS, (tuple(team), other))


def _places(game: GoujiGame) -> Section:
    lines = game.lines(finish_of("135"))
    return Section(
        "places",
        Label(_("Each place’s points")),
        tuple(Heading(Label(game.rules.by_item[place].meaning)) for place in PLACES),
        (Row((), tuple(Cell(line.points) for line in lines)),),
    )


def _teams(game: GoujiGame) -> Section:
    """Return both teams' points by the places of the team that went out first: ten rows.

    A row has a heading for each place, of group ``one`` (that team) or ``other``; the other team's
    ten sets of places are the ones left over.
    """
    return Section(
        "teams",
        Label(_("A team’s points")),
        (
            Heading(Label(_("The team with place 1")), None, "one"),
            Heading(Label(_("The other team")), None, "other"),
        ),
        tuple(_team_row(game, ("1", *rest)) for rest in combinations(PLAYERS[1:], 2)),
    )


def _team_row(game: GoujiGame, team: tuple[str, ...]) -> Row:
    facts = finish_of(team)
    teams = game.score_round(facts, PLAYERS).teams or (0, 0)
    headings = tuple(
        Heading(Label(player), None, "one" if player in team else "other") for player in PLAYERS
    )
    return Row(headings, tuple(Cell(points, facts) for points in teams))


def _next_deal(game: GoujiGame) -> Section:
    """Return who shuffles, who exchanges what and who plays first, as the game itself advises."""
    advice = game.advice((finish_of("135"),), PLAYERS, None)
    return Section("next", Label(_("The next deal")), notes=tuple(map(_by_place, advice)))


def _by_place(advice: Advice) -> Label:
    """Return an advice with the players called by their places."""
    players = {
        name: Label(_("place {number}"), {"number": player})
        for name, player in advice.players.items()
    }
    return Label(advice.template, {**players, **advice.values})


def _after_a_sweep(game: GoujiGame) -> Section:
    """Return what is different when the first three out are one team."""
    sweep = finish_of("123")
    cards = {cards for _giver, _taker, cards in game.exchanges(sweep, PLAYERS)}
    exchange = _("The strongest {cards} of each goes to the player opposite, who returns as many.")
    draw = game.advice((sweep,), PLAYERS, None)[-1]
    return Section(
        "sweep",
        Label(_("When one team takes the first three places")),
        notes=(Label(exchange, {"cards": max(cards)}), _by_place(draw)),
    )
