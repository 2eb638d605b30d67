"""The guides (てびき): for the desk, a table, spectators, and whoever keeps the computer.

Their texts are templates of each language, `templates/guides/<language>/<name>.html`. Names of
buttons come from the catalogue (`{% press %}`), so that they are those of the pages.
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

    @property
    def heading(self) -> Promise:
        return HEADINGS[self]

    @property
    def about(self) -> Promise:
        return ABOUT[self]

    @property
    def text(self) -> str:
        """Return the name of the template of its text in the present language."""
        return f"guides/{get_language() or settings.LANGUAGE_CODE}/{self}.html"


HEADINGS = {
    Guide.DESK: gettext_lazy("Guide for the desk"),
    Guide.TABLE: gettext_lazy("Guide for a table"),
    Guide.SPECTATORS: gettext_lazy("Guide for spectators"),
    Guide.OFFICE: gettext_lazy("Guide to the computer"),
}
ABOUT = {
    Guide.DESK: gettext_lazy(
        "From the evening before to the awards, step by step, and what to do when something goes "
        "wrong."
    ),
    Guide.TABLE: gettext_lazy("One page to lay on each table that records with a phone."),
    Guide.SPECTATORS: gettext_lazy("One page for the wall: seats and results on one’s own phone."),
    Guide.OFFICE: gettext_lazy("Setting up, backups, a second computer, and safety."),
}
