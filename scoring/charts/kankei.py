"""The chart of a face-card game: targets, whole rounds, points per deal, examples, notes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from scoring.charts.parts import Cell, Heading, Label, Row, Section
from scoring.kankei import FACE_CARDS, ITEM_NAMES, LAST_DEAL, Deal, KankeiGame, Verdict
from scoring.seats import DEALER_SITS_OUT_AT
from scoring.translation import gettext_noop as _

# How each outcome of a deal comes about, in the order of the chart: those the kankei win first.
OUTCOMES = {
    "won": _("The kankei reach their number of face cards"),
    "skunk": _("… before the mukankei take a single one"),
    "juroku": _("Declared after a skunk, and all 16 taken"),
    "called_skunk": _("Called in the first trick, and made"),
    "called_juroku": _("Called in the first trick, and all 16 taken"),
    "reverse_juroku_missed": _("The mukankei declare it, and lose a face card"),
    "called_reverse_skunk_missed": _("The mukankei call it, and lose a face card"),
    "called_reverse_juroku_missed": _("The mukankei call it, and lose a face card"),
    "lost": _("The mukankei reach their number of face cards"),
    "juroku_missed": _("The kankei declare it, and lose a face card"),
    "called_skunk_missed": _("The kankei call it, and lose a face card"),
    "called_juroku_missed": _("The kankei call it, and lose a face card"),
    "reverse_skunk": _("The mukankei win before the kankei take a single one"),
    "reverse_juroku": _("Declared after a reverse skunk, and all 16 taken"),
    "called_reverse_skunk": _("Called in the first trick, and made"),
    "called_reverse_juroku": _("Called in the first trick, and all 16 taken"),
}

# An outcome has the name of its item; two outcomes have no item of their own.
NAMES = ITEM_NAMES | {"won": _("Won"), "lost": _("Lost")}

DEALS = range(1, LAST_DEAL + 1)

# With more paths to deal 3 than this, the table of whole rounds does not fit on a page.
MOST_PATHS = 8

# Example rounds, those of the sources first; a game omits those with outcomes it does not have.
EXAMPLES = (
    ("won", "juroku", "won"),
    ("skunk", "skunk", "reverse_juroku_missed"),
    ("skunk", "won", "reverse_skunk"),
    ("won", "skunk", "juroku_missed"),
    ("won", "called_skunk", "won"),
    ("called_juroku", "skunk", "lost"),
)

Outcomes = Mapping[Verdict, Sequence[Deal]]  # with every deal that has the verdict
# The deals of a round so far, each with its verdict.
Path = tuple[tuple[Verdict, Deal], ...]


def outcomes(game: KankeiGame, number: int) -> Outcomes:
    """Return the possible verdicts on deal `number`, each with its deals, in the chart's order."""
    found: dict[Verdict, list[Deal]] = {verdict: [] for verdict in _verdicts_in_order()}
    for declaration in (None, *game.declarations[number]):
        for kankei, mukankei in product(range(FACE_CARDS + 1), repeat=2):
            if kankei + mukankei > FACE_CARDS:
                continue
            verdict = game.verdict(number, kankei, mukankei, declaration)
            if isinstance(verdict, Verdict):
                found[verdict].append(Deal(kankei, mukankei, declaration))
    return {verdict: deals for verdict, deals in found.items() if deals}


def _verdicts_in_order() -> Iterator[Verdict]:
    """Yield every verdict there could be, those of deals that the kankei won first."""
    for kankei_won in (True, False):
        for outcome in OUTCOMES:
            yield Verdict(outcome, kankei_won)


