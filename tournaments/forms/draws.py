"""The form of a draw: how seats are drawn, who sits out, who is kept apart or fixed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.player_finder import PlayerFinder, PlayerNotFound
from tournaments.i18n.draws import METHODS
from tournaments.models import Entry
from tournaments.queries.draw_records import DrawRecord
from tournaments.queries.seat_draws import NEW_SEEDS, Choices, new_seed

USUAL_METHOD = "fewest_repeats"
MOST_SESSIONS = 20  # drawn together here
METHODS_HERE = ("fewest_repeats", "lot", "level", "mixed")
TABLE_AT_END = re.compile(r"(.+?)[\s:：→=]+(\d{1,4})")
TABLES = re.compile(r"(\d{1,4})x(\d{1,3})")
LINES = {"rows": 2, "spellcheck": "false"}


class DrawForm(forms.Form):
    """How seats are drawn, and who sits out. A seed typed in repeats a draw; without, it is new."""

    out = forms.CharField(
        label=_("Sitting out"),
        help_text=_("Players who do not play this session, by number, name or reading: 7, 12"),
        required=False,
        max_length=5000,
    )
    method = forms.ChoiceField(
        label=_("How the seats are drawn"),
        choices=[(code, METHODS[code]) for code in METHODS_HERE],
        required=False,
    )
    separates_clubs = forms.BooleanField(
        label=_("Seat players of one club apart, where that is possible"),
        required=False,
        initial=True,
    )
    separates_teams = forms.BooleanField(
        label=_("Never seat players of one team at a table"), required=False, initial=True
    )
    mix = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    apart = forms.CharField(
        label=_("Kept apart"),
        help_text=_("Players who must not share a table, one group a line: 3, 17"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs=LINES),
    )
    fixed = forms.CharField(
        label=_("Fixed to a table"),
        help_text=_("One player a line, then the table: 12: 1"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs=LINES),
    )
    seed = forms.IntegerField(
        label=_("Number of the draw"),
        help_text=_("The same number gives the same draw. Empty: a new one."),
        min_value=0,
        max_value=NEW_SEEDS - 1,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 10}),
    )

    def __init__(
        self,
        entries: Iterable[Entry],
        *args: Any,
        sizes: Sequence[int] = (),
        last: DrawRecord | None = None,
        **kwargs: Any,
    ) -> None:
        """Set up with the players; `last` is the draw whose pairs and fixed places are kept."""
        self.players = PlayerFinder(entries)
        self.teams = _teams_of(self.players.by_key)
        if last is not None:
            wishes = _wishes_of(last, self.players.by_key)
            kwargs["initial"] = wishes | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.sizes = sizes

    def clean_out(self) -> list[Entry]:
        """Return the players who sit out, or an error for each text that matches none."""
        return self._players_in(self.cleaned_data["out"])

    def clean_apart(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of players kept apart, by key."""
        groups = [self._players_in(line) for line in _lines(self.cleaned_data["apart"])]
        if any(len(set(group)) < 2 for group in groups):
            raise ValidationError(gettext("Name two or more different players in each line."))
        return tuple(tuple(entry.key for entry in group) for group in groups)

    def clean_fixed(self) -> tuple[tuple[str, int], ...]:
        """Return the key of each player who is fixed, and the number of the table."""
        tables: dict[str, int] = {}
        for line in _lines(self.cleaned_data["fixed"]):
            found = TABLE_AT_END.fullmatch(line)
            if found is None or int(found[2]) == 0:
                words = gettext("Write a player and the number of a table: %(line)s")
                raise ValidationError(words % {"line": line[:50]})
            [*entries] = self._players_in(found[1])
            tables |= {entry.key: int(found[2]) for entry in entries}
        return tuple(tables.items())

    def clean_mix(self) -> tuple[int, ...]:
        """Return the sizes of the tables, largest first; none for the usual ones."""
        typed = self.cleaned_data["mix"].split()
        found = [TABLES.fullmatch(each) for each in typed]
        parts = [(int(each[1]), int(each[2])) for each in found if each]
        if len(parts) != len(typed) or not all(size in self.sizes for _count, size in parts):
            raise ValidationError(gettext("Choose one of the tables listed."))
        return tuple(
            size for count, size in sorted(parts, key=lambda part: -part[1]) for _ in range(count)
        )

    def _players_in(self, text: str) -> list[Entry]:
        """Return the players named in a text. Raises `ValidationError` with all that match none."""
        found, problems = [], []
        for word in self.players.split(text):
            try:
                found.append(self.players.find(word))
            except PlayerNotFound as error:
                problems.append(str(error))
        if problems:
            raise ValidationError(problems)
        return found

    def choices(self) -> Choices:
        """Return what was chosen, with a new seed if none was typed; the usual if unbound.

        An unbound form keeps those apart or fixed whom the last draw did.
        """
        if not self.is_bound:
            unseeded = Choices(USUAL_METHOD, separates_clubs=True, seed=new_seed())
            return unseeded._replace(
                apart=(
                    *(tuple(line.split()) for line in _lines(self.initial.get("apart", ""))),
                    *self.teams,
                ),
                fixed=tuple(
                    (line.split()[0].rstrip(":"), int(line.split()[1]))
                    for line in _lines(self.initial.get("fixed", ""))
                ),
            )
        data = self.cleaned_data
        return Choices(
            data["method"] or USUAL_METHOD,
            data["separates_clubs"],
            new_seed() if data["seed"] is None else data["seed"],
            (*data["apart"], *(self.teams if data["separates_teams"] else ())),
            data["fixed"],
            data["mix"],
        )


class ScheduleForm(DrawForm):
    """A draw of several sessions together."""

    sessions = forms.IntegerField(
        label=_("How many sessions"),
        help_text=_("Drawn together, fewer players meet twice than drawn one after the other."),
        min_value=1,
        max_value=MOST_SESSIONS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def choices(self) -> Choices:
        """Return what was chosen; as many sessions as initially if none were typed."""
        typed = self.cleaned_data["sessions"] if self.is_bound else None
        return super().choices()._replace(sessions=typed or self.usual_sessions)

    @property
    def usual_sessions(self) -> int:
        """Return how many sessions are proposed."""
        return int(self.initial.get("sessions", 1))


def _teams_of(entries: Mapping[str, Entry]) -> list[tuple[str, ...]]:
    """Return the players of each team of two or more, by key."""
    teams: dict[str, list[str]] = {}
    for key, entry in entries.items():
        if entry.team:
            teams.setdefault(entry.team, []).append(key)
    return [tuple(members) for members in teams.values() if len(members) > 1]


def _wishes_of(draw: DrawRecord, entries: Mapping[str, Entry]) -> dict[str, str]:
    """Return who was kept apart or fixed in a draw, as the form holds it, without teammates.

    Of those only who is among these entries, by key: to a final, not everybody goes on.
    """
    pairs = [
        f"{one} {other}"
        for one, other in draw.apart
        if {str(one), str(other)} <= entries.keys()
        and not _are_teammates(entries[str(one)], entries[str(other)])
    ]
    fixed = [f"{number}: {table}" for number, table in draw.fixed if str(number) in entries]
    return {"apart": "\n".join(pairs), "fixed": "\n".join(fixed)}


def _are_teammates(one: Entry, other: Entry) -> bool:
    return bool(one.team) and one.team == other.team


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
