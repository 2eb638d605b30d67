"""The form that adds a member of staff."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from tournaments.models import Membership, Tournament
from tournaments.services.staff import (
    AlreadyOnStaff,
    ConfusingName,
    check_not_confusing,
    clean_account_name,
)


class StaffForm(forms.Form):
    """A new or an existing account, and its role in a tournament.

    `user` is the existing account once the form is valid, None for a new account.
    """

    NEW, EXISTING = "new", "existing"

    account = forms.ChoiceField(
        label=_("Account"),
        choices=[
            (NEW, _("Create a new account; its password is shown once")),
            (EXISTING, _("Add somebody who has an account already")),
        ],
        initial=NEW,
        widget=forms.RadioSelect,
    )
    username = forms.CharField(
        label=_("Account name"),
        help_text=_("Letters, digits and @ . + - _ only"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[
            (Membership.Role.SCOREKEEPER, _("Scorekeeper: records and corrects rounds")),
            (Membership.Role.DIRECTOR, _("Director: may change everything")),
        ],
        initial=Membership.Role.SCOREKEEPER,
        widget=forms.RadioSelect,
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        self.user: User | None = None

    def clean_username(self) -> str:
        """A reserved or invalid name is an error."""
        return clean_account_name(self.cleaned_data["username"])

    def _check_not_confusing(self, username: str) -> None:
        """Add an error to a name that can be taken for that of another account."""
        try:
            check_not_confusing(username)
        except ConfusingName as refused:
            self.add_error("username", str(refused))

    def clean(self) -> dict[str, Any]:
        """Set `user`.

        For a new account, a name that is taken is an error; for an existing account, an unknown
        name, and an account that is already on the staff.
        """
        cleaned = super().clean() or {}
        if not {"account", "username"} <= cleaned.keys():
            return cleaned
        self.user = User.objects.filter(username=cleaned["username"]).first()
        if cleaned["account"] == self.NEW:
            if self.user:
                self.add_error(
                    "username",
                    _(
                        "There is already an account with this name: choose another name, or add "
                        "that account."
                    ),
                )
            else:
                self._check_not_confusing(cleaned["username"])
        elif self.user is None:
            self.add_error(
                "username",
                _("There is no account with this name: correct the name, or create the account."),
            )
        elif self.tournament.memberships.filter(user=self.user).exists():
            self.add_error("username", AlreadyOnStaff.sentence)
        return cleaned
