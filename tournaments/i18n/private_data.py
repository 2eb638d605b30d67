"""Formats audit entries about the end of private data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from tournaments.i18n.facts_in_words import SEPARATOR, EntryContext


def format_private_end(stored: str, _context: EntryContext) -> str:
    return date_format(date.fromisoformat(stored), "DATE_FORMAT")


def format_erased(stored: Mapping[str, int], _context: EntryContext) -> str:
    players, applications = stored["players"], stored["applications"]
    words = [
        ngettext(
            "contact, year of birth and notes of %(count)s player",
            "contacts, years of birth and notes of %(count)s players",
            players,
        )
        % {"count": players}
        if players
        else "",
        ngettext("%(count)s application", "%(count)s applications", applications)
        % {"count": applications}
        if applications
        else "",
    ]
    return SEPARATOR.join(filter(None, words)) or gettext("nothing")
