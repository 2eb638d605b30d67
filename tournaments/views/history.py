"""Everything that was done in a tournament, to look through and to keep as a workbook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KT
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from tournaments.audit import THE_TABLE
from tournaments.i18n.audit_entries import (
    EntryContext,
    before_and_after,
    entry_context,
    place_words,
)
from tournaments.i18n.sentences import who_name
from tournaments.models import AuditEntry, Tournament
from tournaments.models.publications import SHOWN_DIGITS
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import events
from tournaments.tables import exports
from tournaments.tables.acts import ActsTable
from tournaments.web.downloads import download
from tournaments.web.numbers import number_named

ROWS_A_PAGE = 50
PHONE = f"{THE_TABLE} #"  # how the trail names a table's phone, and its number after that
PLACE = ("session", "table")
FILTERS = ("kind", *PLACE, "who", "text")


@never_cache
@requires(GET=Level.STAFF)
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the trail, the newest first, or what of it is asked for."""
    tournament = door.tournament_of(request)
    asked_for = _asked_for(request)
    telling = entry_context(tournament)
    table = ActsTable(_chosen(tournament, asked_for, telling), telling, tournament.slug)
    table.paginate(per_page=ROWS_A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "table": table,
        "asked_for": asked_for,
        "is_filtered": any(asked_for.values()),
        "kinds": [(kind, label) for kind, label in AuditEntry.Kind.choices],
        "people": _people(tournament, telling),
        "last": _last(tournament),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "history.html", context)


@requires(GET=Level.STAFF)
def history_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the trail, or what of it is asked for, as an Excel workbook."""
    tournament = door.tournament_of(request)
    telling = entry_context(tournament)
    table = ActsTable(_chosen(tournament, _asked_for(request), telling), telling)
    content = exports.workbook(
        tournament.name,
        [exports.Page(gettext("History"), table, is_wide=True)],
        footer=gettext("Rules %(fingerprint)s") % {"fingerprint": tournament.rules.fingerprint},
        at=events.Event(tournament).as_of,
    )
    name = exports.file_name(tournament.name, gettext("History"))
    return download(content, name, exports.MEDIA_TYPE)


def _last(tournament: Tournament) -> dict[str, Any] | None:
    """Return the number of the last act, and as much of its digest as people compare by eye."""
    last = tournament.audit_entries.order_by("number").values("number", "digest").last()
    return last and {"number": last["number"], "mark": last["digest"][:SHOWN_DIGITS]}


def _people(tournament: Tournament, telling: EntryContext) -> list[tuple[str, str]]:
    """Return who did anything, as kept and as the rows say it; of a phone also at which table."""
    acts = tournament.audit_entries.order_by()
    accounts = acts.exclude(who__startswith=PHONE).values_list("who", flat=True).distinct()
    places = {f"at_{part}": KT(f"subject__{part}") for part in PLACE}
    phones = acts.filter(who__startswith=PHONE).values_list("who").annotate(**places).distinct()
    at = {who: dict(zip(PLACE, place, strict=True)) for who, *place in phones}
    return [(who, who_name(who)) for who in sorted(accounts)] + [
        (who, _phone_name(who, at[who], telling)) for who in sorted(at, key=_phone_number)
    ]


def _phone_number(who: str) -> tuple[int, str]:
    number = who.removeprefix(PHONE)
    return (int(number) if number.isdecimal() else 0, number)


def _phone_name(who: str, at: Mapping[str, str | None], telling: EntryContext) -> str:
    place = {part: number for part, number in at.items() if number is not None}
    return " · ".join(each for each in (who_name(who), place_words(place, telling)) if each)


def _asked_for(request: HttpRequest) -> dict[str, str]:
    return {name: request.GET.get(name, "").strip().replace("\x00", "") for name in FILTERS}


def _chosen(
    tournament: Tournament, asked_for: Mapping[str, str], telling: EntryContext
) -> QuerySet[AuditEntry] | list[AuditEntry]:
    """Return the acts that are like what is asked for, the newest first.

    Only to look for words all of them are read: what they tell stands in no table.
    """
    acts = tournament.audit_entries.order_by("-number")
    for key in ("kind", "who"):
        if asked_for[key]:
            acts = acts.filter(**{key: asked_for[key]})
    for part in PLACE:
        if asked_for[part]:
            number = number_named(asked_for[part])
            if number is None:
                return []
            acts = acts.filter(**{f"subject__{part}": number})
    text = asked_for["text"].casefold()
    return [act for act in acts.iterator() if _tells(act, text, telling)] if text else acts


def _tells(act: AuditEntry, text: str, telling: EntryContext) -> bool:
    said = [act.reason, act.who, *before_and_after(act, telling)]
    return any(text in each.casefold() for each in said)
