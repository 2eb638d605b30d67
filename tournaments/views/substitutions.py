"""The substitute of an absent player in a session: naming one, and taking that back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.substitutions import SubstituteForm
from tournaments.i18n.sentences import isolated
from tournaments.models import Entry, Substitution, Tournament
from tournaments.permissions import rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import presence
from tournaments.queries.stages import players_of_session, stage_of_session
from tournaments.services.substitutions import add_substitute, remove_substitute
from tournaments.views.roll_call import tournament_with_roll_call
from tournaments.web.numbers import parse_number


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def substitute(request: HttpRequest, slug: str, session: int, number: int) -> HttpResponse:
    """Show who plays in a player's stead in a session; name somebody, or take that back."""
    tournament = tournament_with_roll_call(request, session)
    absent = get_object_or_404(tournament.entries, number=number)
    absent.tournament = tournament
    if "seen" in request.POST:
        return _take_back(request, absent, session)
    players = players_of_session(tournament, session)
    roll = presence.roll_call(tournament, session, players)
    if absent not in roll.statuses:
        raise Http404
    form = SubstituteForm(_possible(roll, absent), posted_data(request))
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
            form.add_error(None, _("This player was removed meanwhile."))
        else:
            return _back_with_message(request, tournament, row)
    return _show(request, absent, roll, form)


def _possible(roll: presence.RollCall, absent: Entry) -> list[Entry]:
    """Return the players to choose from: all but the absent one and who plays for somebody.

    In a stage of its own, none of its members either: they play there themselves.
    """
    tournament = absent.tournament
    taken = {absent.key, *(each.key for each in roll.substitutes.values())}
    stage = stage_of_session(tournament, roll.session)
    if stage is not None:
        taken |= {key for group in stage.read_members() for key in group.players}
    return [each for each in tournament.entries.all() if each.key not in taken]


def _back_with_message(
    request: HttpRequest, tournament: Tournament, row: Substitution
) -> HttpResponse:
    words = _("No. %(number)s %(substitute)s plays in the stead of %(name)s.")
    names = {"substitute": isolated(row.substitute.name), "name": isolated(row.entry.name)}
    messages.success(request, words % {"number": row.substitute.number, **names})
    address = reverse("roll-call", args=[tournament.slug, row.session_number])
    return redirect(f"{address}#p{row.entry.number}")


def _take_back(request: HttpRequest, absent: Entry, session: int) -> HttpResponse:
    """End the substitution that was shown, and lead back to its page."""
    try:
        remove_substitute(
            absent,
            session,
            seen_substitute=parse_number(request.POST["seen"]) or 0,
            by=rights.actor(request),
            reason=request.POST.get("reason", "")[:500],
        )
    except ConflictError:
        messages.error(request, _("Somebody else has been named meanwhile."))
    except OperationRefused as refused:
        messages.error(request, str(refused))
    else:
        words = _("Nobody plays in the stead of %(name)s any more.")
        messages.success(request, words % {"name": isolated(absent.name)})
    return redirect("substitute", absent.tournament.slug, session, absent.number)


def _show(
    request: HttpRequest, absent: Entry, roll: presence.RollCall, form: SubstituteForm
) -> HttpResponse:
    context = {
        "tournament": absent.tournament,
        "session": roll.session,
        "entry": absent,
        "status": roll.statuses[absent],
        "is_away": roll.statuses[absent] in presence.AWAY,
        "substitute": roll.substitutes.get(absent.number),
        "form": form,
        "rules_fingerprint": absent.tournament.rules.fingerprint,
    }
    return render(request, "substitute.html", context, status=422 if form.is_bound else 200)
