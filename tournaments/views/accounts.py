"""Staff log in; whoever guesses passwords waits."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.forms.accounts import LogInForm
from tournaments.phones import guesses


class LogIn(LoginView):
    """Django's view; wrong passwords are counted for each account, never for an address."""

    template_name = "log_in.html"
    form_class = LogInForm
    http_method_names = ["get", "head", "post", "options"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Look at this guess, if it may be looked at."""
        try:
            return super().post(request, *args, **kwargs)
        except guesses.TooManyGuesses as throttled:
            return self._wait(throttled)

    def _wait(self, throttled: guesses.TooManyGuesses) -> HttpResponse:
        typed = {"username": self.request.POST.get("username", "")}
        form: Form = self.get_form_class()(self.request, initial=typed)
        sentence = _("Too many wrong guesses. Wait %(seconds)s seconds.")
        context = self.get_context_data(form=form, wait=sentence % {"seconds": throttled.seconds})
        response = self.render_to_response(context, status=429)
        response.headers["Retry-After"] = str(throttled.seconds)
        return response
