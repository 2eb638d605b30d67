"""Applications to play, and the settings of registration, as the history tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from tournaments.i18n.facts_in_words import BETWEEN, EntryContext, labelled
from tournaments.i18n.sentences import isolated, listed, yes_or_no
from tournaments.i18n.times import moment
from tournaments.models import Registration
from tournaments.models.entry_fields import DETAIL_FIELDS


def format_registration_settings(stored: Mapping[str, Any], _context: EntryContext) -> str:
    """Return the settings of registration, those that are empty left out; nothing if never set."""
    if not stored:
        return ""
    closes_at = stored["closes_at"] and moment(datetime.fromisoformat(stored["closes_at"]))
    values = {
        gettext("Take applications on a page of this site"): yes_or_no(stored["open"]),
        gettext("Closes at"): closes_at,
        gettext("Number of places"): stored["capacity"] and str(stored["capacity"]),
        gettext("Approved at once"): yes_or_no(stored["automatic"]),
        gettext("Class"): listed(_divisions(stored)),
        gettext("What applicants should know"): isolated(stored["text"]),
    }
    return BETWEEN.join(labelled(label, value) for label, value in values.items() if value)


def _divisions(stored: Mapping[str, Any]) -> list[str]:
    """Return the classes, each with the number of its places if it has one of its own."""
    own = stored.get("capacities", {})
    return [
        f"{isolated(each)} ({own[each]})" if each in own else isolated(each)
        for each in stored["divisions"]
    ]


def format_application(stored: Mapping[str, Any], _context: EntryContext) -> str:
    """Return an application's name and details when it came, and its state."""
    words = [isolated(stored[key]) for key in ("name", *DETAIL_FIELDS) if stored.get(key)]
    return BETWEEN.join([*words, str(Registration.State(stored["state"]).label)])


def format_numbers(stored: Sequence[int], _context: EntryContext) -> str:
    """Return which applications are meant."""
    return BETWEEN.join(gettext("Application %(number)s") % {"number": each} for each in stored)


def format_applications(stored: Sequence[Mapping[str, Any]], context: EntryContext) -> str:
    """Return the state of several applications, by number, and their players."""
    return BETWEEN.join(
        labelled(
            gettext("Application %(number)s") % {"number": each["registration"]},
            str(Registration.State(each["state"]).label)
            + (f" {context.name(str(each['player']))}" if each["player"] else ""),
        )
        for each in stored
    )
