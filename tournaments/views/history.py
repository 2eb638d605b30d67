"""Everything that was done in a tournament, to look through and to keep as a workbook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.access import rights
from tournaments.audit import THE_TABLE
from tournaments.edge.downloads import download
from tournaments.models import Act, Tournament
from tournaments.results import events
from tournaments.tables import exports
from tournaments.tables.acts import ActsTable
from tournaments.wording.acts import Telling, before_and_after, telling_of, where
from tournaments.wording.sentences import who_name

ROWS_A_PAGE = 50
PHONE = f"{THE_TABLE} #"  # how the trail names a table's phone, and its number after that
FILTERS = ("kind", "session", "table", "who", "text")


@never_cache
@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the trail, the newest first, or what of it is asked for."""
    tournament = rights.tournament_to_keep(request, slug)
    asked_for = _asked_for(request)
    telling = telling_of(tournament)
    table = ActsTable(_chosen(tournament, asked_for, telling), telling, tournament.slug)
    table.paginate(per_page=ROWS_A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "table": table,
        "asked_for": asked_for,
        "is_filtered": any(asked_for.values()),
        "kinds": [(kind, label) for kind, label in Act.Kind.choices],
        "people": _people(tournament, telling),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "history.html", context)


@require_safe
def history_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the trail, or what of it is asked for, as an Excel workbook."""
    tournament = rights.tournament_to_keep(request, slug)
    telling = telling_of(tournament)
    table = ActsTable(_chosen(tournament, _asked_for(request), telling), telling)
    content = exports.workbook(
        tournament.name,
        [exports.Page(gettext("History"), table, is_wide=True)],
        footer=gettext("Rules %(fingerprint)s") % {"fingerprint": tournament.rules.fingerprint},
        at=events.Event(tournament).as_of,
    )
    name = exports.file_name(tournament.name, gettext("History"))
    return download(content, name, exports.MEDIA_TYPE)


def _people(tournament: Tournament, telling: Telling) -> list[tuple[str, str]]:
    """Return who did anything, as kept and as the rows say it; of a phone also at which table."""
    acts = tournament.acts.order_by()
    accounts = acts.exclude(who__startswith=PHONE).values_list("who", flat=True)
    phones = dict(acts.filter(who__startswith=PHONE).values_list("who", "subject"))
    return [(who, who_name(who)) for who in sorted(set(accounts))] + [
        (who, _phone_name(who, phones[who], telling)) for who in sorted(phones, key=_phone_number)
    ]


def _phone_number(who: str) -> tuple[int, str]:
    number = who.removeprefix(PHONE)
    return (int(number) if number.isdecimal() else 0, number)


def _phone_name(who: str, subject: Mapping[str, Any], telling: Telling) -> str:
    place = {key: subject[key] for key in ("session", "table") if key in subject}
    return " · ".join(each for each in (who_name(who), where(place, telling)) if each)


def _asked_for(request: HttpRequest) -> dict[str, str]:
    return {name: request.GET.get(name, "").strip().replace("\x00", "") for name in FILTERS}


def _chosen(tournament: Tournament, asked_for: dict[str, str], telling: Telling) -> list[Act]:
    """Return the acts that are like what is asked for, the newest first."""
    acts = tournament.acts.order_by("-number")
    if asked_for["kind"]:
        acts = acts.filter(kind=asked_for["kind"])
    if asked_for["who"]:
        acts = acts.filter(who=asked_for["who"])
    return [act for act in acts if _is_like(act, asked_for, telling)]


def _is_like(act: Act, asked_for: dict[str, str], telling: Telling) -> bool:
    for key in ("session", "table"):
        if asked_for[key] and str(act.subject.get(key, "")) != asked_for[key]:
            return False
    text = asked_for["text"].casefold()
    if not text:
        return True
    said = [act.reason, act.who, *before_and_after(act, telling)]
    return any(text in each.casefold() for each in said)
