"""Everything that was done in a tournament, to look through and to keep as a workbook."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments import access, events, exports
from tournaments.act_words import Telling, before_and_after, telling_of
from tournaments.downloads import download
from tournaments.models import Act, Tournament
from tournaments.tables.acts import ActsTable

ROWS_A_PAGE = 50
FILTERS = ("kind", "session", "table", "who", "text")


@never_cache
@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the trail, the newest first, or what of it is asked for."""
    tournament = access.tournament_to_keep(request, slug)
    asked_for = _asked_for(request)
    telling = telling_of(tournament)
    table = ActsTable(_chosen(tournament, asked_for, telling), telling)
    table.paginate(per_page=ROWS_A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    acts = tournament.acts.order_by()
    context = {
        "tournament": tournament,
        "role": access.role_in(request, tournament),
        "table": table,
        "asked_for": asked_for,
        "is_filtered": any(asked_for.values()),
        "kinds": [(kind, label) for kind, label in Act.Kind.choices],
        "people": sorted(set(acts.values_list("who", flat=True))),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "history.html", context)


@require_safe
def history_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the trail, or what of it is asked for, as an Excel workbook."""
    tournament = access.tournament_to_keep(request, slug)
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
