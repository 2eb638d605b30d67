"""The substitute of an absent player in a session: naming and removing one."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.stages.places import credit_of_substitutes
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.substitutions import SubstituteForm
from tournaments.i18n.ranking import credit_words
from tournaments.i18n.sentences import isolated
from tournaments.models import Entry, Substitution, Tournament
from tournaments.permissions import rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import live_events, presence
from tournaments.queries.stages import roll_call_of, stage_of_session
from tournaments.services.substitutions import (
    NotAway,
    add_substitute,
    remove_substitute,
    why_not_replaced,
)
from tournaments.views.roll_call import tournament_with_roll_call
from tournaments.web.numbers import parse_number


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def substitute(request: HttpRequest, slug: str, session: int, number: int) -> HttpResponse:
    """Show who plays in a player's stead in a session; on POST name a substitute.

    With `seen`, the number of the shown substitute, remove that one. Raises `Http404` for a player
    who does not play in this session.
    """
    tournament = tournament_with_roll_call(request, session)
    absent = get_object_or_404(tournament.entries, number=number)
    absent.tournament = tournament
    if "seen" in request.POST:
        return _remove_substitute(request, absent, session)
    roll = roll_call_of(tournament, session)
    if absent not in roll.statuses:
        raise Http404
    possible = _possible_substitutes(roll, absent)
    chosen = roll.substitutes.get(absent.number)
    if request.method == "POST" and chosen is not None:
        return _sent_again(request, absent, roll, SubstituteForm([*possible, chosen], request.POST))
    form = SubstituteForm(possible, posted_data(request))
    if form.is_valid():
        try:
            row = add_substitute(
                absent,
                session,
                form.substitute(),
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
        except OperationRefused as refused:
            form.add_error(None, str(refused))
        except Entry.DoesNotExist:
            form.add_error(None, _("This player was removed after you opened this page."))
        else:
            return _redirect_with_message(request, tournament, row)
    return _show_page(request, absent, roll, form)


def _sent_again(
    request: HttpRequest, absent: Entry, roll: presence.RollCall, form: SubstituteForm
) -> HttpResponse:
    """Answer a form for a player who has a substitute by now: as before if it names the same."""
    chosen = roll.substitutes[absent.number]
    named = form.substitute() if form.is_valid() else None
    if named == chosen or (isinstance(named, dict) and named["name"] == chosen.name):
        row = absent.substitutions.get(session_number=roll.session)
        return _redirect_with_message(request, absent.tournament, row)
    messages.error(request, _("Another substitute has been chosen since you opened this page."))
    return redirect("substitute", absent.tournament.slug, roll.session, absent.number)


def _possible_substitutes(roll: presence.RollCall, absent: Entry) -> list[Entry]:
    """Return the players who can be named as the substitute of the absent player.

    They are all other players who are not substitutes already. In a session of a later stage, the
    players of that stage are left out, too: they play there themselves.
    """
    tournament = absent.tournament
    excluded = {absent.key, *(each.key for each in roll.substitutes.values())}
    stage = stage_of_session(tournament, roll.session)
    if stage is not None:
        excluded |= {key for group in stage.read_members() for key in group.players}
    return [each for each in tournament.entries.all() if each.key not in excluded]


def _redirect_with_message(
    request: HttpRequest, tournament: Tournament, row: Substitution
) -> HttpResponse:
    words = _("No. %(number)s %(substitute)s is the substitute for %(name)s.")
    names = {"substitute": isolated(row.substitute.name), "name": isolated(row.entry.name)}
    messages.success(request, words % {"number": row.substitute.number, **names})
    address = reverse("roll-call", args=[tournament.slug, row.session_number])
    return redirect(f"{address}#p{row.entry.number}")


def _remove_substitute(request: HttpRequest, absent: Entry, session: int) -> HttpResponse:
    """Remove the shown substitute and redirect to this page; nothing if another is named by now."""
    try:
        remove_substitute(
            absent,
            session,
            seen_substitute=parse_number(request.POST["seen"]) or 0,
            by=rights.actor(request),
            reason=request.POST.get("reason", "")[:500],
        )
    except ConflictError:
        messages.error(request, _("Another substitute has been chosen since you opened this page."))
    except OperationRefused as refused:
        messages.error(request, str(refused))
    else:
        words = _("%(name)s no longer has a substitute.")
        messages.success(request, words % {"name": isolated(absent.name)})
    return redirect("substitute", absent.tournament.slug, session, absent.number)


def _show_page(
    request: HttpRequest, absent: Entry, roll: presence.RollCall, form: SubstituteForm
) -> HttpResponse:
    """Show the absent player's status and substitute, and the form; 422 with a posted form.

    In place of the form stands why nobody can be named, or that a closed event has to be reopened,
    where that would help.
    """
    chosen, is_closed = roll.substitutes.get(absent.number), absent.tournament.closed_at is not None
    refusal = None if chosen else why_not_replaced(absent, roll)
    facts = live_events.events.current(absent.tournament).ranking_facts
    credit = credit_of_substitutes(roll.session, facts.played_stages, facts.rules)
    context = {
        "tournament": absent.tournament,
        "session": roll.session,
        "role": rights.role_in(request, absent.tournament),
        "entry": absent,
        "status": roll.statuses[absent],
        "substitute": chosen,
        "refusal": None if is_closed and isinstance(refusal, NotAway) else refusal,
        "credit": credit_words(credit),
        "form": form,
        "rules_fingerprint": absent.tournament.rules.fingerprint,
    }
    return render(request, "substitute.html", context, status=422 if form.is_bound else 200)
