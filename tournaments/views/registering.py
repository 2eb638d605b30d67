"""The public pages of registration: applying to play, and the state of an application."""

from __future__ import annotations

import secrets
from contextlib import nullcontext
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.audit import AN_APPLICANT
from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.registrations import MOST_LETTERS_OF_CODE, RegisterForm
from tournaments.models import Registration, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.daily_limits import REGISTRATIONS
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.registrations import (
    applicant_of,
    open_count,
    registration_with_key,
    vacancies_for_new,
    vacancies_of,
)
from tournaments.services import registrations as service
from tournaments.services.daily_counts import TooManyToday
from tournaments.services.idempotency import KeyReused
from tournaments.web import peers
from tournaments.web.origins import qr_code
from tournaments.web.refusals import refusal_as_message

KEY_BYTES = 24


@never_cache
@requires(GET=Level.APPLY, POST=Level.APPLY)
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the application form, or why there is none; on POST store the application.

    Redirects to the page of the application. The key in the form is the idempotency key: posted
    twice, the form stores one application. Answers 429 once the phone has sent as many applications
    as it may within a day, and 409 if the application is refused.
    """
    tournament = door.tournament_of(request)
    vacancies = vacancies_for_new(tournament)
    form = RegisterForm(
        tournament.registration_settings.divisions,
        vacancies,
        posted_data(request),
        initial={
            "key": secrets.token_urlsafe(KEY_BYTES),
            "invitation": request.GET.get("code", "")[:MOST_LETTERS_OF_CODE],
        },
    )
    status, seconds_to_wait = 422 if form.is_bound else 200, 0
    if form.is_valid():
        try:
            return _store_application(request, tournament, form)
        except TooManyToday as refused:
            words = _(
                "Not sent: %(most)s applications have already been sent from here today. Ask the "
                "organiser."
            )
            form.add_error(None, words % {"most": REGISTRATIONS.limit})
            status, seconds_to_wait = 429, refused.seconds
        except KeyReused:
            form = _form_with_new_key(request, tournament)
            status = 409
        except service.WrongCode as refused:
            form.add_error("invitation", str(refused))
        except OperationRefused as refused:
            form.add_error(None, str(refused))
            status = 409
    context = {"tournament": tournament, "form": form, "settings": tournament.registration_settings}
    context |= {"is_taking": tournament.takes_registrations, "places": vacancies}
    context["has_ended"] = tournament.registration_settings.has_ended(timezone.now())
    context["asks_for_code"] = "invitation" in form.errors or (
        not peers.is_at_venue(request)
        and (
            tournament.registration_settings.is_automatic
            or open_count(tournament) >= service.MOST_OPEN_WITHOUT_CODE
        )
    )
    response = render(request, "register.html", context, status=status)
    if seconds_to_wait:
        response.headers["Retry-After"] = str(seconds_to_wait)
    return response


def _store_application(
    request: HttpRequest, tournament: Tournament, form: RegisterForm
) -> HttpResponse:
    """Store the application of a valid form, and redirect to its page.

    It counts for the daily limit unless an application with its key is stored already.
    """
    key, code = form.cleaned_data["key"], form.cleaned_data["invitation"]
    by, is_at_venue = rights.actor(request, default_who=AN_APPLICANT), peers.is_at_venue(request)
    is_new = registration_with_key(tournament, key) is None
    with REGISTRATIONS.counting(request) if is_new else nullcontext():
        service.register(
            tournament, form.person, key=key, by=by, code=code, is_at_venue=is_at_venue
        )
    address = reverse("registration", args=[tournament.slug, key])
    return redirect(f"{address}?{urlencode({'code': code})}" if code else address)


def _form_with_new_key(request: HttpRequest, tournament: Tournament) -> RegisterForm:
    """Return the posted form with a new key and an error that explains it.

    The old key belongs to a stored application with other contents. If the form is posted again,
    it becomes another application.
    """
    data = request.POST.copy()
    data["key"] = secrets.token_urlsafe(KEY_BYTES)
    divisions = tournament.registration_settings.divisions
    form = RegisterForm(divisions, vacancies_for_new(tournament), data)
    form.add_error(
        None,
        _(
            "A different application has already been sent from this page. If this one is "
            "for somebody else, send it again."
        ),
    )
    return form


@never_cache
@requires(GET=Level.APPLY, POST=Level.APPLY)
def registration(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """On POST withdraw the application."""
    row = registration_with_key(door.tournament_of(request), key)
    if row is None:
        raise Http404
    if request.method == "POST":
        with refusal_as_message(request):
            service.withdraw_application(row, by=rights.actor(request, default_who=AN_APPLICANT))
        return redirect("registration", slug, key)
    context = {
        "tournament": row.tournament,
        "applicant": (applicant := applicant_of(row)),
        "is_place_free": applicant.state == Registration.State.WAITING
        and vacancies_of(row.tournament).has_place_for(row.division),
        "settings": row.tournament.registration_settings,
        "link": qr_code(request, reverse("registration", args=[slug, key])),
    }
    return render(request, "registration.html", context)
