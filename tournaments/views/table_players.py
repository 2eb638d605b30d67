"""Players who join or leave a table, before or after rounds are recorded there."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.table_players import TablePlayersForm
from tournaments.models import Entry, Seat, Sitting
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import live_events, presence
from tournaments.queries.player_rounds import counting_for_nobody
from tournaments.queries.presence import FreePlayers
from tournaments.queries.seated_tables import last_continuation
from tournaments.queries.sheets import Sheet, sheet_at
from tournaments.services.table_players import RoundsSince, change_players


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def table_players(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Show who sits at a table; on POST let players join and leave.

    With `take_back` the last change is taken back. Redirects to the table. Answers 409 if players
    were changed or rounds recorded since the page was opened.
    """
    sitting = door.sitting_of(request)
    in_play = last_continuation(sitting)
    if request.method != "POST" and in_play != sitting:
        return redirect("table-players", slug, session, in_play.number)
    sheet = sheet_at(sitting)
    shown = _players_shown(sheet, request.POST.get("seen", ""))
    form = _form(sheet, shown, posted_data(request))
    takes_back = "take_back" in request.POST and bool(sheet.earlier)
    status = 422 if form.is_bound else 200
    if form.is_valid() or takes_back:
        try:
            change_players(
                sitting,
                sheet.earlier[-1].seated_now if takes_back else form.new_players(),
                seen_players=form.seen_players(),
                seen_rounds=0 if takes_back else form.cleaned_data.get("rounds"),
                withdraw=not takes_back and form.withdraws,
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
        except OperationRefused as refused:
            form.add_error(None, str(refused))
        except RoundsSince:
            words = _("This table has recorded more since you opened this page. Check it.")
            return _show_changed_table(request, sitting, words)
        except ConflictError:
            words = _(
                "The players of this table have changed since you opened this page. Check them."
            )
            return _show_changed_table(request, sitting, words)
        except Entry.DoesNotExist:
            form.add_error(None, _("This player was removed after you opened this page."))
        else:
            messages.success(request, _("The players of this table have changed."))
            return redirect(last_continuation(sitting))
    return _show_page(request, sheet, form, status=status)


def _players_shown(sheet: Sheet, seen: str) -> tuple[Entry, ...]:
    """Return who sat at the table on the page that was sent, in seat order."""
    keys = seen.split(".")
    if not seen or set(keys) == set(sheet.players):
        return sheet.seated_now
    by_key = {entry.key: entry for entry in sheet.sitting.session.tournament.entries.all()}
    return tuple(by_key[key] for key in keys if key in by_key)


def _form(sheet: Sheet, shown: Sequence[Entry], *args: Any, **kwargs: Any) -> TablePlayersForm:
    """Return the form for the table whose players were shown; more arguments are the form's."""
    free, session = _free_players(sheet, shown), sheet.sitting.session
    facts = live_events.events.current(session.tournament).ranking_facts
    for_nobody = counting_for_nobody(itertools.chain(*free), session, facts)
    return TablePlayersForm(sheet, shown, free, for_nobody, *args, **kwargs)


def _free_players(sheet: Sheet, shown: Collection[Entry]) -> FreePlayers:
    """Return who was free to join when these players were shown at the table."""
    session = sheet.sitting.session
    seats = Seat.objects.filter(sitting__session=session, sitting__continued_by=None)
    since = Q(sitting=last_continuation(sheet.sitting)) & ~Q(entry__in=shown)
    seated = Entry.objects.filter(seats__in=seats.exclude(since))
    return presence.free_players(
        presence.roll_call(session.tournament, session.number), {*seated, *shown}
    )


def _show_changed_table(request: HttpRequest, sitting: Sitting, words: str) -> HttpResponse:
    """Answer 409 with the form for who sits at the table by now, filled in as it was sent."""
    sheet = sheet_at(last_continuation(sitting))
    shown = {"seen", "rounds"}
    typed = {name: value for name, value in request.POST.items() if name not in shown}
    form = _form(sheet, sheet.seated_now, initial=typed)
    messages.error(request, words)
    return _show_page(request, sheet, form, status=409)


def _may_take_back(sheet: Sheet) -> bool:
    """Return whether the last change of players can be taken back: no round was played since."""
    return bool(sheet.left or sheet.joined) and not sheet.rows


def _show_page(
    request: HttpRequest, sheet: Sheet, form: TablePlayersForm, *, status: int
) -> HttpResponse:
    sitting = sheet.sitting
    context = {
        "tournament": sitting.session.tournament,
        "session": sitting.session,
        "sheet": sheet,
        "form": form,
        "may_take_back": _may_take_back(sheet),
        "sizes": sitting.session.tournament.table_sizes,
        "rules_fingerprint": sheet.rules.fingerprint,
    }
    return render(request, "table_players.html", context, status=status)
