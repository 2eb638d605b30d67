"""Accounts: logging in, one's own password and log-ins, and the owner's list of all accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.accounts import AccountForm, ChangePasswordForm, LogInForm
from tournaments.permissions import rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.server import venue
from tournaments.services import accounts as all_accounts
from tournaments.services import guesses, second_factors
from tournaments.views.second_factors import LACKING, finish_log_in, remember_first_step

View = Callable[..., HttpResponse]


class _ThrottledForm:
    """Mixin of a view with a password form: answers 429 after too many wrong passwords."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the view's response to the form, or 429 if the form raises `TooManyGuesses`."""
        view: Any = super()
        try:
            answer: HttpResponse = view.post(request, *args, **kwargs)
        except guesses.TooManyGuesses as throttled:
            return self._answer_throttled(throttled)
        return answer

    def _answer_throttled(self, throttled: guesses.TooManyGuesses) -> HttpResponse:
        """Return the page with status 429, the seconds to wait and a form that is not bound.

        Of the typed fields the form repeats only the user name.
        """
        view: Any = self
        kwargs = view.get_form_kwargs()
        typed = {"username": view.request.POST.get("username", "")}
        kwargs |= {"data": None, "files": None, "initial": typed}
        form: Form = view.get_form_class()(**kwargs)
        context = view.get_context_data(form=form, wait=throttled.words)
        response: HttpResponse = view.render_to_response(context, status=429)
        response.headers["Retry-After"] = str(throttled.seconds)
        return response


class LogIn(_ThrottledForm, LoginView):
    """Django's log-in; wrong passwords are counted by `services.guesses`."""

    template_name = "log_in.html"
    form_class = LogInForm
    http_method_names = ["get", "head", "post", "options"]

    def form_valid(self, form: LogInForm) -> HttpResponse:  # type: ignore[override]
        """Log in, or ask for the second factor, if the account has one."""
        user = form.get_user()
        if second_factors.is_set_up(user):
            remember_first_step(self.request, user, self.get_success_url())
            return redirect("second-step")
        return finish_log_in(self.request, super().form_valid(form), user)


class ChangePassword(_ThrottledForm, PasswordChangeView):
    """Django's view; ends all other log-ins and tokens of the account."""

    template_name = "change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")
    http_method_names = ["get", "head", "post", "options"]

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the request: the form counts wrong passwords by browser and address."""
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        """This browser stays logged in."""
        response = super().form_valid(form)
        all_accounts.end_log_ins(form.user, kept_session_key=self.request.session.session_key)
        messages.success(self.request, _("Your password has been changed."))
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Return the page; with status 422 by default if the form was posted."""
        if context["form"].is_bound:
            kwargs.setdefault("status", 422)
        return super().render_to_response(context, **kwargs)


log_in = requires(GET=Level.ANYBODY, POST=Level.ANYBODY)(LogIn.as_view())
change_password = requires(GET=Level.ACCOUNT, POST=Level.ACCOUNT)(ChangePassword.as_view())


@requires(GET=Level.ACCOUNT, POST=Level.ACCOUNT)
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show the reader's account; on POST with `end`, end all its other log-ins and tokens."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101  for the types
    if "end" in request.POST:
        all_accounts.end_log_ins(user, kept_session_key=request.session.session_key)
        messages.success(request, _("This account is now logged out everywhere else."))
        return redirect("account")
    memberships = user.memberships.filter(tournament__removed_at=None)
    memberships = memberships.select_related("tournament").order_by("-tournament__held_on")
    status = 422 if request.method == "POST" else 200
    return render(request, "account.html", {"memberships": memberships}, status=status)


@never_cache  # it shows a new password once
@requires(GET=Level.OWNER, POST=Level.OWNER)
def accounts(request: HttpRequest) -> HttpResponse:
    """List all accounts; let the owner disable and enable them, set rights and passwords.

    A new password is shown once, in the response to the POST; other changes redirect.
    """
    owner = rights.actor(request)
    form = AccountForm(request, posted_data(request))
    password = ""
    if request.method == "POST" and form.is_valid():
        user, action = form.cleaned_data["account"], form.cleaned_data["action"]
        match action:
            case AccountForm.DISABLE:
                all_accounts.disable_account(user, by=owner)
            case AccountForm.ENABLE:
                all_accounts.enable_account(user, by=owner)
            case AccountForm.ALLOW | AccountForm.FORBID:
                all_accounts.set_may_create_events(user, may=action == AccountForm.ALLOW, by=owner)
            case AccountForm.PASSWORD:
                password = venue.readable_password()
                all_accounts.set_password(user, password, by=owner)
        if not password:
            messages.success(request, form.success_message)
            return redirect("accounts")
    context = {
        "form": form,
        "rows": [
            (each, all_accounts.may_create_events(each)) for each in all_accounts.all_accounts()
        ],
        "password": password,
    }
    assert isinstance(request.user, User)  # noqa: S101  for the types
    context["lacks_second_factor"] = second_factors.is_lacking(request.user) and LACKING
    has_errors = form.is_bound and not password
    return render(request, "accounts.html", context, status=422 if has_errors else 200)