def kankei_chart(game: KankeiGame) -> tuple[Section, ...]:
    """Return the sections `targets`, `rounds` or `plain`, `deals`, `examples` and `notes`."""
    outcomes_by_deal = {number: outcomes(game, number) for number in DEALS}
    return (
        _targets_section(game),
        _whole_rounds_section(game, outcomes_by_deal)
        or _plain_rounds_section(game, outcomes_by_deal),
        _deals_section(game, outcomes_by_deal),
        _examples_section(game, outcomes_by_deal),
        _notes_section(game, outcomes_by_deal),
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


def _all_verdicts(outcomes_by_deal: Mapping[int, Outcomes]) -> tuple[Verdict, ...]:
    """Return the verdicts that are possible in any deal, in the chart's order."""
    possible = {verdict for found in outcomes_by_deal.values() for verdict in found}
    return tuple(verdict for verdict in _verdicts_in_order() if verdict in possible)


def _deals_section(game: KankeiGame, outcomes_by_deal: Mapping[int, Outcomes]) -> Section:
    """Return the points of each outcome in each of the three deals."""
    verdicts = _all_verdicts(outcomes_by_deal)
    ambiguous = _outcomes_of_both_winners(verdicts)
    headings = [
        _heading_with_winner(game, verdict)
        if verdict.outcome in ambiguous
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
                tuple(
                    _deal_cell(game, number, verdict, outcomes_by_deal[number]) for number in DEALS
                ),
            )
            for heading, verdict in zip(headings, verdicts, strict=True)
        ),
    )


def _outcomes_of_both_winners(verdicts: Iterable[Verdict]) -> set[str]:
    """Return the outcomes that have two verdicts: either side can win a deal with them."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    return {outcome for outcome, count in counts.items() if count > 1}


def _heading_with_winner(game: KankeiGame, verdict: Verdict) -> Heading:
    """Return the heading of an outcome, with whether the kankei won the deal."""
    heading = _outcome_heading(game, verdict)
    template = _("{outcome}: deal won") if verdict.kankei_won else _("{outcome}: deal lost")
    return heading._replace(name=Label(template, {"outcome": heading.name}))


def _deal_cell(game: KankeiGame, number: int, verdict: Verdict, possible: Outcomes) -> Cell | None:
    """Return a cell with the points of a verdict on deal `number`; None if it is not possible."""
    if verdict not in possible:
        return None
    deal = possible[verdict][0]
    lines = game.deal_lines(number, deal.kankei, deal.mukankei, deal.declaration)
    return Cell(
        sum(line.points for line in lines),
        facts=deal,
        is_round=any(game.voids(line.item) for line in lines),
        goes_on=verdict.kankei_won and number < LAST_DEAL,
    )


def _winning_paths(outcomes_by_deal: Mapping[int, Outcomes], deals: int) -> tuple[Path, ...]:
    """Return every path on which the kankei win the first `deals` deals; the empty one for 0.

    The first deal that has a verdict stands for all of them.
    """
    won_deals = (
        [
            (verdict, found[0])
            for verdict, found in outcomes_by_deal[number].items()
            if verdict.kankei_won
        ]
        for number in range(1, deals + 1)
    )
    return tuple(product(*won_deals))


def _round_cell(game: KankeiGame, path: Path) -> Cell:
    """Return a cell with the round's points after these deals."""
    deals = tuple(deal for _verdict, deal in path)
    lines = game.lines(deals)
    return Cell(
        sum(line.points for line in lines),
        facts=deals,
        is_round=any(game.voids(line.item) for line in lines if line.deal == len(deals)),
        goes_on=len(deals) < LAST_DEAL and all(verdict.kankei_won for verdict, _deal in path),
    )


def _whole_rounds_section(
    game: KankeiGame, outcomes_by_deal: Mapping[int, Outcomes]
) -> Section | None:
    """Return a round's points: a row for every path to a deal, a column for every verdict on it.

    The first cell of a row has the points before the deal. None if there are too many paths.
    """
    if len(_winning_paths(outcomes_by_deal, LAST_DEAL - 1)) > MOST_PATHS:
        return None
    verdicts = _all_verdicts(outcomes_by_deal)
    return Section(
        "rounds",
        Label(_("The round’s points")),
        (Heading(Label(_("So far"))), *(_outcome_heading(game, verdict) for verdict in verdicts)),
        tuple(
            Row(
                (
                    _deal_heading(number),
                    *(_outcome_heading(game, verdict) for verdict, _deal in path),
                ),
                (
                    _round_cell(game, path),
                    *_next_cells(game, path, outcomes_by_deal[number], verdicts),
                ),
            )
            for number in DEALS
            for path in _winning_paths(outcomes_by_deal, number - 1)
        ),
    )


