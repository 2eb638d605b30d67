"""The chart of Gong Zhu: each card, all the hearts, examples, notes."""

from collections.abc import Collection, Sequence
from itertools import groupby, product
from typing import NamedTuple

from scoring.charts.parts import SUIT_SIGNS, Cell, Heading, Label, Row, Section
from scoring.translation import gettext_noop as _
from scoring.variants.gong_zhu import (
    ACE_OF_HEARTS,
    HEART_RULES,
    HEARTS,
    PIG,
    SHEEP,
    TEN,
    GongZhuGame,
)

# A card from one player's view: taken by somebody else, taken, or taken after it was exposed
# (shown by its holder before play, which doubles its points).
NOT_TAKEN, TAKEN, TAKEN_EXPOSED = "not taken", "taken", "exposed"
STATES = (NOT_TAKEN, TAKEN, TAKEN_EXPOSED)

# Examples: the cards that one player took, and which of these cards were exposed before play.
EXAMPLES = (
    (("SQ", "HK", "HQ"), ()),
    (("SQ", "DJ", "C10"), ()),
    (("DJ", "H10", "H9"), ("DJ",)),
    (("HA", "HJ", "C10"), ("HA",)),
    (("C10", "H4", "H2"), ("C10",)),
)


class TakenCards(NamedTuple):
    """The cards that one player took, and all cards that were exposed before play by any player."""

    cards: frozenset[str]
    exposed: frozenset[str]


def card_sign(card: str) -> str:
    """Return a card as it is printed.

    >>> card_sign("H10")
    '♥10'
    """
    return SUIT_SIGNS[card[0]] + card[1:]


def gong_zhu_chart(game: GongZhuGame) -> tuple[Section, ...]:
    """Return the sections `cards`, `all_hearts`, `examples` and `notes`."""
    return (
        _cards_section(game),
        _all_hearts_section(game),
        _examples_section(game),
        _notes_section(game),
    )


def points_cell(game: GongZhuGame, taken: TakenCards) -> Cell:
    lines = game.player_lines(
        "", taken.cards, taken.exposed, has_all_hearts=taken.cards >= set(HEARTS)
    )
    return Cell(sum(line.points for line in lines), facts=taken)


def _taken_cards(
    states: dict[str, str], cards: Collection[str] = (), exposed_card: str = ""
) -> TakenCards:
    """Return what a player took: `cards`, and each card of `states` that is not `NOT_TAKEN`.

    `states` has one of `STATES` by card. `exposed_card`, unless empty, was exposed before play by
    any player.
    """
    taken = {card for card, state in states.items() if state != NOT_TAKEN}
    exposed = {card for card, state in states.items() if state == TAKEN_EXPOSED}
    return TakenCards(frozenset(cards) | taken, frozenset(exposed | ({exposed_card} - {""})))


def _columns_by_ten_and_exposure() -> tuple[Heading, ...]:
    """Return three columns for a card that was not exposed (`hidden`), and three if it was.

    The three are without ♣10, with ♣10, and with ♣10 exposed.
    """
    names = (_("without ♣10"), _("with ♣10"), _("with ♣10 exposed"))
    return tuple(
        Heading(Label(name), group=group) for group in ("hidden", "exposed") for name in names
    )


def _six_cells(
    game: GongZhuGame, cards: Collection[str], exposed_card: str, other_states: dict[str, str]
) -> tuple[Cell, ...]:
    """Return a cell for each of `_columns_by_ten_and_exposure`, for a player who took `cards`.

    `exposed_card` is exposed in the last three columns. `other_states` are the states of further
    cards, one of `STATES` by card.
    """
    return tuple(
        points_cell(game, _taken_cards(other_states | {TEN: ten}, cards, exposed_card=exposed))
        for exposed, ten in product(("", exposed_card), STATES)
    )


