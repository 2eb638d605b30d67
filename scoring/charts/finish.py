"""The chart of Gouji: places, the twenty combinations of a team's places, the next deal."""

from collections.abc import Collection
from itertools import combinations

from scoring.charts.parts import Cell, Heading, Label, Row, Section
from scoring.game import Advice
from scoring.translation import gettext_noop as _
from scoring.variants.gouji import PLACES, Finish, GoujiGame

# In the chart's facts each player is named by their place.
PLAYERS = ("1", "2", "3", "4", "5", "6")


def gouji_chart(game: GoujiGame) -> tuple[Section, ...]:
    """Return the sections `places`, `teams`, `next`, `sweep` and `agreements`."""
    return (
        _places_section(game),
        _teams_section(game),
        _next_deal_section(game),
        _sweep_section(game),
        _agreements_section(game),
    )


def finish_with_team(places: Collection[str]) -> Finish:
    """Return the facts of a deal in which the players of team 1 take these places.

    >>> finish_with_team("145").teams
    (('1', '4', '5'), ('2', '3', '6'))
    """
    other_team = tuple(player for player in PLAYERS if player not in places)
    return Finish(PLAYERS, (tuple(places), other_team))


def _places_section(game: GoujiGame) -> Section:
    """All places are in one row."""
    lines = game.lines(finish_with_team("135"))
    return Section(
        "places",
        Label(_("Each place’s points")),
        tuple(Heading(Label(game.rules.by_item[place].meaning)) for place in PLACES),
        (Row((), tuple(Cell(line.points) for line in lines)),),
    )


def _teams_section(game: GoujiGame) -> Section:
    """Return both teams' points in ten rows: place 1 with each pair of other places for its team.

    A row has a heading for each place, whose group tells the team: ``one`` is the team with place
    1, ``other`` the team with the remaining places.
    """
    return Section(
        "teams",
        Label(_("A team’s points")),
        (
            Heading(Label(_("The team with place 1")), group="one"),
            Heading(Label(_("The other team")), group="other"),
        ),
        tuple(_team_row(game, ("1", *others)) for others in combinations(PLAYERS[1:], 2)),
    )


def _team_row(game: GoujiGame, team: tuple[str, ...]) -> Row:
    """Return a row with the points of the team that takes these places, and of the other team."""
    facts = finish_with_team(team)
    points = game.score_round(facts, PLAYERS).points
    headings = tuple(
        Heading(Label(player), group="one" if player in team else "other") for player in PLAYERS
    )
    return Row(headings, tuple(Cell(points[members[0]], facts) for members in facts.teams))


def _next_deal_section(game: GoujiGame) -> Section:
    """Return the advice after a deal that is no sweep: shuffling, exchanges, who plays first."""
    advice = game.advice((finish_with_team("135"),), PLAYERS, planned_rounds=None)
    return Section("next", Label(_("The next deal")), notes=tuple(map(_label_by_place, advice)))


def _agreements_section(game: GoujiGame) -> Section:
    """Return what players on one team may agree on before they exchange cards."""
    codes = ("exchange_in_team", "exchanges_swapped")
    notes = tuple(Label(game.rules.customs[code].stated) for code in codes)
    return Section("agreements", Label(_("Exchanges within a team")), notes=notes)


def _label_by_place(advice: Advice) -> Label:
    """Return the sentence of an advice, in which players are named by their places."""
    players = {
        name: Label(_("place {number}"), {"number": player})
        for name, player in advice.players.items()
    }
    return Label(advice.template, {**players, **advice.values})


def _sweep_section(game: GoujiGame) -> Section:
    """Return how cards are exchanged and who plays first after a sweep (places 1, 2 and 3)."""
    sweep = finish_with_team("123")
    (cards,) = {exchange.cards for exchange in game.exchanges(sweep, PLAYERS)}  # one number
    sentence = _(
        "Each gives the player opposite the strongest cards ({cards}) and gets as many back."
    )
    # The last advice says who plays first: whoever holds a card that is drawn.
    starting_card = game.advice((sweep,), PLAYERS, planned_rounds=None)[-1]
    return Section(
        "sweep",
        Label(_("When one team takes the first three places")),
        notes=(Label(sentence, {"cards": cards}), _label_by_place(starting_card)),
    )
