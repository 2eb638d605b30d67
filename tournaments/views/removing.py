"""Removing what was made by mistake: a session, or an event in which nothing is recorded."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms.ending import ReasonForm
from tournaments.models import AuditEntry, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import closing, seating, sessions, tournaments

REFUSED = (seating.HasBegun, sessions.NotLastSession, closing.EventClosed)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def remove_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Ask whether the last session is to go, in which nothing is recorded; remove it."""
    tournament = door.tournament_of(request)
    if tournament.kind == Tournament.Kind.TABLE:
        raise Http404
    found = get_object_or_404(tournament.sessions, number=session)
    found.tournament = tournament
    form = ReasonForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_valid():
        by, reason = rights.actor(request), form.cleaned_data["reason"]
        try:
            sessions.remove_session(found, by=by, reason=reason)
        except REFUSED as refused:
            form.add_error(None, refused.sentence)
        else:
            done = _("Session %(number)s is removed. The history keeps who sat where.")
            messages.success(request, done % {"number": session})
            return redirect(tournament)
    if form.is_bound:
        status = 422
    context = {
        "tournament": tournament,
        "session": found,
        "form": form,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "remove_session.html", context, status=status)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT, removed=True)
def remove_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask whether an event is to go, in which nothing is recorded; remove it, or restore it."""
    tournament = door.tournament_of(request)
    by, status = rights.actor(request), 200
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.POST.get("do") == "restore":
        tournaments.restore_tournament(tournament, by=by)
        messages.success(request, _("The tournament is back. Make new links or table cards."))
        return redirect(tournament)
    if form.is_valid() and tournament.removed_at is None:
        try:
            tournaments.remove_tournament(tournament, by=by, reason=form.cleaned_data["reason"])
        except tournaments.HasRecords as refused:
            form.add_error(None, refused.sentence)
        else:
            messages.success(request, _("The tournament is removed."))
            return redirect("remove-tournament", slug)
    if form.is_bound:
        status = 422
    context = {
        "tournament": tournament,
        "form": form,
        "act": tournament.audit_entries.filter(kind=AuditEntry.Kind.EVENT_REMOVED).last(),
        "has_records": tournament.is_frozen,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "remove_tournament.html", context, status=status)
