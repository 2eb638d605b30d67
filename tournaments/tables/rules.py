"""What a tournament is played by: rule set, choices, point values, tie-breaks."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

import django_tables2
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.i18n import quotations
from tournaments.i18n.publications import publication_name
from tournaments.i18n.sentences import listed, option_choice, translated, yes_or_no
from tournaments.i18n.units import unit_words
from tournaments.models import Tournament
from tournaments.queries.events import Event
from tournaments.queries.standings import Tally, tally_of
from tournaments.tables.columns import Column

Value = str | int | date | datetime | None


class Choice(NamedTuple):
    """Something to know about the rules: what was chosen, what the text says, and where."""

    part: str
    name: str
    chosen: Value
    default: Value = None
    words: str = ""
    text: str = ""


class RulesTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """The rules and all that was chosen about them, from the tournament down to single points."""

    part = Column(_("Part"))
    name = Column(_("Item"))
    chosen = Column(_("In force"))
    default = Column(_("By the text"))
    words = Column(_("Words of the source"))
    text = Column(_("Source"))

    def __init__(self, event: Event) -> None:
        """Say it all in the reader's language."""
        tournament, rules = event.tournament, event.tournament.rules
        tally = tally_of(event.sheets)
        super().__init__(
            [
                *_about(tournament, rules, tally),
                *_moment(event),
                *_steps(rules),
                *_options(rules),
                *_points(rules),
            ]
        )


def _about(tournament: Tournament, rules: scoring.Rules, tally: Tally) -> list[Choice]:
    part = gettext("Tournament")
    told: list[tuple[str, Value]] = [
        (gettext("Name"), tournament.name),
        (gettext("Date"), tournament.held_on),
        (gettext("Venue"), tournament.venue),
        (gettext("Rules"), translated(rules.rule_set.title)),
        (gettext("Edition"), rules.rule_set.edition),
        (gettext("House rules"), yes_or_no(rules.is_house_rule)),
        (gettext("Fingerprint of the rules"), rules.fingerprint),
        (unit_words("Rounds per session", rules), tournament.rounds_per_session),
        (unit_words("Rounds counted", rules), tally.counted),
        (unit_words("Rounds under way", rules), tally.under_way),
    ]
    if tally.totals_only:
        sessions = listed([str(number) for number in tally.totals_only])
        told.append((gettext("Sessions of which only totals were typed"), sessions))
    if rules.rule_set.partners_of:
        told.append((gettext("Partnerships"), yes_or_no(tournament.partners)))
    return [Choice(part, name, value) for name, value in told]


def _moment(event: Event) -> list[Choice]:
    """Return of which moment it tells: of a publication, or of the last change."""
    part, publication = gettext("As it stood"), event.publication
    if publication is None:
        return [Choice(part, gettext("Last change"), _clock(event.as_of))]
    return [
        Choice(part, gettext("Published as"), publication_name(publication)),
        Choice(part, gettext("Published at"), _clock(publication.at)),
        Choice(part, gettext("Check code (SHA-256)"), publication.digest),
    ]


def _clock(at: datetime) -> datetime:
    """Return a time on the clock of the place, as a workbook holds it."""
    return timezone.localtime(at).replace(microsecond=0, tzinfo=None)


def _steps(rules: scoring.Rules) -> list[Choice]:
    """Return the steps that decide places, in their order."""
    part = gettext("Places are decided by")
    return [
        Choice(part, gettext("Step %(number)s") % {"number": number}, unit_words(step.title, rules))
        for number, step in enumerate(scoring.USUAL_TIE_BREAKS, 1)
    ]


def _options(rules: scoring.Rules) -> list[Choice]:
    return [
        Choice(
            gettext("Options"),
            translated(option.meaning),
            option_choice(option, rules.options[option.name]),
            option_choice(option, option.default),
            quotations.quoted(option.source.words),
            scoring.text_of(option.source).cited + _our_reading(option),
        )
        for option in rules.rule_set.options
    ]


def _our_reading(option: scoring.Option) -> str:
    """Return a remark where the words cited do not themselves say the default."""
    if not option.is_our_reading:
        return ""
    return " " + gettext("(The text does not say: this is how Makiyaku reads it.)")


def _points(rules: scoring.Rules) -> list[Choice]:
    """Return what every item is worth; those worked out from others have no value of their own."""
    return [
        Choice(
            gettext("Points"),
            translated(rule.meaning),
            rules.points[rule.item] if rule.lowest < rule.highest else gettext("varies"),
            rule.points if rule.lowest < rule.highest else None,
            quotations.quoted(rule.source.words),
            scoring.text_of(rule.source).cited,
        )
        for rule in rules.rule_set.rules
    ]
