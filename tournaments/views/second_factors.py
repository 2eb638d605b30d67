"""The second step of a log-in, and setting it up: codes of an app, and recovery codes."""

from __future__ import annotations

import time

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.accounts import CodeForm
from tournaments.permissions import guessers
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import accounts, guesses, second_factors
from tournaments.web import qr_codes

FIRST_STEP = "first_step"  # in the session: [account, digest of its password, Unix time, target]
LACKING = gettext_lazy(
    "You own this server, and anybody on the internet who has your password can log in."
)
SECONDS_FOR_A_CODE = 5 * 60
SECONDS_LOGGED_IN = 24 * 60 * 60


def remember_first_step(request: HttpRequest, user: User, target: str) -> None:
    request.session[FIRST_STEP] = [user.pk, user.get_session_auth_hash(), time.time(), target]


def finish_log_in(request: HttpRequest, response: HttpResponse, user: User) -> HttpResponse:
    """Log in for a day, and set the cookie that exempts this browser from shared limits.

    An owner without a second factor is told on the next page.
    """
    if second_factors.is_lacking(user):
        warning = '{} <a href="{}">{}</a>'
        page = reverse("second-factor")
        messages.warning(request, format_html(warning, LACKING, page, _("Two-step log-in")))
    request.session.set_expiry(SECONDS_LOGGED_IN)
    guessers.remember_browser(request, response, user.username)
    return response


@never_cache
@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def second_step(request: HttpRequest) -> HttpResponse:
    """The code is asked for until five minutes after the password; on POST log in with it."""
    pk, digest, at, target = request.session.get(FIRST_STEP, [None, "", 0, ""])
    user = User.objects.filter(pk=pk, is_active=True).first()
    is_late = not 0 <= time.time() - at <= SECONDS_FOR_A_CODE
    if user is None or is_late or not constant_time_compare(digest, user.get_session_auth_hash()):
        return redirect("log-in")
    form, wait = CodeForm(posted_data(request)), ""
    if form.is_valid():
        try:
            second_factors.check(
                user, form.cleaned_data["code"], guesser=guessers.guesser_of(request)
            )
        except second_factors.WrongCode:
            form.add_wrong_code()
        except guesses.TooManyGuesses as throttled:
            wait, seconds = throttled.words, throttled.seconds
        else:
            del request.session[FIRST_STEP]
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return finish_log_in(request, redirect(target), user)
    status = 429 if wait else 422 if form.is_bound else 200
    response = render(request, "second_step.html", {"form": form, "wait": wait}, status=status)
    if wait:
        response.headers["Retry-After"] = str(seconds)
    return response


@never_cache  # it shows secrets once
@requires(GET=Level.ACCOUNT, POST=Level.ACCOUNT)
def second_factor(request: HttpRequest) -> HttpResponse:
    """Set up the second factor of the reader's account, or remove it; each takes a code.

    With `begin` a new secret is drawn. Once set up, other log-ins and tokens end, and the recovery
    codes are shown in the response.
    """
    user = request.user
    assert isinstance(user, User)  # noqa: S101  for the types
    if "begin" in request.POST:
        second_factors.begin(user)
        return redirect("second-factor")
    form, codes, wait = CodeForm(posted_data(request)), list[str](), ""
    is_set_up = second_factors.is_set_up(user)
    if form.is_valid():
        code = form.cleaned_data["code"]
        try:
            if is_set_up:
                second_factors.check(user, code, guesser=guessers.guesser_of(request))
                second_factors.remove(user)
                messages.success(request, _("From now on, logging in needs only the password."))
                return redirect("account")
            codes = second_factors.confirm(user, code)
            accounts.end_log_ins(user, kept_session_key=request.session.session_key)
        except second_factors.WrongCode:
            form.add_wrong_code()
        except guesses.TooManyGuesses as throttled:
            wait = throttled.words
    device = second_factors.pending_device(user)
    context = {
        "form": form,
        "wait": wait,
        "is_set_up": is_set_up,
        "codes": codes,
        "codes_left": second_factors.recovery_codes_left(user),
        "secret": device.config_url.partition("secret=")[2].partition("&")[0] if device else "",
        "picture": qr_codes.data_uri(device.config_url) if device else "",
    }
    status = 200 if codes or not form.is_bound else 429 if wait else 422
    return render(request, "second_factor.html", context, status=status)
