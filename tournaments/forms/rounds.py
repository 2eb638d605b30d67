"""What the forms of all games share: facts from fields, and problems as errors of these fields.

Forms do not know the rules: `round_validation.check_round` asks `scoring`, and every problem
becomes an error of the field that its place names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.forms.corrections import CorrectionForm
from tournaments.i18n import sentences
from tournaments.i18n.units import round_in_sentence
from tournaments.models import Round
from tournaments.queries import round_validation
from tournaments.queries.sheets import Sheet


class PreviewLine(NamedTuple):
    """A line of a score with the name of its player or team."""

    line: scoring.Line
    whose: str


class Preview(NamedTuple):
    """The score of the facts typed so far.

    `totals` are pairs of a name and points; `hints` say what the table does next.
    """

    lines: tuple[PreviewLine, ...] = ()
    totals: tuple[tuple[str, int], ...] = ()
    hints: tuple[str, ...] = ()
    is_complete: bool = False


class RoundForm(CorrectionForm):
    """A round of a sitting. Subclasses add the fields of their game."""

    template: ClassVar[str]

    set_aside = forms.BooleanField(label=_("What no longer counts"), required=False)

    def __init__(self, sheet: Sheet, number: int, data: QueryDict | None = None) -> None:
        """Set up for the round of this number, with its facts in force as initial values.

        The button "Save without deal 2" empties the deals filled in after the end of the round.
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
            if isinstance(field, forms.ChoiceField):  # Django's own message repeats what was sent
                field.error_messages["invalid_choice"] = _("Choose one of those offered.")
        if "without_deals_after_end" in self.data:
            self.empty_deals_after_end()

    @cached_property
    def shortened(self) -> Sheet:
        """Return the sheet without the rounds after this one, if the typed facts end the game."""
        return round_validation.without_rounds_after_end(self.sheet, self.number, self.facts())

    @property
    def left_over(self) -> tuple[str, ...]:
        """Return the titles of the rounds that would be set aside."""
        return titles_set_aside(self.sheet, self.shortened)

    @property
    def totals(self) -> Mapping[str, int]:
        """Return the totals of the complete rounds by player; empty before the first."""
        return self.sheet.score.totals if self.sheet.complete_rounds else {}

    @property
    def is_correction(self) -> bool:
        """Return whether the stored round is complete, so that saving corrects it."""
        return self.stored is not None and self.sheet.score.rounds[self.number - 1].complete

    def add_fields(self) -> None:
        """Add the fields that depend on who sits at the table."""

    @property
    def deals_after_end(self) -> tuple[str, ...]:
        """Return the titles of the deals that are filled in after the end of the round."""
        return ()

    def empty_deals_after_end(self) -> None:
        """Empty the fields of `deals_after_end`, when the reader has confirmed it by a button."""

    def facts_up_to_end(self) -> dict[str, Any]:
        """Return the typed facts without `deals_after_end`."""
        return self.facts()

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values for recorded facts."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Return the typed facts as a record holds them, without what is not filled in."""
        raise NotImplementedError

    def field_at(self, place: str) -> str | None:
        """Return the field for a place inside the round, such as ``deals[0].kankei``; or None.

        Without a field the problem becomes an error of the whole form.
        """
        raise NotImplementedError

    def preview(self) -> Preview:
        """Return the score of the facts typed so far; an empty preview if they are invalid."""
        try:
            record = round_validation.check_round(self.shortened, self.number, self.facts())
        except scoring.InvalidRecord:
            return Preview()
        game, players = self.sheet.rules.game, self.sheet.players
        score = game.score_round(record.rounds[self.number - 1], players)
        names = self.sheet.names
        return Preview(
            lines=tuple(PreviewLine(line, whose=self.owner_name(line)) for line in score.lines),
            totals=tuple((names[player], points) for player, points in score.points.items()),
            is_complete=score.complete,
        )

    def owner_name(self, line: scoring.Line) -> str:
        """Return the name of a line's player or team; empty if it is nobody's."""
        if line.player is not None:
            return self.sheet.names[line.player]
        return str(_("Team %(number)s") % {"number": line.team}) if line.team else ""

    def clean(self) -> dict[str, Any]:
        """Check the facts with `scoring` and add every problem as an error of its field."""
        cleaned = super().clean() or {}
        if self.stored is None and self.sheet.is_finished:
            for ending in self.sheet.endings:
                self.add_error(None, sentences.advice_sentence(ending, self.sheet.names))
            return cleaned
        try:
            round_validation.check_round(self.shortened, self.number, self.facts())
        except scoring.InvalidRecord as invalid:
            for problem in invalid.problems:
                self._add_problem(problem)
        if self.left_over and not cleaned.get("set_aside"):
            self.add_error("set_aside", set_aside_message(self.left_over))
        return cleaned

    def _add_problem(self, problem: scoring.Problem) -> None:
        """Add a problem as an error of its field, or of the form if it is about no field."""
        prefix = f"rounds[{self.number - 1}]"
        place = problem.at.removeprefix(prefix).removeprefix(".")
        field = self.field_at(place) if problem.at.startswith(prefix) else None
        if field is not None and field not in self.fields:
            field = None
        sentence = self.sentence_for(problem, place)
        if field is None or sentence not in self.errors.get(field, []):
            self.add_error(field, sentence)

    def sentence_for(self, problem: scoring.Problem, place: str) -> str:
        """Return the error message for a problem at this place inside the round.

        Subclasses replace messages that name a key of the record, which the page does not show.
        """
        return sentences.problem_sentence(problem, self.sheet.names)


def titles_set_aside(sheet: Sheet, shortened: Sheet) -> tuple[str, ...]:
    """Return the titles of the rounds of a sheet that are missing from the shortened one."""
    numbers = range(len(shortened.rows) + 1, len(sheet.rows) + 1)
    return tuple(round_in_sentence(number, sheet.rules) for number in numbers)


def set_aside_message(titles: Iterable[str]) -> str:
    """Return the error that asks to confirm that these rounds no longer count."""
    words = gettext("So the game was over before %(rounds)s. Tick that this no longer counts.")
    return words % {"rounds": sentences.listed(list(titles))}


def number_or_text(text: Any) -> Any:
    """Return a number, or the text itself where it is none, for `scoring` to refuse.

    >>> number_or_text("９"), number_or_text("x")
    (9, 'x')
    """
    try:
        return int(text)
    except (TypeError, ValueError):
        return text


def player_choices(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Return the players as choices, in seat order."""
    return ((entry.key, entry.name) for entry in sheet.entries)
