"""The rules of a tournament as a table: rule set, options, points, tie-breaks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.i18n import quotations
from tournaments.i18n.publications import publication_name
from tournaments.i18n.sentences import listed, option_choice, translated, yes_or_no
from tournaments.i18n.units import unit_words
from tournaments.models import Tournament
from tournaments.models.tournament import shown_number
from tournaments.queries.events import Event
from tournaments.queries.standings import Tally
from tournaments.tables.columns import Column
from tournaments.tables.library import django_tables2

Value = str | int | date | datetime | None


class RulesRow(NamedTuple):
    """A row: an item of the rules (`part` and `name`), the value in force, and the default.

    `words` are the words of the source on which the default rests, `text` is the citation.
    """

    part: str
    name: str
    chosen: Value
    default: Value = None
    words: str = ""
    text: str = ""


class RulesTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """The settings, tie-breaks, options and points of a tournament."""

    part = Column(_("Part"))
    name = Column(_("Item"))
    chosen = Column(_("In force"))
    default = Column(_("As in the text"))
    words = Column(_("Words of the source"))
    text = Column(_("Source"))

    def __init__(self, event: Event) -> None:
        tournament, rules = event.tournament, event.tournament.rules
        tally = event.tally
        super().__init__(
            [
                *_tournament_rows(tournament, rules, tally),
                *_publication_or_last_change_rows(event),
                *_tie_break_rows(event.ranking_facts.steps, rules),
                *_option_rows(rules),
                *_points_rows(rules),
            ]
        )


def _tournament_rows(tournament: Tournament, rules: scoring.Rules, tally: Tally) -> list[RulesRow]:
    part = gettext("Tournament")
    values: list[tuple[str, Value]] = [
        (pgettext("of a tournament", "Name"), tournament.name),
        (gettext("Date"), tournament.held_on),
        (gettext("Venue"), tournament.venue),
        (gettext("Rules"), translated(rules.rule_set.title)),
        (gettext("Edition"), rules.rule_set.edition),
        (gettext("House rules"), yes_or_no(rules.is_house_rule)),
        (gettext("Rules code"), rules.fingerprint),
        (unit_words("Rounds per session", rules), tournament.rounds_per_session),
        (unit_words("Rounds counted", rules), tally.counted),
        (unit_words("Rounds under way", rules), tally.under_way),
    ]
    if tally.totals_only:
        play_offs = tournament.play_off_numbers
        sessions = [str(shown_number(number, play_offs)) for number in tally.totals_only]
        values.append((gettext("Sessions with typed totals only"), listed(sessions)))
    if rules.rule_set.partnership_players:
        values.append((gettext("Partnerships"), yes_or_no(tournament.partners)))
    return [RulesRow(part, name, value) for name, value in values]


def _publication_or_last_change_rows(event: Event) -> list[RulesRow]:
    part, publication = gettext("As it stood"), event.publication
    if publication is None:
        return [RulesRow(part, gettext("Last change"), _local_time(event.as_of))]
    return [
        RulesRow(part, gettext("Published as"), publication_name(publication)),
        RulesRow(part, gettext("Published at"), _local_time(publication.at)),
        RulesRow(part, gettext("Check code (SHA-256)"), publication.digest),
    ]


def _local_time(moment: datetime) -> datetime:
    """Return the local time without time zone, as workbooks need it."""
    return timezone.localtime(moment).replace(microsecond=0, tzinfo=None)


def _tie_break_rows(steps: Sequence[scoring.TieBreak], rules: scoring.Rules) -> list[RulesRow]:
    part = gettext("Places are decided by")
    return [
        RulesRow(
            part, gettext("Step %(number)s") % {"number": number}, unit_words(step.title, rules)
        )
        for number, step in enumerate(steps, 1)
    ]


def _option_rows(rules: scoring.Rules) -> list[RulesRow]:
    return [
        RulesRow(
            part=gettext("Options"),
            name=unit_words(option.meaning, rules),
            chosen=option_choice(option, rules.options[option.name]),
            default=option_choice(option, option.default),
            words=quotations.quoted(option.source.words),
            text=scoring.text_of(option.source).cited + _reading_remark(option),
        )
        for option in rules.rule_set.options
    ]


def _reading_remark(option: scoring.Option) -> str:
    """Return a remark if the cited words do not state the default; else empty."""
    if not option.is_our_reading:
        return ""
    return " " + gettext("(The text does not say; this is Makiyaku’s reading.)")


def _points_rows(rules: scoring.Rules) -> list[RulesRow]:
    """Return a row with the points of each item that the options allow.

    “varies” stands for points that cannot be chosen.
    """
    return [
        RulesRow(
            part=gettext("Points"),
            name=translated(rule.meaning),
            chosen=rules.points[rule.item] if rule.lowest < rule.highest else gettext("varies"),
            default=rule.points if rule.lowest < rule.highest else None,
            words=quotations.quoted(rule.source.words),
            text=f"{scoring.text_of(rule.source).cited} {translated(rule.note)}".strip(),
        )
        for rule in rules.possible
    ]
