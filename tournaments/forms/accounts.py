"""The form by which staff log in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _

from tournaments.forms import NOTHING
from tournaments.phones import guesses


class LogInForm(AuthenticationForm):
    """Name and password. Which of the two is wrong nobody is told."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _(
            "The account name or the password is wrong. "
            "Check both: capitals and small letters differ."
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Set up; where a name has been typed, the password is what is typed again."""
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Account name")
        self.fields["password"].label = _("Password")
        for field in self.fields.values():  # which Django made before it knew our sentence
            field.error_messages |= NOTHING
        if self.data.get("username") or self.initial.get("username"):
            self.fields["username"].widget.attrs.pop("autofocus", None)
            self.fields["password"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        """Find whose password it is. That is a guess: raises `guesses.TooManyGuesses`."""
        username, password = (self.cleaned_data.get(name) for name in ("username", "password"))
        if username and password:
            self.user_cache = guesses.account(self.request, username, password)
            if self.user_cache is None:
                raise self.get_invalid_login_error()
        return self.cleaned_data