def _next_cells(
    game: KankeiGame, path: Path, possible: Outcomes, verdicts: Iterable[Verdict]
) -> Iterator[Cell | None]:
    """Yield the round's points for each verdict on the deal after this path; None if impossible."""
    for verdict in verdicts:
        if verdict in possible:
            yield _round_cell(game, (*path, (verdict, possible[verdict][0])))
        else:
            yield None


def _plain_rounds_section(game: KankeiGame, outcomes_by_deal: Mapping[int, Outcomes]) -> Section:
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
                    _round_cell(game, _path_with_verdicts(verdicts, outcomes_by_deal))
                    for verdicts in rounds
                ),
            ),
        ),
    )


def _path_with_verdicts(
    verdicts: Iterable[Verdict], outcomes_by_deal: Mapping[int, Outcomes]
) -> Path:
    """Return these verdicts on deals 1, 2 and so on, each with the first deal that has it."""
    return tuple(
        (verdict, outcomes_by_deal[number][verdict][0])
        for number, verdict in enumerate(verdicts, start=1)
    )


def _examples_section(game: KankeiGame, outcomes_by_deal: Mapping[int, Outcomes]) -> Section:
    """Return the example rounds: the points of each deal, and of the round."""
    rows = []
    for names in EXAMPLES:
        verdicts = [
            next((found for found in outcomes_by_deal[number] if found.outcome == name), None)
            for number, name in enumerate(names, start=1)
        ]
        known = [verdict for verdict in verdicts if verdict is not None]
        if len(known) == len(names):
            cells = [
                _deal_cell(game, number, verdict, outcomes_by_deal[number])
                for number, verdict in enumerate(known, start=1)
            ]
            total = _round_cell(game, _path_with_verdicts(known, outcomes_by_deal))
            rows.append(
                Row(tuple(_outcome_heading(game, verdict) for verdict in known), (*cells, total))
            )
    return Section(
        "examples",
        Label(_("Examples")),
        (*map(_deal_heading, DEALS), Heading(Label(_("Total")))),
        tuple(rows),
    )


def _notes_section(game: KankeiGame, outcomes_by_deal: Mapping[int, Outcomes]) -> Section:
    """Return sentences on whose points they are, skunks and rounds that are cut off."""
    notes = [Label(_("Points are each kankei player’s; each mukankei player gets the opposite."))]
    if DEALER_SITS_OUT_AT in game.rules.rule_set.players:
        notes.append(Label(_("With six, the dealer does not play and scores with the kankei.")))
    for number, found in outcomes_by_deal.items():
        fewest = min(deal.kankei for deal in found[Verdict("skunk", kankei_won=True)])
        if fewest > game.targets[number][0]:
            params = {"number": number, "cards": fewest}
            notes.append(Label(_("A skunk in deal {number} needs {cards} face cards."), params))
    notes += [
        Label(_("In deal {number} a reverse skunk is a plain loss."), {"number": number})
        for number in DEALS
        if number not in game.reverse_skunk_deals
    ]
    if not game.may_be_cut_off:
        notes.append(Label(_("A round that time cuts off does not count: leave it out.")))
    else:
        cut_off_scores = game.rules.options["cut_off_round_scores"]
        notes.append(
            Label(_("A round cut off by the clock scores what it had earned so far."))
            if cut_off_scores
            else Label(_("A round cut off by the clock does not count."))
        )
    return Section("notes", Label(_("Notes")), notes=tuple(notes))
