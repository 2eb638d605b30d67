"""Remembering how somebody's lists of players were read."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.models import ListLayout
from tournaments.spreadsheets.entry_lists import KnownLayout, Layout

MOST_LAYOUTS = 30  # of one reader; the oldest are forgotten
LONGEST_SHEET = 100


def known_layouts(user: User | None) -> dict[str, KnownLayout]:
    """Return the layouts of this reader's lists by `Layout.key`."""
    stored = ListLayout.objects.filter(user=user)
    return {each.headings: KnownLayout(each.sheet, each.fields) for each in stored}


@transaction.atomic
def remember(user: User, layout: Layout) -> None:
    """Store which sheet and columns were read; nothing without headings."""
    if not layout.key:
        return
    mine = ListLayout.objects.filter(user=user)
    mine.filter(headings=layout.key).delete()
    ListLayout.objects.create(
        user=user,
        headings=layout.key,
        sheet=layout.sheets[layout.sheet][:LONGEST_SHEET],
        fields=[column.field for column in layout.columns],
    )
    oldest = mine.order_by("-pk").values_list("pk", flat=True)[MOST_LAYOUTS:]
    mine.filter(pk__in=[*oldest]).delete()
