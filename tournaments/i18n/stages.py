"""Stages in words: names, quotas, and audit entries about stages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, ngettext, override, pgettext

from scoring.stages.places import Carry
from scoring.stages.selection import Quota
from tournaments.i18n.facts_in_words import SEPARATOR, EntryContext, labelled
from tournaments.i18n.sentences import isolated, signed
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import number_after_play_offs, shown_number
from tournaments.queries.sections import Section

USUAL_NAMES = (gettext_noop("Semi-final"), gettext_noop("Final"))


@cache
def _usual_names() -> Mapping[str, str]:
    """Return the English name by the name in each language."""
    names: dict[str, str] = {}
    for language, _label in settings.LANGUAGES:
        with override(language):
            names |= {gettext(name): name for name in USUAL_NAMES}
    return names


def stage_name(name: str) -> str:
    """Return a stage's name for the reader.

    The names that plans propose are stored in the language of the page that made the plan; they are
    returned in the active one. Other names are as the director typed them.
    """
    usual = _usual_names().get(name)
    return gettext(usual) if usual else name


def stage_title(name: str, group: str) -> str:
    """Return the title of a group's standings, such as “決勝 A”.

    `name` is empty for the first stage, `group` for a stage without groups. A group that has the
    stage's name in its own, such as “A決勝”, needs no other.
    """
    if name and name in group:
        return group
    return " ".join(filter(None, (stage_name(name) or gettext("Qualifying"), group)))


def section_title(section: Section) -> str:
    return stage_title(section.name, section.group)


def section_points(section: Section) -> str:
    """Return a sentence on where the points in a section come from; empty for the first stage."""
    if section.is_first:
        return ""
    stages = {
        "stage": isolated(section_title(section)),
        "before": isolated(stage_title(section.before, "")),
    }
    if not section.has_begun:
        return gettext("Points of %(before)s so far") % stages
    if section.carry == Carry.HALF:
        sentence = gettext("Points: half of %(before)s plus %(stage)s")
    elif section.carry == Carry.ALL:
        sentence = gettext("Points: %(before)s plus %(stage)s")
    else:
        sentence = gettext("Points: %(stage)s alone")
    return sentence % stages


def stage_of_session(session: int, tournament: Tournament) -> str:
    """Return the name of the stage of a session, by its number; empty if there is only one stage.

    The session is seated or the next one. A play-off in a later stage is given none: it may decide
    places of that stage, or of the first one among those who are not in it.
    """
    starts, play_offs = tournament.stage_starts, tournament.play_off_numbers
    names = [
        name
        for first, name in starts
        if first is not None and number_after_play_offs(first, play_offs) <= session
    ]
    if names:
        return "" if session in play_offs else stage_name(names[-1])
    return gettext("Qualifying") if starts else ""


def quota_words(quota: Quota) -> str:
    """Return a quota in words, such as “有段者：上位6名”."""
    at_least = quota.at_least or 0
    numbers = {"places": quota.places, "points": signed(at_least)}
    if quota.at_least is None:
        words = gettext("the first %(places)s")
    elif quota.places is None:
        words = ngettext(
            "everybody with %(points)s point or more",
            "everybody with %(points)s points or more",
            abs(at_least),
        )
    else:
        words = ngettext(
            "the first %(places)s with %(points)s point or more",
            "the first %(places)s with %(points)s points or more",
            abs(at_least),
        )
    words %= numbers
    if quota.division:
        words = labelled(isolated(quota.division), words)
    if quota.group in ("", quota.division):
        return words
    return labelled(isolated(quota.group), words)


def format_stage(stored: Mapping[str, Any], _context: EntryContext) -> str:
    quotas = [quota_words(Quota(**quota)) for quota in stored["quotas"]]
    sessions = stored.get("sessions_planned")  # missing in entries of earlier versions
    parts = [
        isolated(stage_name(stored["name"])),
        *([labelled(gettext("Planned sessions"), str(sessions))] if sessions else []),
        *quotas,
        labelled(gettext("Points carried over"), str(Stage.CarryOver(stored["carry"]).label)),
        labelled(gettext("Ties at the line"), str(Stage.TieRule(stored["at_line"]).label)),
    ]
    if stored["seed"]:
        parts.append(labelled(gettext("Number of the draw"), str(stored["seed"])))
    return SEPARATOR.join(parts)


def format_members(stored: Mapping[str, Any], context: EntryContext) -> str:
    first = number_after_play_offs(stored["first_session"], context.play_offs)
    first = shown_number(first, context.play_offs)
    session = gettext("From session %(number)s on") % {"number": first}
    groups = [
        (each["group"], context.listed_names([str(number) for number in each["players"]]))
        for each in stored["members"]
    ]
    words = [labelled(isolated(group), names) if group else names for group, names in groups]
    # Missing where somebody took it back, and in entries of earlier versions.
    ties = [[str(number) for number in tie] for tie in stored.get("tied", ())]
    advancing = {str(number) for each in stored["members"] for number in each["players"]}
    settled = [
        settled_tie(
            context.listed_names(tie),
            context.listed_names([key for key in tie if key in advancing]),
            stored.get("seed"),
        )
        for tie in ties
    ]
    return SEPARATOR.join([session, *words, *settled])


def settled_tie(tied: str, advancing: str, seed: int | None) -> str:
    """Return which of the players tied at a line advance; `seed` is that of the lot, if any."""
    if seed is None:
        words = gettext("Tied at the line: %(tied)s. By decision, these advance: %(names)s.")
    else:
        words = gettext(
            "Tied at the line: %(tied)s. By lot (number of the draw %(seed)s), these advance: "
            "%(names)s."
        )
    return words % {"tied": tied, "names": advancing, "seed": seed}


def format_member(stored: Mapping[str, Any], context: EntryContext) -> str:
    """Return the name of a member who was replaced (`old`) or who replaces one (`new`).

    “Nobody” if there is none.
    """
    if stored["player"] is None:
        return pgettext("who goes on", "Nobody")
    return context.name(str(stored["player"]))
