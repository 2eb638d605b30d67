"""The base of the forms for a round: facts from fields, and problems as errors of these fields.

Forms do not know the rules: `round_validation.check_round` asks `scoring`, and every problem
becomes an error of the field that its path names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.forms.corrections import CorrectionForm
from tournaments.game_kinds import kind_of
from tournaments.i18n import sentences
from tournaments.i18n.units import round_in_sentence
from tournaments.models import Round
from tournaments.queries import round_validation
from tournaments.queries.sheets import Sheet


class PreviewLine(NamedTuple):
    """A line of a score with the name of its player or team; empty if it is for a whole side."""

    line: scoring.Line
    owner_name: str


class Preview(NamedTuple):
    """The score of the facts typed so far.

    `totals` are pairs of a name and points; `hints` are sentences on what the table does next.
    """

    lines: tuple[PreviewLine, ...] = ()
    totals: tuple[tuple[str, int], ...] = ()
    hints: tuple[str, ...] = ()
    is_complete: bool = False


class RoundForm(CorrectionForm):
    """A round of a sitting. Subclasses add the fields of their game.

    `stored` is the version in force of the round, or None for a new round. Facts and preview are
    read with `BoundField.value`, so that they exist before the form is submitted and for invalid
    input, too.
    """

    set_aside = forms.BooleanField(label=_("What no longer counts"), required=False)

    def __init__(self, sheet: Sheet, number: int, data: QueryDict | None = None) -> None:
        """Set up for round `number` of the sheet, with its facts in force as initial values.

        If `data` comes from the button "Save without deal 2", the deals after the end of the round
        are emptied.
        """
        self.sheet = sheet
        self.number = number
        self.stored: Round | None = sheet.rows[number - 1] if number <= len(sheet.rows) else None
        initial: dict[str, Any] = {"seen": self.stored.version if self.stored else 0}
        if self.stored:
            initial |= self.initial_from(self.stored.facts)
        super().__init__(data, initial=initial)
        self.add_fields()
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):  # Django's message repeats the sent value
                field.error_messages["invalid_choice"] = _("Choose one of those offered.")
        if "without_deals_after_end" in self.data:
            self.empty_deals_after_end()

    @cached_property
    def sheet_up_to_end(self) -> Sheet:
        """Return the sheet; without the rounds after this one if the typed facts end the game."""
        return round_validation.without_rounds_after_end(self.sheet, self.number, self.facts())

    @cached_property
    def rounds_to_set_aside(self) -> tuple[str, ...]:
        """Return the titles of the later rounds that are set aside if the typed facts are saved."""
        return titles_set_aside(self.sheet, self.number, self.facts())

    @property
    def totals(self) -> Mapping[str, int]:
        """Return the totals at the table by player; empty before its first complete round."""
        sheet = self.sheet
        return sheet.totals_at_table if sheet.complete_rounds or sheet.earlier else {}

    @property
    def is_correction(self) -> bool:
        """Return whether the stored round is complete, so that saving corrects it."""
        return self.stored is not None and self.sheet.score.rounds[self.number - 1].complete

    def add_fields(self) -> None:
        """Add the fields that depend on the players of the table."""

    def deal_states(self) -> list[dict[str, Any]]:
        """Return which deals are open for input and what can be declared, for the page's script."""
        return []

    @property
    def deals_after_end(self) -> tuple[str, ...]:
        """Return the titles of the deals that are filled in after the end of the round."""
        return ()

    def empty_deals_after_end(self) -> None:
        """Empty the fields of `deals_after_end`. Called when the reader confirmed by a button."""

    def facts_up_to_end(self) -> dict[str, Any]:
        return self.facts()

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return initial values of the fields for the recorded facts of a round."""
        raise NotImplementedError

    def fill_with(self, facts: Mapping[str, Any], **others: Any) -> None:
        """Show these facts, and nothing of the stored ones, as the initial values of the fields.

        `others` are initial values of fields that are not facts.
        """
        self.initial = {"seen": self.initial["seen"]} | self.initial_from(facts) | others

    def facts(self) -> dict[str, Any]:
        """Empty fields are left out; nothing is checked."""
        raise NotImplementedError

    def field_at(self, path: str) -> str | None:
        """Return the field for a problem's path inside the round, such as ``deals[0].kankei``.

        None makes the problem an error of the whole form.
        """
        raise NotImplementedError

    def preview(self) -> Preview:
        """Return the score of the facts typed so far; an empty preview if they are invalid."""
        try:
            record = round_validation.check_round(self.sheet_up_to_end, self.number, self.facts())
        except scoring.InvalidRecord:
            return Preview()
        game, players = self.sheet.rules.game, self.sheet.players
        score = game.score_round(record.rounds[self.number - 1], players)
        names = self.sheet.names
        return Preview(
            lines=tuple(PreviewLine(line, self.owner_name(line)) for line in score.lines),
            totals=tuple((names[player], points) for player, points in score.points.items()),
            is_complete=score.complete,
        )

    def owner_name(self, line: scoring.Line) -> str:
        """Return the name of a line's player or team; empty if the line names neither."""
        if line.player is not None:
            return self.sheet.names[line.player]
        return str(_("Team %(number)s") % {"number": line.team}) if line.team else ""

    def clean(self) -> dict[str, Any]:
        """Check the facts with `scoring` and add every problem as an error of its field.

        A new round after the end of the game is an error, and so are rounds that would be set aside
        without the tick `set_aside`.
        """
        cleaned = super().clean() or {}
        if self.stored is None and self.sheet.is_finished:
            for ending in self.sheet.endings:
                words = sentences.advice_sentence(ending, self.sheet.names, self.sheet.rules)
                self.add_error(None, words)
            return cleaned
        try:
            round_validation.check_round(self.sheet_up_to_end, self.number, self.facts())
        except scoring.InvalidRecord as invalid:
            for problem in invalid.problems:
                self._add_problem(problem)
        if self.rounds_to_set_aside and not cleaned.get("set_aside"):
            self.add_error("set_aside", set_aside_message(self.rounds_to_set_aside))
        return cleaned

    def _add_problem(self, problem: scoring.Problem) -> None:
        """Add a problem as an error of its field, or of the form if it has no field.

        A sentence that is already an error of the field is not added again.
        """
        prefix = f"rounds[{self.number - 1}]"
        path = problem.at.removeprefix(prefix).removeprefix(".")
        field = self.field_at(path) if problem.at.startswith(prefix) else None
        if field is not None and field not in self.fields:
            field = None
        sentence = self.sentence_for(problem, path)
        if field is None or sentence not in self.errors.get(field, []):
            self.add_error(field, sentence)

    def sentence_for(self, problem: scoring.Problem, path: str) -> str:
        """Return the error message for a problem at this path inside the round.

        Subclasses replace messages that name a key of the record, which the page does not show.
        """
        return sentences.problem_sentence(problem, self.sheet.names, self.sheet.rules)


