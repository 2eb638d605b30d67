"""The audit trail as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import make_naive
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.i18n.audit_entries import before_and_after, subject_words
from tournaments.i18n.facts_in_words import EntryContext
from tournaments.i18n.sentences import reason_words, who_name
from tournaments.i18n.times import short_moment
from tournaments.models import AuditEntry
from tournaments.tables.columns import Column, NumberColumn
from tournaments.tables.page_tables import PageTable

LONGEST_VALUE = 300  # characters on the page; the workbook has whole values


class AuditTable(PageTable):
    """A row for every audit entry, the newest first."""

    number = NumberColumn(pgettext_lazy("number of an act", "No."))
    at = Column(_("Time"))
    who = Column(_("By"))
    kind = Column(_("Action"), accessor="get_kind_display")
    where = Column(_("Where"), accessor="subject")
    old = Column(_("Before"), css="wide-only small")
    new = Column(_("After"), css="small")
    reason = Column(_("Reason"))

    class Meta:
        default = ""
        empty_text = _("No matches.")

    def __init__(
        self,
        audit_entries: QuerySet[AuditEntry] | list[AuditEntry],
        entry_context: EntryContext,
        slug: str = "",
    ) -> None:
        """Set up with audit entries of one tournament; with its slug, rounds are links.

        If `audit_entries` is a queryset, only the shown page of it is read.
        """
        self.entry_context = entry_context
        self.slug = slug
        super().__init__(audit_entries)

    def render_at(self, value: Any) -> str:
        return short_moment(value)

    def value_at(self, value: Any) -> Any:
        """Return the local time without time zone, as workbooks need it."""
        return make_naive(value)

    def render_who(self, value: str) -> str:
        return who_name(value)

    def render_kind(self, value: str, record: AuditEntry) -> str:
        """Return the label of the kind; its own words if only the order of seats has changed."""
        return gettext("Seats of a table reordered") if _is_reordered(record) else value

    def render_where(self, value: Mapping[str, Any]) -> str:
        """Return session, table and round; a link to the round's history if all are named."""
        words = subject_words(value, self.entry_context)
        numbers = [value.get(part) for part in ("session", "table", "round")]
        if not self.slug or not all(type(number) is int and number >= 0 for number in numbers):
            return words
        address = reverse("round-history", args=[self.slug, *numbers])
        return format_html('<a href="{}">{}</a>', address, words)

    def value_where(self, value: Mapping[str, Any]) -> str:
        return subject_words(value, self.entry_context)

    def render_old(self, record: AuditEntry) -> str:
        return _shortened(self.value_old(record))

    def value_old(self, record: AuditEntry) -> str:
        return before_and_after(record, self.entry_context)[0]

    def render_new(self, record: AuditEntry) -> str:
        return _shortened(self.value_new(record))

    def value_new(self, record: AuditEntry) -> str:
        return before_and_after(record, self.entry_context)[1]

    def render_reason(self, value: str) -> str:
        return reason_words(value)


def _is_reordered(record: AuditEntry) -> bool:
    """Return whether an entry about the players of a table leaves the same players there."""
    before, after = record.old, record.new
    if record.kind != AuditEntry.Kind.PLAYERS_CHANGED or before == after:
        return False
    return bool(_with_sorted_players(before) == _with_sorted_players(after))


def _with_sorted_players(tables: Any) -> Any:
    """Return players by table in order; another value, of an imported archive, unchanged."""
    if not isinstance(tables, dict):
        return tables
    is_list = all(isinstance(players, list) for players in tables.values())
    return {table: sorted(tables[table], key=str) for table in tables} if is_list else tables


def _shortened(text: str) -> str:
    """Return a text of at most `LONGEST_VALUE` characters, with an ellipsis if it is cut."""
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
