"""The chart of a face-card game: targets, whole rounds, points per deal, examples, notes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from scoring.charts.parts import Cell, Heading, Label, Row, Section
from scoring.kankei import FACE_CARDS, ITEM_NAMES, LAST_DEAL, Deal, KankeiGame, Verdict
from scoring.seats import DEALER_SITS_OUT_AT
from scoring.translation import gettext_noop as _

# How each outcome of a deal comes about, in the order of the chart: deals won by the kankei first.
OUTCOMES = {
    "won": _("The kankei reach their number of face cards"),
    "skunk": _("… before the mukankei take a single one"),
    "juroku": _("Declared after a skunk, and all 16 taken"),
    "called_skunk": _("Kankei call a skunk in the first trick, and make it"),
    "called_juroku": _("Kankei call all 16 in the first trick, and take them"),
    "reverse_juroku_missed": _("The mukankei declare it, and lose a face card"),
    "called_reverse_skunk_missed": _("Mukankei call a skunk, and lose a face card"),
    "called_reverse_juroku_missed": _("Mukankei call all 16, and lose a face card"),
    "lost": _("The mukankei reach their number of face cards"),
    "juroku_missed": _("The kankei declare it, and lose a face card"),
    "called_skunk_missed": _("Kankei call a skunk, and lose a face card"),
    "called_juroku_missed": _("Kankei call all 16, and lose a face card"),
    "reverse_skunk": _("The mukankei win before the kankei take a single one"),
    "reverse_juroku": _("Declared after a reverse skunk, and all 16 taken"),
    "called_reverse_skunk": _("Mukankei call a skunk in the first trick, and make it"),
    "called_reverse_juroku": _("Mukankei call all 16 in the first trick, and take them"),
}

# An outcome has the name of its item; two outcomes have no item of their own.
NAMES = ITEM_NAMES | {"won": _("Won"), "lost": _("Lost")}

DEALS = range(1, LAST_DEAL + 1)

# The most ways to reach deal 3 with which the table of whole rounds fits on a page.
MOST_WAYS = 8

# Example rounds, those of the sources first; a game omits those with outcomes it does not have.
EXAMPLES = (
    ("won", "juroku", "won"),
    ("skunk", "skunk", "reverse_juroku_missed"),
    ("skunk", "won", "reverse_skunk"),
    ("won", "skunk", "juroku_missed"),
    ("won", "called_skunk", "won"),
    ("called_juroku", "skunk", "lost"),
)

# The possible verdicts on one deal of a round, each with every deal that has it.
DealsByVerdict = Mapping[Verdict, Sequence[Deal]]


class JudgedDeal(NamedTuple):
    verdict: Verdict
    deal: Deal


JudgedDeals = tuple[JudgedDeal, ...]  # of one round, from the first


def deals_by_verdict(game: KankeiGame, deal_number: int) -> DealsByVerdict:
    """Return the possible verdicts on this deal of a round, each with its deals, in chart order."""
    deals: dict[Verdict, list[Deal]] = {verdict: [] for verdict in _verdicts_in_order()}
    for declaration in (None, *game.declarations[deal_number]):
        for kankei in range(FACE_CARDS + 1):
            for mukankei in range(FACE_CARDS - kankei + 1):
                verdict = game.verdict(deal_number, kankei, mukankei, declaration)
                if isinstance(verdict, Verdict):
                    deals[verdict].append(Deal(kankei, mukankei, declaration))
    return {verdict: with_verdict for verdict, with_verdict in deals.items() if with_verdict}


def _verdicts_in_order() -> Iterator[Verdict]:
    """Yield every combination of outcome and winner: deals won by the kankei first.

    Some are impossible in every game.
    """
    for kankei_won in (True, False):
        for outcome in OUTCOMES:
            yield Verdict(outcome, kankei_won)


def kankei_chart(game: KankeiGame) -> tuple[Section, ...]:
    """Return the sections `targets`, `rounds` or `plain`, `deals`, `examples` and `notes`."""
    possible = {number: deals_by_verdict(game, number) for number in DEALS}
    return (
        _targets_section(game),
        _whole_rounds_section(game, possible) or _plain_rounds_section(game, possible),
        _deals_section(game, possible),
        _examples_section(game, possible),
        _notes_section(game, possible),
    )


def _deal_heading(number: int) -> Heading:
    return Heading(Label(_("Deal {number}"), {"number": number}))


def _outcome_heading(game: KankeiGame, verdict: Verdict) -> Heading:
    """Return the heading of an outcome: its name in this game, and how it comes about."""
    rule = game.rules.by_item.get(verdict.outcome)
    return Heading(
        Label(rule.meaning if rule else NAMES[verdict.outcome]),
        note=Label(OUTCOMES[verdict.outcome]),
        group="kankei" if verdict.kankei_won else "mukankei",
    )


def _targets_section(game: KankeiGame) -> Section:
    """Return the face cards that win each deal, in a row for each side."""
    sides = ((_("Kankei"), "kankei"), (_("Mukankei"), "mukankei"))
    return Section(
        "targets",
        Label(_("Face cards (A K Q J) that win the deal")),
        tuple(_deal_heading(number) for number in DEALS),
        tuple(
            Row(
                (Heading(Label(name), group=side),),
                tuple(game.targets[number][i] for number in DEALS),
            )
            for i, (name, side) in enumerate(sides)
        ),
    )


def _all_verdicts(possible: Mapping[int, DealsByVerdict]) -> tuple[Verdict, ...]:
    """Verdicts that are possible in at least one deal, in the chart's order."""
    in_any_deal = {verdict for verdicts in possible.values() for verdict in verdicts}
    return tuple(verdict for verdict in _verdicts_in_order() if verdict in in_any_deal)


