"""Staff log in; whoever guesses passwords waits."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView
from django.forms import Form
from django.http import HttpRequest, HttpResponse

from tournaments.forms.accounts import LogInForm
from tournaments.phones import guesses


class LogIn(LoginView):
    """Django's view; wrong passwords are counted, see `guesses`."""

    template_name = "log_in.html"
    form_class = LogInForm
    http_method_names = ["get", "head", "post", "options"]

    def form_valid(self, form: LogInForm) -> HttpResponse:  # type: ignore[override]
        """Log in, and know this browser again."""
        response = super().form_valid(form)
        guesses.remember_browser(self.request, response, form.get_user().username)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Look at this guess, if it may be looked at."""
        try:
            return super().post(request, *args, **kwargs)
        except guesses.TooManyGuesses as throttled:
            return self._wait(throttled)

    def _wait(self, throttled: guesses.TooManyGuesses) -> HttpResponse:
        typed = {"username": self.request.POST.get("username", "")}
        form: Form = self.get_form_class()(self.request, initial=typed)
        context = self.get_context_data(form=form, wait=throttled.words)
        response = self.render_to_response(context, status=429)
        response.headers["Retry-After"] = str(throttled.seconds)
        return response
