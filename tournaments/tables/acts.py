"""The audit trail as a table: who did what, when, why, and what stood before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import django_tables2
from django.utils.formats import date_format
from django.utils.timezone import localtime, make_naive
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.audit import THE_TABLE
from tournaments.models import Act
from tournaments.tables.columns import Column, NumberColumn
from tournaments.wording import declaration_name, listed

LONGEST = 300  # characters of what is told on the page; the workbook tells all


class ActsTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """One row for every act, the newest first."""

    number = NumberColumn(_("No."))
    at = Column(_("Time"), css="nowrap")
    who = Column(_("Who"))
    kind = Column(_("What"), accessor="get_kind_display")
    where = Column(_("Where"), accessor="subject", css="nowrap")
    old = Column(_("Before"), css="wide-only small")
    new = Column(_("After"), css="small")
    reason = Column(_("Reason"))

    class Meta:
        """As they were done, the newest first."""

        orderable = False
        default = ""
        empty_text = _("Nothing here is like that.")

    def __init__(self, acts: Iterable[Act], names: Mapping[str, str]) -> None:
        """Tell players by name."""
        self.names = names
        super().__init__(list(acts))

    def render_at(self, value: Any) -> str:
        """Return the time to the second, on the clock of the place."""
        return date_format(localtime(value), "Y-m-d H:i:s")

    def value_at(self, value: Any) -> Any:
        """Return the time as a workbook holds it."""
        return make_naive(value)

    def render_who(self, value: str) -> str:
        """Return who it was; a table is nobody's account."""
        return gettext("the table") if value == THE_TABLE else value

    def render_where(self, value: Mapping[str, Any]) -> str:
        """Return the table and the round."""
        return where(value)

    def render_old(self, value: Any) -> str:
        """Return what stood before, shortened."""
        return _short(told(value, self.names))

    def value_old(self, value: Any) -> str:
        """Return what stood before."""
        return told(value, self.names)

    def render_new(self, value: Any) -> str:
        """Return what stands now, shortened."""
        return _short(told(value, self.names))

    def value_new(self, value: Any) -> str:
        """Return what stands now."""
        return told(value, self.names)


def where(subject: Mapping[str, Any]) -> str:
    """Return the place of an act: session, table and round, as far as it has one."""
    labels = {"session": _("Session"), "table": _("Table"), "round": _("Round")}
    said = [f"{label} {subject[key]}" for key, label in labels.items() if key in subject]
    return " · ".join(said)


def told(value: Any, names: Mapping[str, str]) -> str:
    """Return facts in words: a round as people tell it, anything else as it is kept.

    >>> told({"name": "A", "club": ""}, {}), told([1, 2], {}), told(None, {})
    ('name: A', '1 2', '')
    """
    if value is None or value == "":
        return ""
    if isinstance(value, Mapping):
        if "deals" in value:
            return _round(value, names)
        words = {key: _told_player(key, each, names) for key, each in value.items()}
        return "; ".join(f"{names.get(key, key)}: {each}" for key, each in words.items() if each)
    if isinstance(value, (list, tuple)):
        return " ".join(told(each, names) for each in value)
    return str(value)


def _told_player(key: str, value: Any, names: Mapping[str, str]) -> str:
    if key in ("dealer", "finish"):
        return " ".join(names.get(each, each) for each in ([value] if key == "dealer" else value))
    return told(value, names)


def _round(facts: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return a face-card round in words."""
    said = []
    if facts.get("dealer"):
        said.append(" ".join((gettext("Dealer"), names.get(facts["dealer"], facts["dealer"]))))
    kankei = listed([names.get(each, each) for each in _list(facts.get("kankei"))])
    said.append(" ".join((gettext("Kankei"), kankei)))
    said += [_deal(deal) for deal in _list(facts["deals"]) if isinstance(deal, Mapping)]
    if facts.get("cut_off"):
        said.append(gettext("Cut off"))
    return " / ".join(said)


def _deal(deal: Mapping[str, Any]) -> str:
    counts = f"{deal.get('kankei', '')}–{deal.get('mukankei', '')}"
    return f"{counts} {declaration_name(deal.get('declaration'))}".strip()


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else []


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