def _cards_section(game: GongZhuGame) -> Section:
    """Without and with the ♣10."""
    rules = game.rules.by_item
    rows = [
        _card_row(game, rules["pig"].meaning, (PIG,), exposed_card=PIG),
        _card_row(game, rules["sheep"].meaning, (SHEEP,), exposed_card=SHEEP),
    ]
    for item, cards in groupby(HEARTS, HEART_RULES.get):
        name = rules[item].meaning if item else _("Each heart from 4 to 2")
        rows.append(_card_row(game, name, tuple(cards), exposed_card=ACE_OF_HEARTS))
    ten_cells = (points_cell(game, _taken_cards({TEN: state})) for state in (TAKEN, TAKEN_EXPOSED))
    ten_heading = Heading(Label(rules["ten_alone"].meaning), note=_signs((TEN,)))
    # The columns “with ♣10” and “with ♣10 exposed”; there is no other card to be exposed.
    rows.append(Row((ten_heading,), (None, *ten_cells, None, None, None)))
    return Section(
        "cards", Label(_("Each card’s points")), _columns_by_ten_and_exposure(), tuple(rows)
    )


def _card_row(game: GongZhuGame, name: str, cards: Sequence[str], exposed_card: str) -> Row:
    """Return a row for cards of equal value, of which the first is scored as an example."""
    heading = Heading(Label(name), note=_signs(cards))
    return Row((heading,), _six_cells(game, cards[:1], exposed_card, other_states={}))


def _signs(cards: Sequence[str]) -> Label:
    """Return cards of one suit for printing, such as ♥10 9 8."""
    return Label(" ".join([card_sign(cards[0]), *(card[1:] for card in cards[1:])]))


def _all_hearts_section(game: GongZhuGame) -> Section:
    """Return the points of a player with all the hearts, by the states of pig and sheep."""
    return Section(
        "all_hearts",
        Label(_("One player takes all the hearts")),
        _columns_by_ten_and_exposure(),
        tuple(
            Row(
                (_state_heading(PIG, pig), _state_heading(SHEEP, sheep)),
                _six_cells(game, HEARTS, ACE_OF_HEARTS, other_states={PIG: pig, SHEEP: sheep}),
            )
            for pig, sheep in product(STATES, repeat=2)
        ),
    )


def _state_heading(card: str, state: str) -> Heading:
    """Return the heading of a card in one of `STATES`: a dash if the card was not taken."""
    templates = {NOT_TAKEN: "–", TAKEN: "{card}", TAKEN_EXPOSED: _("{card} exposed")}
    return Heading(Label(templates[state], {"card": card_sign(card)}), group=state)


def _examples_section(game: GongZhuGame) -> Section:
    rows = []
    for cards, exposed in EXAMPLES:
        taken_heading = Heading(Label(" ".join(map(card_sign, cards))))
        exposed_label = Label(_("{card} exposed"), {"card": " ".join(map(card_sign, exposed))})
        headings = (taken_heading, Heading(exposed_label)) if exposed else (taken_heading,)
        taken = TakenCards(frozenset(cards), frozenset(exposed))
        rows.append(Row(headings, (points_cell(game, taken),)))
    return Section("examples", Label(_("Examples")), rows=tuple(rows))


def _notes_section(game: GongZhuGame) -> Section:
    """Return sentences on exposed cards, the lead, the end of the game and partnerships."""
    limit = {"points": game.limit}
    notes = [
        Label(_("♥A exposed doubles every heart, whoever takes it.")),
        *(Label(game.rules.customs[code].stated) for code in ("two_of_spades_leads", "leads")),
        Label(_("The game ends when somebody’s total reaches {points} or less."), limit),
        Label(
            _(
                "Partners sit opposite each other and add up their points; doubling and all "
                "hearts count per player."
            )
        ),
    ]
    if game.ends_by_pairs(partners=True):
        notes.append(
            Label(_("In partnerships it ends when a pair’s total reaches {points} or less."), limit)
        )
    notes.append(
        Label(_("Five play without ♥2 and ♣2."))
        if "H2" not in game.scoring_cards(5)
        else Label(_("Five play without ♦2 and ♣2."))
    )
    return Section("notes", Label(_("Notes")), notes=tuple(notes))