def round_form(sheet: Sheet, number: int, typed: QueryDict | None = None) -> RoundForm | None:
    """Return the form for round `number`, bound to `typed`, or None if it cannot be recorded.

    A table that records only totals has no rounds, and a new round needs the round before it to be
    complete.
    """
    if sheet.is_totals_only:
        return None
    if not 1 <= number <= len(sheet.rows) + 1 or (
        number > len(sheet.rows) and sheet.has_unfinished_round
    ):
        return None
    form: RoundForm = kind_of(sheet.rules.game).form(sheet, number, typed)
    return form


def titles_set_aside(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the titles of the rounds that are set aside with these facts for round `number`."""
    rows = round_validation.rounds_after_end(sheet, number, facts)
    return tuple(round_in_sentence(row.number, row.sitting) for row in rows)


def set_aside_message(titles: Iterable[str]) -> str:
    words = gettext(
        "With these figures the game was over before %(rounds)s. Tick that this no longer counts."
    )
    return words % {"rounds": sentences.listed(list(titles))}


def number_or_text(text: Any) -> Any:
    """Return the number in a text, or the text unchanged: `scoring` then refuses it.

    >>> number_or_text("９"), number_or_text("x")
    (9, 'x')
    """
    try:
        return int(text)
    except (TypeError, ValueError):
        return text


def player_choices(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """In seat order."""
    return iter(sheet.names.items())
