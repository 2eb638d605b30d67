"""The audit trail as a table: who did what, when, why, and what stood before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import django_tables2
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import make_naive
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.i18n.audit_entries import EntryContext, before_and_after, place_words
from tournaments.i18n.sentences import who_name
from tournaments.i18n.times import moment_in_a_list
from tournaments.models import AuditEntry
from tournaments.tables.columns import Column, NumberColumn

LONGEST = 300  # characters of what is told on the page; the workbook tells all


class ActsTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """One row for every act, the newest first."""

    number = NumberColumn(pgettext_lazy("number of an act", "No."))
    at = Column(_("Time"))
    who = Column(_("Who"))
    kind = Column(_("What"), accessor="get_kind_display")
    where = Column(_("Where"), accessor="subject")
    old = Column(_("Before"), css="wide-only small")
    new = Column(_("After"), css="small")
    reason = Column(_("Reason"))

    class Meta:
        """As they were done, the newest first."""

        default = ""
        empty_text = _("No matches.")

    def __init__(
        self, acts: QuerySet[AuditEntry] | list[AuditEntry], telling: EntryContext, slug: str = ""
    ) -> None:
        """Tell them as acts of this tournament; with its slug, places lead to where they are.

        Of a query only the page that is shown is read.
        """
        self.telling = telling
        self.slug = slug
        super().__init__(acts)

    def render_at(self, value: Any) -> str:
        """Return the time to the second, on the clock of the place."""
        return moment_in_a_list(value)

    def value_at(self, value: Any) -> Any:
        """Return the time as a workbook holds it."""
        return make_naive(value)

    def render_who(self, value: str) -> str:
        """Return who it was; a table is nobody's account."""
        return who_name(value)

    def render_where(self, value: Mapping[str, Any]) -> str:
        """Return session, table and round; a round's leads to its own history."""
        said = place_words(value, self.telling)
        place = [value.get(part) for part in ("session", "table", "round")]
        if not self.slug or not all(type(number) is int and number >= 0 for number in place):
            return said
        address = reverse("round-history", args=[self.slug, *place])
        return format_html('<a href="{}">{}</a>', address, said)

    def value_where(self, value: Mapping[str, Any]) -> str:
        """Return session, table and round."""
        return place_words(value, self.telling)

    def render_old(self, record: AuditEntry) -> str:
        """Return what stood before, shortened."""
        return _short(self.value_old(record))

    def value_old(self, record: AuditEntry) -> str:
        """Return what stood before."""
        return before_and_after(record, self.telling)[0]

    def render_new(self, record: AuditEntry) -> str:
        """Return what stands since, shortened."""
        return _short(self.value_new(record))

    def value_new(self, record: AuditEntry) -> str:
        """Return what stands since."""
        return before_and_after(record, self.telling)[1]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
