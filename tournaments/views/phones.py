"""How a browser becomes a table's phone: by link, by table number and PIN, or by table code."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.phones import PinForm, TableCodeForm
from tournaments.i18n import sentences
from tournaments.models import Sitting
from tournaments.permissions import admission, door, guessers, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.seated_tables import last_continuation
from tournaments.services import guesses, phones, table_codes
from tournaments.views import ended_phones
from tournaments.views.ended_phones import explain_ended_phone


@never_cache
@requires(GET=Level.ANYBODY)
def join_table(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect from a table's link to the table, with a cookie that admits the browser as a phone.

    Nothing is written here: the phone is admitted when the browser follows the redirect, which link
    previews do not. The token is not in the URL of the redirect. Without an open table for this
    token the page explains why the link has ended; browsers that prefetch the page get 403.
    """
    if _is_prefetch(request):
        return HttpResponseForbidden()
    try:
        sitting = phones.sitting_of_link(token)
    except phones.NoSuchLink:
        return ended_phones.explain_ended_link(request, token)
    if request.method == "GET" and not rights.may_record(request, sitting):
        admission.set_admission_cookie(request, sitting)
        return _redirect_by_role(sitting, is_writer=not phones.has_writer(sitting))
    return _redirect_phone(request, sitting)


def _is_prefetch(request: HttpRequest) -> bool:
    """Return whether the browser loads the page before anybody has clicked the link."""
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose"))
    return any(each.startswith(("prefetch", "preview")) for each in purposes)


@never_cache
@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def join(request: HttpRequest) -> HttpResponse:
    """Show the forms for a table's number and PIN and for the code of a club table.

    On POST make this browser a phone of that table and redirect to it.
    """
    if "code" in request.POST:
        return _join_with_code(request)
    form = PinForm(posted_data(request))
    throttled = None
    if form.is_valid():
        try:
            joined = phones.join_by_number_alone(
                form.cleaned_data["table"],
                form.cleaned_data["pin"],
                guesser=guessers.guesser_of(request),
            )
        except (phones.WrongPin, phones.NoSuchLink):  # NoSuchLink: the table was closed just now
            form.ask_pin_again(
                gettext(
                    "The table’s number or the PIN is wrong. A card that was printed again has a "
                    "new PIN; once a tournament is over, its PINs no longer work."
                )
            )
        except guesses.TooManyGuesses as error:
            form.ask_pin_again(error.words)
            throttled = error
        else:
            admission.remember_phone(request, joined)
            messages.success(request, _joined_message(joined.phone.sitting))
            return _redirect_phone(request, joined.phone.sitting)
    return _show_forms(request, form, TableCodeForm(), throttled)


def _join_with_code(request: HttpRequest) -> HttpResponse:
    """Make this browser a phone of the club table with the posted code; else show the error."""
    form, throttled = TableCodeForm(posted_data(request)), None
    if form.is_valid():
        code, guesser = form.cleaned_data["code"], guessers.guesser_of(request)
        try:
            joined = table_codes.join(code, guesser=guesser)
        except (table_codes.WrongCode, table_codes.CodeEnded) as refused:
            form.ask_again(str(refused.sentence))
        except guesses.TooManyGuesses as error:
            form.ask_again(error.words)
            throttled = error
        else:
            admission.remember_phone(request, joined)
            return _redirect_phone(request, joined.phone.sitting)
    pin_form = PinForm()
    pin_form.remove_autofocus()
    return _show_forms(request, pin_form, form, throttled)


def _show_forms(
    request: HttpRequest,
    pin_form: PinForm,
    code_form: TableCodeForm,
    throttled: guesses.TooManyGuesses | None,
) -> HttpResponse:
    """Status 429 if `throttled`, 422 if one of the forms was posted."""
    is_posted = pin_form.is_bound or code_form.is_bound
    context = {"form": pin_form, "code_form": code_form}
    status = 429 if throttled else 422 if is_posted else 200
    response = render(request, "join.html", context, status=status)
    if throttled:
        response.headers["Retry-After"] = str(throttled.seconds)
    return response


def _joined_message(sitting: Sitting) -> str:
    """Return the message that the phone has joined.

    It names the event, as several events can have the table's number, and the event's date unless
    it is today.
    """
    event = sitting.session.tournament
    params = {"table": sitting.shown_number, "event": sentences.isolated(event.name)}
    if event.held_on == timezone.localdate():
        message = gettext("This phone has joined table %(table)s of %(event)s.")
    else:
        message = gettext(
            "This phone has joined table %(table)s of %(event)s, on %(date)s. "
            "That is not today: please check."
        )
        params["date"] = date_format(event.held_on)
    return message % params


def _redirect_phone(request: HttpRequest, sitting: Sitting) -> HttpResponse:
    """Redirect this browser by its phone's role; staff without a phone are redirected as a writer.

    See `_redirect_by_role`.
    """
    phone = rights.phone_at(request, sitting)
    return _redirect_by_role(sitting, is_writer=phone is None or phone.is_writer)


def _redirect_by_role(sitting: Sitting, *, is_writer: bool) -> HttpResponse:
    if is_writer:
        return _redirect_to_next_round(sitting)
    in_play = last_continuation(sitting)
    session = in_play.session
    return redirect("take-over", session.tournament.slug, session.number, in_play.number)


def _redirect_to_next_round(sitting: Sitting) -> HttpResponse:
    """Redirect to the form of the next round; to the table's page if only totals are typed in."""
    in_play = last_continuation(sitting)
    session = in_play.session
    if session.totals_only:
        return redirect(in_play)
    return redirect("play-table", session.tournament.slug, session.number, in_play.number)


@never_cache
@explain_ended_phone
@requires(GET=Level.PHONE, POST=Level.PHONE)
def take_over(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """On POST make this phone the writer."""
    sitting = door.sitting_of(request)
    phone = rights.phone_at(request, sitting)
    if phone is None:
        raise Http404
    if request.method == "POST":
        try:
            phones.take_over(phone)
        except phones.NoSuchLink:  # the table was closed a moment ago
            raise Http404 from None
        return _redirect_to_next_round(sitting)
    context = {"sitting": sitting, "tournament": sitting.session.tournament, "phone": phone}
    return render(request, "take_over.html", context)
