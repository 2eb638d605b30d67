"""The phone at the table: one page for a whole sitting, which goes on without the network."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from tournaments import access, phones, wording
from tournaments.api.documents import sitting_as_json
from tournaments.models import Sitting, Tournament
from tournaments.playbook import playbook
from tournaments.sheets import Sheet, sheet_of
from tournaments.views.rounds import FORMS


@gzip_page
@never_cache
@require_safe
def play_table(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Show the form for the table's next round, with all it needs to go on by itself."""
    found = access.sitting_to_record(request, slug, session, table)
    sheet = sheet_of(found)
    number = min(sheet.next_number, len(sheet.rows) + 1)
    form = FORMS[sheet.rules.game.kind](sheet, number)
    context = {
        "sheet": sheet,
        "form": form,
        "tournament": found.session.tournament,
        "preview": form.preview(),
        "rules": sheet.rules,
        "rules_fingerprint": sheet.rules.fingerprint,
        "table": _table(request, found, sheet),
    }
    return render(request, "play_table.html", context)


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Answer the script that keeps the page on https. Here it may look after every address."""
    script = (settings.BASE_DIR / "static" / "js" / "service-worker.js").read_bytes()
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers=headers)


def _table(request: HttpRequest, sitting: Sitting, sheet: Sheet) -> dict[str, Any]:
    """Return what the page's script knows: the table as it stands, its rules and its words."""
    tournament = sitting.session.tournament
    return {
        # A data set started anew counts its tables from 1 again; what waits was for this one.
        "event": f"{tournament.slug} {tournament.created_at.isoformat()}",
        "key": f"{sitting.pk} {phones.digest(sitting.token)[:16]}",
        "api": f"/api/sittings/{sitting.pk}",
        "rounds": f"{sitting.get_absolute_url()}rounds/",
        "now": sitting_as_json(request, sheet),
        "players": sheet.players,
        "planned": sheet.planned,
        "playbook": playbook(sheet.rules, len(sheet.players), sheet.planned),
        "words": words(sheet),
    }


def words(sheet: Sheet) -> dict[str, Any]:
    """Return what the page's script says; `{names}` in it are filled in there."""
    each_is_a_deal = sheet.rules.game.kind != "kankei"
    is_alone = sheet.sitting.session.tournament.kind == Tournament.Kind.TABLE  # no desk to send to
    return {
        "names": sheet.names,
        "suits": {suit: str(name) for suit, name in wording.SUITS.items()},
        "declarations": {code: str(name) for code, name in wording.DECLARATIONS.items()},
        "kankei": _("Kankei"),
        "mukankei": _("Mukankei"),
        "dealer": _("Dealer"),
        "trump": _("Trump"),
        "exposed": _("Exposed"),
        "cut_off": _("Time ran out"),
        "team": _("Team {number}"),
        "source": _("text {text}"),
        "round": pgettext("a round of one deal", "Deal {number}")
        if each_is_a_deal
        else _("Round {number}"),
        "deal": _("Deal {number}"),
        "seat_change": _("{mover} changes places with {other}."),
        "seat_change_later": _("Before deal 2: {mover} changes places with {other}."),
        # What keeps a round from being saved, before any server is asked.
        "choose_kankei": _("Choose the two players who declared themselves kankei."),
        "count_first": _("Count the face cards of deal {number} first."),
        "round_over": _("The round was over after deal {deal}; remove this one."),
        "card_missing": _("Say who took every card: {cards} are missing."),
        "finish_missing": _("Tap all six names in the order they went out."),
        # Rare results ask.
        "rare": _("{kankei}–{mukankei} without a declaration?"),
        # Where what was taken down is.
        "nothing_unsent": _("Nothing unsent"),
        "unsent": _("On this phone: {number} unsent"),
        "sending": _("On this phone, not sent yet"),
        "sent": _("Saved") if is_alone else _("Sent: the desk has it"),
        "accepted": _("Accepted"),
        "refused": _("Kept on this phone: the desk did not take it"),
        "no_answer": _("No answer yet. It is tried again by itself."),
        "foreign": _("Something else answered, perhaps the log-in page of a Wi-Fi. Tried again."),
        "kept_elsewhere": _("This round waits to be sent already, with other facts: see below."),
        "no_store": _("This browser keeps nothing: stay on this page until it is sent."),
        "copied": _("Copied"),
        "read_out": _("Table {table}, {round}, version {version}"),
        # Handing on.
        "pass_to": _("Pass the phone to {name}."),
        "have_phone": _("I have the phone"),
        "reason_needed": _("Say why the recorded round is changed."),
        "call": _("Call the director"),
        "same_dealer": _("Deal {number} follows, same dealer and sides."),
        "trump_next": _("{trump} are trump."),
        "is_it_right": _("{round}: is this right?"),
        "call_sent": _("The desk has been called."),
        "call_kept": _("The desk is called as soon as the network is back. Or send somebody."),
        "correction_of": _("Please correct {round}."),
    }
