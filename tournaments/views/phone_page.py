"""The phone's page: records a whole sitting and works without the network."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.gzip import gzip_page

from scoring.rules import Rules
from tournaments.api.schemas.tables import sitting_as_json
from tournaments.game_kinds import TableShape, kind_of
from tournaments.i18n import sentences
from tournaments.models import Sitting, Tournament
from tournaments.models.tokens import digest
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.playbook.document import playbook
from tournaments.playbook.sentences import phone_sentences, usual_call_reasons
from tournaments.printing import phone_chart
from tournaments.queries.round_validation import OnlyTotals
from tournaments.queries.sheets import Sheet, sheet_at
from tournaments.server.scripts import qr_library_url
from tournaments.services import handover, table_codes
from tournaments.views.ended_phones import explain_ended_phone
from tournaments.web import origins


@gzip_page
@cache_control(private=True, max_age=0)  # Back and Forward show it again without the network
@explain_ended_phone
@requires(GET=Level.RECORD)
def play_table(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Show the form for the next round, with the data that the script needs offline.

    If the session has typed totals only, redirects to the table's page.
    """
    sitting = door.sitting_of(request)
    sheet = sheet_at(sitting)
    if sheet.is_totals_only:
        messages.info(request, str(OnlyTotals.sentence))
        return redirect(sitting)
    kind = kind_of(sheet.rules.game)
    form = kind.form(sheet, sheet.next_number)
    advice = () if sheet.next_round else sheet.advice  # the form has dealer and trump
    context = {
        "sheet": sheet,
        "form": form,
        "advice": [sentences.advice_sentence(each, sheet.names, sheet.rules) for each in advice],
        "tournament": sitting.session.tournament,
        "preview": form.preview(),
        "rules": sheet.rules,
        "rules_fingerprint": sheet.rules.fingerprint,
        "mistakes": kind.usual_mistakes,
        "check_request": kind.check_request,
        "reasons": usual_call_reasons(),
        "table": _script_data(request, sitting, sheet),
        "join": _join_link(request, sitting),
        "code": table_code(request, sitting),
    }
    return render(request, "play_table.html", context)


@gzip_page
@never_cache
@requires(GET=Level.RECORD)
def chart_at_table(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Return the points chart as an HTML fragment, which the phone stores for offline use."""
    session_of_table = door.sitting_of(request).session
    rules, rounds = session_of_table.tournament.rules, session_of_table.rounds_per_table
    return HttpResponse(_chart(rules, rounds, get_language()))


@lru_cache(maxsize=50)
def _chart(rules: Rules, rounds: int | None, _language: str) -> str:
    """Return the chart in the active language. Cached, because all phones of a hall ask for it."""
    context = {
        "rules": rules,
        "blocks": phone_chart.blocks(rules),
        "trumps": phone_chart.trumps(rules, rounds),
        "sides": kind_of(rules.game).sides,
    }
    return render_to_string("rounds/_chart.html", context)


@requires(GET=Level.ANYBODY)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Serve the service worker from the root, so that its scope is every URL."""
    script = (settings.PAGES_DIR / "static" / "js" / "service-worker.js").read_bytes()
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers=headers)


def _url_args(sitting: Sitting) -> list[str | int]:
    session = sitting.session
    return [session.tournament.slug, session.number, sitting.number]


def _join_link(request: HttpRequest, sitting: Sitting) -> str:
    """Return the link with which a second phone joins a club table.

    Empty for tables of a tournament, and if the link is revoked.
    """
    if sitting.session.tournament.kind != Tournament.Kind.TABLE or sitting.is_link_revoked:
        return ""
    return f"{origins.chosen_origin(request)}{reverse('join-table', args=[sitting.token])}"


def table_code(request: HttpRequest, sitting: Sitting) -> dict[str, str]:
    """Return a club table's code (`groups`), and the URL where it is typed (`address`).

    Empty if the table has no code or its link is revoked. Whoever knows the code can join the
    table: show it only to the table's own phones.
    """
    code = sitting.code
    if not code or sitting.is_link_revoked:
        return {}
    address = f"{origins.chosen_origin(request)}{reverse('join')}"
    return {"groups": table_codes.format_code(code), "address": address}


def _rounds_before(sheet: Sheet) -> dict[str, Any]:
    """Return the players' points of the rounds before those of the sheet, and who deals after them.

    The points of a round are by player, without those who had not joined yet. `ending` has the
    total before of each group of players whose total ends the game (`watched` in the playbook).
    """
    points = [score.points for each in sheet.earlier for score in each.score.rounds]
    return {
        "points": [
            {player: each[player] for player in sheet.players if player in each} for each in points
        ],
        "opener": sheet.start.opener,
        "ending": kind_of(sheet.rules.game).limited_totals(sheet.rules.game, sheet),
    }


def _script_data(request: HttpRequest, sitting: Sitting, sheet: Sheet) -> dict[str, Any]:
    """Return the data for the page's script: the table, its playbook and its sentences.

    - `event_key`, `table_key`: identify event and table of the unsent rounds on the phone
    - `event_digest`: identifies the event in a handover, where the key would be too long
    - `at`: event and table in words; `place`: session and table, as they are counted
    - `before`: what others have played at the table
    - `desk`: the URL where rounds are handed over; empty for a club table, which has no desk
    """
    has_desk = sitting.session.tournament.kind == Tournament.Kind.TOURNAMENT
    return {
        "event_key": handover.event_key(sitting),
        "event_digest": handover.event_digest(sitting),
        "at": {
            "event": sentences.isolated(sitting.session.tournament.name),
            "table": _("Table %(table)s") % {"table": sitting.shown_number},
        },
        "desk": reverse("hand-over") if has_desk else "",
        "qr": qr_library_url(),
        "place": f"{sitting.session.number}/{sitting.number}",
        "table_key": f"{sitting.pk} {digest(sitting.token)[:16]}",
        "api": reverse("api-sitting", args=[sitting.pk]),
        "rounds": f"{sitting.get_absolute_url()}rounds/",
        "state": sitting_as_json(request, sheet),
        "players": sheet.players,
        "before": _rounds_before(sheet),
        "playbook": playbook(
            sheet.rules,
            TableShape(
                len(sheet.players),
                sheet.rounds_of_table,
                sheet.rounds_before,
                sheet.record.partners,
            ),
        ),
        "words": phone_sentences(sheet),
        "join": _join_link(request, sitting),
        "sheet_urls": {  # what the page can show beside the form
            "chart": reverse("play-chart", args=_url_args(sitting)),
            "standings": reverse("api-standings", args=[sitting.session.tournament.slug]),
        },
    }