def _deals_section(game: KankeiGame, possible: Mapping[int, DealsByVerdict]) -> Section:
    """Return the points of each outcome in each of the three deals."""
    verdicts = _all_verdicts(possible)
    won_by_either = _outcomes_of_both_winners(verdicts)
    headings = [
        _heading_with_winner(game, verdict)
        if verdict.outcome in won_by_either
        else _outcome_heading(game, verdict)
        for verdict in verdicts
    ]
    return Section(
        "deals",
        Label(_("Points per deal")),
        tuple(_deal_heading(number) for number in DEALS),
        tuple(
            Row(
                (heading,),
                tuple(_deal_cell(game, number, verdict, possible) for number in DEALS),
            )
            for heading, verdict in zip(headings, verdicts, strict=True)
        ),
    )


def _outcomes_of_both_winners(verdicts: Iterable[Verdict]) -> set[str]:
    """Return the outcomes with which either side can win a deal: they have two verdicts."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    return {outcome for outcome, count in counts.items() if count > 1}


def _heading_with_winner(game: KankeiGame, verdict: Verdict) -> Heading:
    """Return the heading of an outcome, such as “Called skunk missed: deal won”."""
    heading = _outcome_heading(game, verdict)
    template = _("{outcome}: deal won") if verdict.kankei_won else _("{outcome}: deal lost")
    return heading._replace(name=Label(template, {"outcome": heading.name}))


def _deal_cell(
    game: KankeiGame, deal_number: int, verdict: Verdict, possible: Mapping[int, DealsByVerdict]
) -> Cell | None:
    """Return a cell with the points of a verdict on this deal; None if it is impossible there."""
    if verdict not in possible[deal_number]:
        return None
    deal = _judged_example(possible, deal_number, verdict).deal
    lines = game.deal_lines(deal_number, deal.kankei, deal.mukankei, deal.declaration)
    return Cell(
        sum(line.points for line in lines),
        facts=deal,
        # With a line that voids earlier deals, this deal's points are those of the whole round.
        is_whole_round=any(game.voids(line.item) for line in lines),
        goes_on=verdict.kankei_won and deal_number < LAST_DEAL,
    )


def _judged_example(
    possible: Mapping[int, DealsByVerdict], deal_number: int, verdict: Verdict
) -> JudgedDeal:
    """Return one deal with this verdict. All deals with the same verdict score the same."""
    return JudgedDeal(verdict, possible[deal_number][verdict][0])


def _ways_to_win(
    possible: Mapping[int, DealsByVerdict], deal_count: int
) -> tuple[JudgedDeals, ...]:
    """Return an example of each way in which the kankei win the first `deal_count` deals.

    A way is a combination of verdicts. For 0 deals there is one way, the empty tuple.
    """
    won_deals = (
        [
            _judged_example(possible, number, verdict)
            for verdict in possible[number]
            if verdict.kankei_won
        ]
        for number in range(1, deal_count + 1)
    )
    return tuple(product(*won_deals))


def _round_cell(game: KankeiGame, played: JudgedDeals) -> Cell:
    """Return a cell with a round's points after these deals."""
    deals = tuple(each.deal for each in played)
    lines = game.lines(deals)
    return Cell(
        sum(line.points for line in lines),
        facts=deals,
        is_whole_round=any(game.voids(line.item) for line in lines),
        goes_on=len(deals) < LAST_DEAL and all(each.verdict.kankei_won for each in played),
    )


def _whole_rounds_section(
    game: KankeiGame, possible: Mapping[int, DealsByVerdict]
) -> Section | None:
    """Return a round's points: a row for each way to a deal, a column for each verdict on it.

    The first cell of a row has the points before the deal. None if there are more than `MOST_WAYS`
    ways to the last deal.
    """
    if len(_ways_to_win(possible, LAST_DEAL - 1)) > MOST_WAYS:
        return None
    verdicts = _all_verdicts(possible)
    return Section(
        "rounds",
        Label(_("The round’s points")),
        (Heading(Label(_("So far"))), *(_outcome_heading(game, verdict) for verdict in verdicts)),
        tuple(
            Row(
                (
                    _deal_heading(number),
                    *(_outcome_heading(game, each.verdict) for each in won),
                ),
                (
                    _round_cell(game, won),
                    *_next_cells(game, won, verdicts, possible),
                ),
            )
            for number in DEALS
            for won in _ways_to_win(possible, number - 1)
        ),
    )


