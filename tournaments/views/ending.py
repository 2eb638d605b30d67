"""Ending a session before every planned round is in, and taking that back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms.ending import EndSessionForm
from tournaments.models import Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import closing, sessions


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def end_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """List the unfinished tables, each to be ticked; end the session, or take that back."""
    tournament = door.tournament_of(request)
    if tournament.kind == Tournament.Kind.TABLE:
        raise Http404
    found = get_object_or_404(tournament.sessions, number=session)
    found.tournament = tournament
    if request.method != "POST":
        return _show(request, found)
    try:
        if request.POST.get("do") == "resume":
            sessions.resume_session(found, by=rights.actor(request))
            messages.success(request, _("Session %(number)s goes on.") % {"number": session})
            return redirect(found)
        return _end(request, found)
    except closing.EventClosed as refused:
        messages.error(request, str(refused))
        return redirect(found)


def _end(request: HttpRequest, session: Session) -> HttpResponse:
    form = EndSessionForm(_playing(session), request.POST)
    if not form.is_valid():
        return _show(request, session, form, status=422)
    try:
        sessions.end_session(
            session,
            stopping=form.cleaned_data["stopping"],
            by=rights.actor(request),
            reason=form.cleaned_data["reason"],
        )
    except sessions.Unfinished:  # another table began a moment ago: it is listed, and not ticked
        return _end(request, session)
    messages.success(request, _("Session %(number)s has ended.") % {"number": session.number})
    return redirect(session)


def _playing(session: Session) -> list[int]:
    return [sheet.sitting.number for sheet in sessions.unfinished_sheets(session)]


def _show(
    request: HttpRequest, session: Session, form: EndSessionForm | None = None, status: int = 200
) -> HttpResponse:
    sheets = sessions.unfinished_sheets(session) if session.ended_at is None else []
    context = {
        "tournament": session.tournament,
        "session": session,
        "sheets": sheets,
        "form": form or EndSessionForm([sheet.sitting.number for sheet in sheets]),
        "ticked": form.data.getlist("stopping") if form else [],  # type: ignore[attr-defined]
        "rules_fingerprint": session.tournament.rules.fingerprint,
    }
    return render(request, "end_session.html", context, status=status)
