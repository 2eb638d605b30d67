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
    """One button of the page: `do` is what it does, the other fields what it sets.

    `seconds` is set by the buttons that add minutes, `minutes` by typing; `table` and
    `extra_minutes` by the form for one table. What is not sent stays as it is.
    """

    DOINGS = ("set", "set_and_start", "add", "extra", *ClockAction)

    do = forms.ChoiceField(choices=[(each, each) for each in DOINGS])
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
        help_text=_("0 takes them back."),
    )

    def __init__(
        self, session: Session, clock: Clock | None, data: QueryDict | None, *, minutes: int
    ) -> None:
        """Set up with the session's tables and the clock shown; `minutes` are proposed."""
        before = settings_of(clock) if clock else ClockSettings(60 * minutes, 300)
        self.before = before
        initial = {
            "minutes": before.seconds // 60,
            "last_minutes": before.last_round // 60 if before.last_round else None,
            "extra_minutes": 5,
        }
        super().__init__(data, initial=initial)
        playing = session.sittings.filter(continued_by=None)
        numbers = list(playing.values_list("number", flat=True))
        self.fields["table"].choices = [(number, number) for number in numbers]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Check that what the button sets is there."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        needed = {
            "set": ["minutes"],
            "set_and_start": ["minutes"],
            "add": ["seconds"],
            "extra": ["table", "extra_minutes"],
        }.get(cleaned.get("do", ""), [])
        for name in needed:
            if cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, forms.Field.default_error_messages["required"])
        return cleaned

    @property
    def seen_version(self) -> int:
        """Return the version of the clock that was shown."""
        return int(self.cleaned_data["seen"])

    @property
    def is_setting(self) -> bool:
        """Return whether the button changes how long is played."""
        return self.cleaned_data["do"] in {"set", "set_and_start", "add", "extra"}

    @property
    def wanted(self) -> ClockSettings:
        """Return the settings of the clock after the button."""
        typed = self.cleaned_data
        match typed["do"]:
            case "add":
                return self.before._replace(seconds=typed["seconds"])
            case "extra":
                extra = {str(typed["table"]): 60 * typed["extra_minutes"]}
                return self.before._replace(extra={**self.before.extra, **extra})
        last = typed["last_minutes"]
        return self.before._replace(
            seconds=60 * typed["minutes"], last_round=60 * last if last else None
        )
