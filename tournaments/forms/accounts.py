"""Forms to log in, to change the password, and for the owner to manage accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.forms import REQUIRED_MESSAGES
from tournaments.permissions.guessers import guesser_of
from tournaments.services import guesses

# Django's own sentences: our catalogues translate them better, and come before Django's.
RETRANSLATED = (
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    gettext_noop("This password is too common."),
    gettext_noop("This password is entirely numeric."),
    gettext_noop("The password is too similar to the %(verbose_name)s."),
)


class LogInForm(AuthenticationForm):
    """The error does not say whether the name or the password is wrong."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _(
            "The account name or the password is wrong. Check both, and upper and lower case."
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """The password has the focus if the name is already filled in."""
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Account name")
        self.fields["password"].label = _("Password")
        for field in self.fields.values():  # created before `forms` set our default messages
            field.error_messages |= REQUIRED_MESSAGES
        if self.data.get("username") or self.initial.get("username"):
            self.fields["username"].widget.attrs.pop("autofocus", None)
            self.fields["password"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        """Authenticate, and set `user_cache`. Raises `guesses.TooManyGuesses`.

        With a missing name or password it only leaves the errors of the fields.
        """
        username, password = (self.cleaned_data.get(name) for name in ("username", "password"))
        if username and password:
            guesser = guesser_of(self.request) if self.request else guesses.UNKNOWN_GUESSER
            self.user_cache = guesses.authenticate_account(username, password, guesser=guesser)
            if self.user_cache is None:
                raise self.get_invalid_login_error()
        return self.cleaned_data


class CodeForm(forms.Form):
    """A code of the app that is the second factor, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("The six digits that the app shows, or a recovery code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "autofocus": True}
        ),
    )

    def add_wrong_code(self) -> None:
        self.add_error(
            "code", _("This code is wrong or has been used already. Wait for the next one.")
        )


class ChangePasswordForm(PasswordChangeForm):
    def __init__(self, user: User, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.request = request
        self.fields["old_password"].label = _("Current password")
        self.fields["new_password1"].label = _("New password")
        self.fields["new_password2"].label = _("New password again")
        self.fields["new_password1"].help_text = _(
            "At least 8 characters, not only digits, and not a common password"
        )
        self.fields["new_password2"].help_text = ""
        for field in self.fields.values():
            field.error_messages |= REQUIRED_MESSAGES

    def clean_old_password(self) -> str:
        """Raises `guesses.TooManyGuesses`."""
        password: str = self.cleaned_data["old_password"]
        user: User = self.user
        guesser = guesser_of(self.request)
        if guesses.authenticate_account(user.username, password, guesser=guesser) != user:
            raise forms.ValidationError(
                gettext("This is not your current password. Check upper and lower case.")
            )
        return password


class AccountForm(forms.Form):
    """A button of the list of accounts: the account, and the action of the server's owner."""

    DISABLE, ENABLE, ALLOW, FORBID, PASSWORD = "disable", "enable", "allow", "forbid", "password"

    account = forms.ModelChoiceField(User.objects.all())
    action = forms.ChoiceField(
        choices=[(each, each) for each in (DISABLE, ENABLE, ALLOW, FORBID, PASSWORD)]
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean(self) -> dict[str, Any]:
        """Raise `ValidationError` if owners disable their own account or replace its password here.

        Other actions on the own account, and all actions on other accounts, are allowed.
        """
        cleaned = super().clean() or {}
        is_own = cleaned.get("account") == self.request.user
        if is_own and cleaned.get("action") in {self.DISABLE, self.PASSWORD}:
            raise forms.ValidationError(
                gettext("This is your own account. Another owner can disable it.")
            )
        return cleaned

    @property
    def success_message(self) -> str:
        """Not for `PASSWORD`: the page shows the new one."""
        by_action = {
            self.DISABLE: gettext("%(name)s can no longer log in."),
            self.ENABLE: gettext("%(name)s can log in again."),
            self.ALLOW: gettext("%(name)s may now create tournaments."),
            self.FORBID: gettext("%(name)s may no longer create tournaments."),
        }
        return by_action[self.cleaned_data["action"]] % {"name": self.cleaned_data["account"]}
