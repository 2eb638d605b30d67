"""Formats audit entries about registrations: applications, and the settings of the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from tournaments.i18n.facts_in_words import SEPARATOR, EntryContext, labelled
from tournaments.i18n.sentences import isolated, listed, yes_or_no
from tournaments.i18n.times import moment
from tournaments.models import Registration
from tournaments.models.entry_fields import DETAIL_FIELDS


def format_registration_settings(stored: Mapping[str, Any], _context: EntryContext) -> str:
    """Return the settings of registration that are not empty; an empty text if there are none."""
    if not stored:
        return ""
    closes_at = stored["closes_at"] and moment(datetime.fromisoformat(stored["closes_at"]))
    values = {
        gettext("Accept applications online"): yes_or_no(stored["open"]),
        gettext("Closes at"): closes_at,
        gettext("Number of places"): stored["capacity"] and str(stored["capacity"]),
        gettext("Approved at once"): yes_or_no(stored["automatic"]),
        gettext("Class"): listed(_divisions(stored)),
        gettext("Information for applicants"): isolated(stored["text"]),
    }
    return SEPARATOR.join(labelled(label, value) for label, value in values.items() if value)


def _divisions(stored: Mapping[str, Any]) -> list[str]:
    """Return the classes, each followed by its own limit of players, if it has one."""
    limits = stored.get("capacities", {})
    return [
        f"{isolated(each)} ({limits[each]})" if each in limits else isolated(each)
        for each in stored["divisions"]
    ]


def format_application(stored: Mapping[str, Any], _context: EntryContext) -> str:
    words = [isolated(stored[key]) for key in ("name", *DETAIL_FIELDS) if stored.get(key)]
    return SEPARATOR.join([*words, str(Registration.State(stored["state"]).label)])


def format_application_numbers(stored: Sequence[int], _context: EntryContext) -> str:
    return SEPARATOR.join(gettext("Application %(number)s") % {"number": each} for each in stored)


def format_applications(stored: Sequence[Mapping[str, Any]], context: EntryContext) -> str:
    return SEPARATOR.join(
        labelled(
            gettext("Application %(number)s") % {"number": each["registration"]},
            str(Registration.State(each["state"]).label)
            + (f" {context.name(str(each['player']))}" if each["player"] else ""),
        )
        for each in stored
    )
