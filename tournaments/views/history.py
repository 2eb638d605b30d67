"""The audit trail of a tournament, as a page with filters and as a workbook."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from tournaments.api.authentication import accepts_tokens
from tournaments.audit import THE_TABLE
from tournaments.i18n.audit_entries import before_and_after, entry_context, subject_words
from tournaments.i18n.facts_in_words import EntryContext
from tournaments.i18n.sentences import reason_words, who_name
from tournaments.models import AuditEntry, Tournament
from tournaments.models.people import search_key
from tournaments.models.publications import SHOWN_DIGITS
from tournaments.models.tournament import shown_number
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import events
from tournaments.tables import exports
from tournaments.tables.audit_entries import AuditTable
from tournaments.web.downloads import download
from tournaments.web.numbers import parse_number

ROWS_A_PAGE = 50
PHONE = f"{THE_TABLE} #"  # how audit entries name a phone, followed by its number
PLACE = ("session", "table")
FILTERS = ("kind", *PLACE, "who", "text")


@never_cache
@requires(GET=Level.STAFF)
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest entries first."""
    tournament = door.tournament_of(request)
    filters = _filters(request)
    words_context = entry_context(tournament)
    table = AuditTable(
        _matching_entries(tournament, filters, words_context), words_context, slug=tournament.slug
    )
    table.paginate(per_page=ROWS_A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "table": table,
        "asked_for": filters,
        "is_filtered": any(filters.values()),
        "kinds": [(kind, label) for kind, label in AuditEntry.Kind.choices],
        "people": _actor_choices(tournament, words_context),
        "last": _last_entry(tournament),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "history.html", context)


@accepts_tokens
@requires(GET=Level.STAFF)
def history_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = door.tournament_of(request)
    words_context = entry_context(tournament)
    table = AuditTable(
        _matching_entries(tournament, _filters(request), words_context), words_context
    )
    content = exports.workbook(
        tournament.name,
        [exports.Page(gettext("History"), table, is_wide=True)],
        footer=gettext("Rules %(fingerprint)s") % {"fingerprint": tournament.rules.fingerprint},
        at=events.Event(tournament).as_of,
    )
    name = exports.file_name(tournament.name, gettext("History"))
    return download(content, name, exports.MEDIA_TYPE)


def _last_entry(tournament: Tournament) -> dict[str, Any] | None:
    """Return `number` and `mark` of the last audit entry; None if there is no entry.

    The mark is the beginning of the digest, which people compare with a printed one.
    """
    last = tournament.audit_entries.order_by("number").values("number", "digest").last()
    return last and {"number": last["number"], "mark": last["digest"][:SHOWN_DIGITS]}


def _actor_choices(tournament: Tournament, words_context: EntryContext) -> list[tuple[str, str]]:
    """Return the choices of the filter by actor, as (stored name, label).

    Accounts come first, by name; then phones with their tables, by number.
    """
    entries = tournament.audit_entries.order_by()
    accounts = entries.exclude(who__startswith=PHONE).values_list("who", flat=True).distinct()
    columns = {f"at_{part}": KT(f"subject__{part}") for part in PLACE}
    phones = entries.filter(who__startswith=PHONE).values_list("who").annotate(**columns).distinct()
    places = {who: dict(zip(PLACE, numbers, strict=True)) for who, *numbers in phones}
    return [(who, who_name(who)) for who in sorted(accounts)] + [
        (who, _phone_label(who, places[who], words_context))
        for who in sorted(places, key=_phone_sort_key)
    ]


def _phone_sort_key(who: str) -> tuple[int, str]:
    """Sorts by number, names without a number first."""
    number = who.removeprefix(PHONE)
    return (int(number) if number.isdecimal() else 0, number)


def _phone_label(who: str, place: Mapping[str, str | None], words_context: EntryContext) -> str:
    """Return a phone's name with its session and table, as far as `place` has their numbers."""
    known = {part: number for part, number in place.items() if number is not None}
    return " · ".join(each for each in (who_name(who), subject_words(known, words_context)) if each)


def _filters(request: HttpRequest) -> dict[str, str]:
    """Return the value of each of `FILTERS` in the query; an empty text if it is not there.

    NUL characters are removed, as PostgreSQL refuses them.
    """
    return {name: request.GET.get(name, "").strip().replace("\x00", "") for name in FILTERS}


def _matching_entries(
    tournament: Tournament, filters: Mapping[str, str], words_context: EntryContext
) -> QuerySet[AuditEntry] | list[AuditEntry]:
    """Return the audit entries that match the filters, the newest first.

    With a text to search for, every entry is read and put in words, as sentences are not stored;
    the result is then a list.
    """
    entries = tournament.audit_entries.order_by("-number")
    for key in ("kind", "who"):
        if filters[key]:
            entries = entries.filter(**{key: filters[key]})
    for part in PLACE:
        if filters[part]:
            number = parse_number(filters[part])
            if number is None:
                return []
            if part == "session":
                shown = _sessions_shown_as(number, tournament)
                entries = entries.filter(subject__session__in=shown)
            else:
                entries = entries.filter(_is_at_table(number, words_context))
    text = search_key(filters["text"])
    if not text:
        return entries
    return [entry for entry in entries.iterator() if _contains_text(entry, text, words_context)]


def _sessions_shown_as(number: int, tournament: Tournament) -> list[int]:
    """Return the stored numbers of the sessions and play-offs that pages show as `number`.

    Pages count sessions without play-offs, so that the stored number may be larger.
    """
    play_offs = tournament.play_off_numbers
    possible = range(number, number + len(play_offs) + 1)
    return [each for each in {*possible, *play_offs} if shown_number(each, play_offs) == number]


def _is_at_table(number: int, words_context: EntryContext) -> Q:
    """Return the condition of entries about the tables that pages show as `number`.

    Where players have joined or left, such a table has several stored numbers.
    """
    stored = Q(subject__table=number)
    continuing: list[Q] = []
    for (session, table), sitting in words_context.continuing.items():
        place = Q(subject__session=int(session), subject__table=int(table))
        if sitting.shown_number == number:
            continuing.append(place)
        elif int(table) == number:
            stored &= ~place
    return reduce(or_, continuing, stored)


def _contains_text(entry: AuditEntry, text: str, words_context: EntryContext) -> bool:
    texts = [reason_words(entry.reason), entry.who, *before_and_after(entry, words_context)]
    return any(text in search_key(each) for each in texts)
