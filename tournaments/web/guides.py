"""The guides (てびき): for the desk, a table, spectators, and whoever keeps the computer; rulings.

Their texts are templates of each language, `templates/guides/<language>/<name>.html`. Names of
buttons come from the catalogue (`{% press %}`), so that they are those of the pages. The sources
and rulings have one template, since `scoring` and the catalogue have their words.
"""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy


class Guide(StrEnum):
    """A guide, by its name in the URL and the name of its template."""

    DESK = "desk"
    TABLE = "table"
    SPECTATORS = "spectators"
    OFFICE = "office"
    RULINGS = "rulings"

    @property
    def heading(self) -> Promise:
        return HEADINGS[self]

    @property
    def about(self) -> Promise:
        return ABOUT[self]

    @property
    def text(self) -> str:
        """Return the name of the template of its text in the present language."""
        if self is Guide.RULINGS:
            return "guides/rulings.html"
        return f"guides/{get_language() or settings.LANGUAGE_CODE}/{self}.html"


HEADINGS = {
    Guide.DESK: gettext_lazy("Guide for the desk"),
    Guide.TABLE: gettext_lazy("Guide for a table"),
    Guide.SPECTATORS: gettext_lazy("Guide for spectators"),
    Guide.OFFICE: gettext_lazy("Guide for the computer"),
    Guide.RULINGS: gettext_lazy("Sources and rulings"),
}
ABOUT = {
    Guide.DESK: gettext_lazy(
        "From the evening before to the awards, step by step, and what to do when something goes "
        "wrong."
    ),
    Guide.TABLE: gettext_lazy("One page to lay on each table that records with a phone."),
    Guide.SPECTATORS: gettext_lazy(
        "One page for the wall: how to see seats and results on your own phone."
    ),
    Guide.OFFICE: gettext_lazy("Setting up, backups, a second computer, and safety."),
    Guide.RULINGS: gettext_lazy(
        "Which sentence decides what, and how Makiyaku decides where the texts are silent."
    ),
}

# The section of a guide that explains a page, by the name of its URL.
SECTIONS = {
    **dict.fromkeys(("create-tournament", "edit-tournament", "edit-plan"), (Guide.DESK, "create")),
    **dict.fromkeys(("entries", "copy-entries", "registrations"), (Guide.DESK, "players")),
    **dict.fromkeys(("roll-call", "substitute"), (Guide.DESK, "roll-call")),
    **dict.fromkeys(("seat-session", "seat-proposal", "schedule"), (Guide.DESK, "seats")),
    "table-cards": (Guide.DESK, "cards"),
    **dict.fromkeys(("session", "board", "sitting"), (Guide.DESK, "play")),
    **dict.fromkeys(("enter-sheet", "enter-totals"), (Guide.DESK, "paper")),
    **dict.fromkeys(("record-round", "round-history"), (Guide.DESK, "correct")),
    "end-session": (Guide.DESK, "next-session"),
    **dict.fromkeys(("stages", "stage-members"), (Guide.DESK, "final")),
    **dict.fromkeys(("publish", "awards", "ties", "play-off", "close"), (Guide.DESK, "awards")),
    **dict.fromkeys(
        ("table-players", "exchange-players", "settle-disagreement", "reseat-session"),
        (Guide.DESK, "trouble"),
    ),
    "backups": (Guide.OFFICE, "backups"),
    **dict.fromkeys(("choose-standby", "pair-standby"), (Guide.OFFICE, "second")),
}
