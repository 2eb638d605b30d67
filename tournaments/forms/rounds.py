"""What every form for a round shares: facts out of fields, and problems back onto them.

A form does not know whether facts are legal: `round_validation.check_round` asks `scoring`, and
every problem is laid on the field whose place it names.
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
    """A line of a score and whose it is, in words."""

    line: scoring.Line
    whose: str


class Preview(NamedTuple):
    """What the facts typed so far would score, shown before anything is saved.

    `lines` are the score's so far; `totals` whose total each is; `hints` what the table does.
    """

    lines: tuple[PreviewLine, ...] = ()
    totals: tuple[tuple[str, int], ...] = ()
    hints: tuple[str, ...] = ()
    is_complete: bool = False


class RoundForm(CorrectionForm):
    """One round of one sitting. Subclasses add the fields of their kind of game."""

    template: ClassVar[str]

    set_aside = forms.BooleanField(label=_("What no longer counts"), required=False)

    def __init__(self, sheet: Sheet, number: int, data: QueryDict | None = None) -> None:
        """Set up for the round of this number; the fields show its facts in force first."""
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
        if "without_surplus" in self.data:
            self.empty_surplus()

    @cached_property
    def kept(self) -> Sheet:
        """Return the sheet without the rounds for which the facts as typed leave no place."""
        return round_validation.without_rounds_after_end(self.sheet, self.number, self.facts())

    @property
    def left_over(self) -> tuple[str, ...]:
        """Return what those rounds are called."""
        return left_over(self.sheet, self.kept)

    @property
    def totals(self) -> Mapping[str, int]:
        """Return what every player has so far; nothing before the first round is complete."""
        return self.sheet.score.totals if self.sheet.complete_rounds else {}

    @property
    def is_correction(self) -> bool:
        """Return whether saving would change facts that already count."""
        return self.stored is not None and self.sheet.score.rounds[self.number - 1].complete

    def add_fields(self) -> None:
        """Add the fields that depend on who sits at the table."""

    @property
    def surplus(self) -> tuple[str, ...]:
        """Return what is filled in although the round was over before it, such as “Deal 3”."""
        return ()

    def empty_surplus(self) -> None:
        """Empty the fields of what is surplus, because whoever saves said so."""

    def facts_without_surplus(self) -> dict[str, Any]:
        """Return the facts as they would be saved without what is surplus."""
        return self.facts()

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the fields show for facts already recorded."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Return the facts as typed, as a record holds them. What is not filled in is left out."""
        raise NotImplementedError

    def field_at(self, place: str) -> str | None:
        """Return the field for a place inside the round such as ``deals[0].kankei``."""
        raise NotImplementedError

    def preview(self) -> Preview:
        """Return what the facts typed so far would score."""
        try:
            record = round_validation.check_round(self.kept, self.number, self.facts())
        except scoring.InvalidRecord:
            return Preview()
        game, players = self.sheet.rules.game, self.sheet.players
        score = game.score_round(record.rounds[self.number - 1], players)
        names = self.sheet.names
        return Preview(
            tuple(PreviewLine(line, self.whose(line)) for line in score.lines),
            tuple((names[player], points) for player, points in score.points.items()),
            is_complete=score.complete,
        )

    def whose(self, line: scoring.Line) -> str:
        """Return whose line it is, in words."""
        if line.player is not None:
            return self.sheet.names[line.player]
        return str(_("Team %(number)s") % {"number": line.team}) if line.team else ""

    def clean(self) -> dict[str, Any]:
        """Ask `scoring` about the facts and lay every problem on its field."""
        cleaned = super().clean() or {}
        if self.stored is None and self.sheet.is_finished:
            for ending in self.sheet.endings:
                self.add_error(None, sentences.advice_sentence(ending, self.sheet.names))
            return cleaned
        try:
            round_validation.check_round(self.kept, self.number, self.facts())
        except scoring.InvalidRecord as invalid:
            for problem in invalid.problems:
                self._lay(problem)
        if self.left_over and not cleaned.get("set_aside"):
            self.add_error("set_aside", over_before(self.left_over))
        return cleaned

    def _lay(self, problem: scoring.Problem) -> None:
        prefix = f"rounds[{self.number - 1}]"
        inside = problem.at.removeprefix(prefix).removeprefix(".")
        field = self.field_at(inside) if problem.at.startswith(prefix) else None
        if field is not None and field not in self.fields:
            field = None
        sentence = self.sentence_for(problem, inside)
        if field is None or sentence not in self.errors.get(field, []):
            self.add_error(field, sentence)

    def sentence_for(self, problem: scoring.Problem, inside: str) -> str:
        """Return what people read about a problem at this place inside the round.

        A form whose fields are not the record's says it in its own words: nobody at a table knows
        the keys of a record.
        """
        return sentences.problem_sentence(problem, self.sheet.names)


def left_over(sheet: Sheet, kept: Sheet) -> tuple[str, ...]:
    """Return what the rounds of a sheet are called that are not among those kept."""
    numbers = range(len(kept.rows) + 1, len(sheet.rows) + 1)
    return tuple(round_in_sentence(number, sheet.rules) for number in numbers)


def over_before(titles: Iterable[str]) -> str:
    """Say that these rounds no longer count, which somebody has to confirm."""
    words = gettext("So the game was over before %(rounds)s. Tick that this no longer counts.")
    return words % {"rounds": sentences.listed(list(titles))}


def whole(text: Any) -> Any:
    """Return the number typed, or the text itself where it is none: `scoring` says what is wrong.

    >>> whole("９"), whole("x")
    (9, 'x')
    """
    try:
        return int(text)
    except (TypeError, ValueError):
        return text


def player_choices(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Return the players as choices, in seat order."""
    return ((entry.key, entry.name) for entry in sheet.entries)
