"""The form that sets and runs the clock of a session."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.forms.sessions import ReasonForm
from tournaments.models import Clock, Session
from tournaments.models.clocks import MAX_SECONDS
from tournaments.queries.clocks import ClockSettings, settings_of
from tournaments.services.clocks import ClockAction
from tournaments.web.numbers import MAX_NUMBER

MOST_MINUTES = MAX_SECONDS // 60


class ClockForm(ReasonForm):
    """A button of the clock's page. `do` is its action, the other fields are values for it.

    - `set`, `set_and_start`: set the typed `minutes` and `last_minutes`
    - `add`: set the whole time to `seconds`
    - `extra`: give `table` so many `extra_minutes`

    Other actions set nothing. Settings that an action does not set stay unchanged.
    """

    ACTIONS = ("set", "set_and_start", "add", "extra", *ClockAction)

    do = forms.ChoiceField(choices=[(each, each) for each in ACTIONS])
    seen = forms.IntegerField(min_value=0, max_value=MAX_NUMBER)
    seconds = forms.IntegerField(min_value=1, max_value=MAX_SECONDS, required=False)
    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=1, max_value=MOST_MINUTES, required=False
    )
    last_minutes = forms.IntegerField(
        label=_("Last call, in minutes before the end"),
        min_value=1,
        max_value=MOST_MINUTES,
        required=False,
    )
    table = forms.TypedChoiceField(label=_("Table"), coerce=int, required=False, empty_value=None)
    extra_minutes = forms.IntegerField(
        label=_("Minutes more"),
        min_value=-MOST_MINUTES,
        max_value=MOST_MINUTES,
        required=False,
        help_text=_("0 removes the extra time."),
    )

    def __init__(
        self, session: Session, clock: Clock | None, data: QueryDict | None, *, minutes: int
    ) -> None:
        """Set up with the session's tables and the clock that the page shows.

        Without a clock, `minutes` are proposed.
        """
        present = settings_of(clock) if clock else ClockSettings(60 * minutes, 300)
        self.present = present
        initial = {
            "minutes": present.seconds // 60,
            "last_minutes": present.last_round // 60 if present.last_round else None,
            "extra_minutes": 5,
        }
        super().__init__(data, initial=initial)
        sittings = session.sittings.filter(continues=None)
        numbers = list(sittings.values_list("number", flat=True))
        self.fields[("table")].choices = [(number, number) for number in numbers]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        required = {
            "set": ["minutes"],
            "set_and_start": ["minutes"],
            "add": ["seconds"],
            "extra": ["table", "extra_minutes"],
        }.get(cleaned.get("do", ""), [])
        for name in required:
            if cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, forms.Field.default_error_messages["required"])
        return cleaned

    @property
    def seen_version(self) -> int:
        return int(self.cleaned_data["seen"])

    @property
    def changes_settings(self) -> bool:
        """Return whether the action sets the time of the session or of a table."""
        return self.cleaned_data["do"] in {"set", "set_and_start", "add", "extra"}

    @property
    def new_settings(self) -> ClockSettings:
        """Return the settings of the clock after an action that `changes_settings`."""
        cleaned = self.cleaned_data
        match cleaned["do"]:
            case "add":
                return self.present._replace(seconds=cleaned["seconds"])
            case "extra":
                extra = {str(cleaned["table"]): 60 * cleaned["extra_minutes"]}
                return self.present._replace(extra={**self.present.extra, **extra})
        last_minutes = cleaned["last_minutes"]
        return self.present._replace(
            seconds=60 * cleaned["minutes"],
            last_round=60 * last_minutes if last_minutes else None,
        )
