"""The fields of an entry except its number, defined once.

Forms, their explanations, imported lists, the page of a player and audit entries are derived from
`ENTRY_FIELDS`. A new field is a row here, a column of `Entry`, and, if it is public, a column of
`Registration`, whose form asks applicants for it:

    python manage.py makemigrations tournaments --name add_…

`tests/tournaments/models/test_entry_fields.py` names the JSON schemas that need the field too, and
asks for it in the sentence of consent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pydantic import Field

from tournaments.models.field_types import Short, StrictModel

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


# Numbers of entries have four digits, to be legible on the wall.
MOST_ENTRIES = 9999


class EntryField(NamedTuple):
    """A field of an entry. Private fields are shown to the tournament's staff only."""

    label: str | StrPromise
    # Accepted titles of the column in an imported list: English, Japanese, others, Chinese last.
    headings: tuple[str, ...]
    max_length: int = 200  # characters
    help_text: str | StrPromise = ""
    is_private: bool = False


ENTRY_FIELDS = {
    "name": EntryField(_("Name"), ("name", "名前", "氏名", "選手名", "お名前", "姓名")),
    "club": EntryField(
        _("Club"), ("club", "所属", "クラブ", "所属団体", "所属クラブ", "同好会", "俱乐部")
    ),
    "division": EntryField(
        _("Class"), ("division", "クラス", "class", "級", "部門", "组别"), max_length=100
    ),
    "reading": EntryField(  # furigana
        _("Reading"),
        (
            *(
                "reading",
                "ふりがな",
                "フリガナ",
                "よみがな",
                "ヨミガナ",
                "読み仮名",
                "よみ",
                "ヨミ",
            ),
            *("よみ", "ヨミ", "読み", "カナ", "かな", "furigana", "拼音", "读音"),
        ),
        help_text=_("In kana; used to find and sort names."),
    ),
    "team": EntryField(
        _("Team"), ("team", "チーム", "チーム名", "団体", "団体名", "团队", "队", "队伍")
    ),
    "contact": EntryField(
        _("Contact"),
        ("contact", "連絡先", "電話番号", "電話", "tel", "メール", "电话", "联系方式"),
        is_private=True,
    ),
    "birth_year": EntryField(
        _("Year of birth"),
        ("birth_year", "生年", "出生年", "出生年份"),
        max_length=4,
        is_private=True,
    ),
    "notes": EntryField(
        pgettext_lazy("about a player", "Notes"),
        ("notes", "備考", "备注"),
        max_length=2000,
        is_private=True,
    ),
}
PUBLIC_FIELDS = tuple(name for name, field in ENTRY_FIELDS.items() if not field.is_private)
PRIVATE_FIELDS = tuple(name for name, field in ENTRY_FIELDS.items() if field.is_private)
# The public fields except the name, in the order in which pages and the audit trail list them.
DETAIL_FIELDS = ("reading", *(name for name in PUBLIC_FIELDS if name not in {"name", "reading"}))
MAX_LENGTHS = {name: field.max_length for name, field in ENTRY_FIELDS.items()}


class PersonFacts(StrictModel):
    """The public fields of a player, which applicants fill in, too."""

    name: Short
    club: Short = ""
    division: Annotated[str, Field(max_length=MAX_LENGTHS["division"])] = ""
    reading: Short = ""
    team: Short = ""