def _next_cells(
    game: KankeiGame,
    played: JudgedDeals,
    verdicts: Iterable[Verdict],
    possible: Mapping[int, DealsByVerdict],
) -> Iterator[Cell | None]:
    """Yield a cell with the round's points for each verdict on the next deal.

    Yields None for a verdict that is impossible there.
    """
    next_deal = len(played) + 1
    for verdict in verdicts:
        if verdict in possible[next_deal]:
            yield _round_cell(game, (*played, _judged_example(possible, next_deal, verdict)))
        else:
            yield None


def _plain_rounds_section(game: KankeiGame, possible: Mapping[int, DealsByVerdict]) -> Section:
    """Return the points of rounds without bonuses: lost in deal 1, 2 or 3, or all deals won."""
    won, lost = Verdict("won", kankei_won=True), Verdict("lost", kankei_won=False)
    names = (_("Lost in deal 1"), _("Lost in deal 2"), _("Lost in deal 3"), _("All deals won"))
    rounds = ((lost,), (won, lost), (won, won, lost), (won, won, won))
    return Section(
        "plain",
        Label(_("The round’s points without bonuses")),
        tuple(
            Heading(Label(name), group="kankei" if verdicts[-1].kankei_won else "mukankei")
            for name, verdicts in zip(names, rounds, strict=True)
        ),
        (
            Row(
                (),
                tuple(
                    _round_cell(game, _judged_examples(verdicts, possible)) for verdicts in rounds
                ),
            ),
        ),
    )


def _judged_examples(
    verdicts: Iterable[Verdict], possible: Mapping[int, DealsByVerdict]
) -> JudgedDeals:
    """Return an example of a round with these verdicts on deals 1, 2 and so on."""
    return tuple(
        _judged_example(possible, number, verdict)
        for number, verdict in enumerate(verdicts, start=1)
    )


def _examples_section(game: KankeiGame, possible: Mapping[int, DealsByVerdict]) -> Section:
    """Return the points of those `EXAMPLES` that are possible in this game: by deal, and in all."""
    rows = []
    for names in EXAMPLES:
        found = [
            next((each for each in possible[number] if each.outcome == name), None)
            for number, name in enumerate(names, start=1)
        ]
        verdicts = [verdict for verdict in found if verdict is not None]
        if len(verdicts) == len(names):
            cells = [
                _deal_cell(game, number, verdict, possible)
                for number, verdict in enumerate(verdicts, start=1)
            ]
            total = _round_cell(game, _judged_examples(verdicts, possible))
            rows.append(
                Row(tuple(_outcome_heading(game, verdict) for verdict in verdicts), (*cells, total))
            )
    return Section(
        "examples",
        Label(_("Examples")),
        (*map(_deal_heading, DEALS), Heading(Label(_("Total")))),
        tuple(rows),
    )


def _notes_section(game: KankeiGame, possible: Mapping[int, DealsByVerdict]) -> Section:
    """Return sentences on whose points they are, skunks, the text's contradictions, time."""
    notes = [
        Label(_("Each kankei player gets these points; each mukankei player gets the opposite."))
    ]
    if DEALER_SITS_OUT_AT in game.rules.rule_set.players:
        notes.append(
            Label(_("With six players, the dealer does not play and scores with the kankei."))
        )
    for number, deals in possible.items():
        fewest = min(deal.kankei for deal in deals[Verdict("skunk", kankei_won=True)])
        if fewest > game.targets[number][0]:
            params = {"number": number, "cards": fewest}
            notes.append(Label(_("A skunk in deal {number} needs {cards} face cards."), params))
    notes += [
        Label(_("In deal {number} a reverse skunk is an ordinary loss."), {"number": number})
        for number in DEALS
        if number not in game.reverse_skunk_deals
    ]
    notes += [
        Label(_("{item}: {note}"), {"item": Label(rule.meaning), "note": Label(rule.note)})
        for rule in game.rules.rule_set.rules
        if rule.note
    ]
    if not game.may_be_cut_off:
        notes.append(Label(_("A round cut off by the clock does not count: leave it out.")))
    else:
        cut_off_scores = game.rules.options["cut_off_round_scores"]
        notes.append(
            Label(_("A round cut off by the clock scores what it had earned so far."))
            if cut_off_scores
            else Label(_("A round cut off by the clock does not count."))
        )
    return Section("notes", Label(_("Notes")), notes=tuple(notes))
