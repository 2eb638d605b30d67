"""Forms of a draw: its method and seed, who sits out, who is kept apart or fixed to a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.draws import best_mix
from tournaments.forms.player_finder import PlayerFinder, PlayerNotFound
from tournaments.i18n.draws import METHODS
from tournaments.models import Entry
from tournaments.queries.draw_records import DrawRecord
from tournaments.queries.seat_draws import NEW_SEEDS, Choices, new_seed

USUAL_METHOD = "fewest_repeats"
MOST_SESSIONS = 20  # that can be drawn together
OFFERED_METHODS = ("fewest_repeats", "lot", "level", "mixed")
TABLE_AT_END = re.compile(r"(.+?)[\s:：→=]+(\d{1,4})")
TABLES = re.compile(r"(\d{1,4})x(\d{1,3})")
LINES = {"rows": 2, "spellcheck": "false"}


class DrawForm(forms.Form):
    """How seats are drawn, and who sits out. A typed seed repeats a draw; without, it is new.

    `mix` are the numbers and sizes of the tables, such as `2x6 3x5`: two tables of six, three of
    five. Empty: the usual sizes.
    """

    out = forms.CharField(
        label=_("Sitting out"),
        help_text=_("Players who do not play this session, by number, name or reading: 7, 12"),
        required=False,
        max_length=5000,
    )
    method = forms.ChoiceField(
        label=_("How the seats are drawn"),
        choices=[(code, METHODS[code]) for code in OFFERED_METHODS],
        required=False,
    )
    separates_clubs = forms.BooleanField(
        label=_("Seat players of the same club apart, where possible"),
        required=False,
        initial=True,
    )
    separates_teams = forms.BooleanField(
        label=_("Never seat players of the same team together"), required=False, initial=True
    )
    mix = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    apart = forms.CharField(
        label=_("Kept apart"),
        help_text=_("Players who must not share a table, one group per line: 3, 17"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs=LINES),
    )
    fixed = forms.CharField(
        label=_("Fixed to a table"),
        help_text=_("One player per line, then the table: 12: 1"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs=LINES),
    )
    seed = forms.IntegerField(
        label=_("Number of the draw"),
        help_text=_("The same number gives the same draw. Leave blank for a new one."),
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
        last_draw: DrawRecord | None = None,
        groups: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        """Players kept apart and fixed in `last_draw` are initial values.

        `groups` are those that are drawn apart, by key of the player. It is proposed to keep
        teammates apart only if there are tables enough.
        """
        self.players = PlayerFinder(entries)
        self.teams = _teams_of(self.players.by_key)
        if last_draw is not None:
            constraints = _constraints_of(last_draw, self.players.by_key)
            kwargs["initial"] = constraints | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.sizes = sizes
        if "separates_teams" not in self.initial:
            self.initial["separates_teams"] = self._can_separate_teams(groups or {})

    def _can_separate_teams(self, groups: Mapping[str, str]) -> bool:
        out = {*self.initial.get("out", "").split()}
        by_group: dict[str, list[Entry]] = {}
        for key, entry in self.players.by_key.items():
            if key not in out:
                by_group.setdefault(groups.get(key, ""), []).append(entry)
        return all(
            max(Counter(each.team for each in players if each.team).values(), default=0)
            <= len(best_mix(len(players), self.sizes))
            for players in by_group.values()
        )

    def clean_out(self) -> list[Entry]:
        """Return the players who sit out. Each text that matches no player is an error."""
        return self._players_in(self.cleaned_data["out"])

    def clean_apart(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of players kept apart: a tuple of their keys for each line."""
        groups = [self._players_in(line) for line in _lines(self.cleaned_data["apart"])]
        if any(len(set(group)) < 2 for group in groups):
            raise ValidationError(gettext("Enter two or more different players in each line."))
        return tuple(tuple(entry.key for entry in group) for group in groups)

    def clean_fixed(self) -> tuple[tuple[str, int], ...]:
        """Return pairs of a player's key and the number of the table where the player must sit."""
        table_by_player: dict[str, int] = {}
        for line in _lines(self.cleaned_data["fixed"]):
            match = TABLE_AT_END.fullmatch(line)
            if match is None or int(match[2]) == 0:
                words = gettext("Enter a player and the number of a table: %(line)s")
                raise ValidationError(words % {"line": line[:50]})
            table_by_player |= {entry.key: int(match[2]) for entry in self._players_in(match[1])}
        return tuple(table_by_player.items())

    def clean_mix(self) -> tuple[int, ...]:
        """Return the size of each table, the largest first; empty for the usual sizes."""
        parts = self.cleaned_data["mix"].split()
        matches = [match for part in parts if (match := TABLES.fullmatch(part))]
        counts = [(int(match[1]), int(match[2])) for match in matches]
        if len(counts) != len(parts) or not all(size in self.sizes for _count, size in counts):
            raise ValidationError(gettext("Choose one of the tables listed."))
        return tuple(
            size for count, size in sorted(counts, key=lambda part: -part[1]) for _ in range(count)
        )

    def _players_in(self, text: str) -> list[Entry]:
        """Raises `ValidationError` with all its problems."""
        entries, problems = [], []
        for word in self.players.split(text):
            try:
                entries.append(self.players.find(word))
            except PlayerNotFound as error:
                problems.append(str(error))
        if problems:
            raise ValidationError(problems)
        return entries

    @property
    def keeps_teams_apart(self) -> bool:
        """Return whether the seats are drawn with teammates kept apart."""
        chosen = self.cleaned_data if self.is_bound else self.initial
        return bool(self.teams and chosen["separates_teams"])

    def choices(self) -> Choices:
        """Return the choices of a valid form, with a new seed if none was typed.

        An unbound form returns the usual choices, with the players kept apart and fixed in its
        initial values. Teammates are kept apart if `separates_teams` is ticked.
        """
        if not self.is_bound:
            unseeded = Choices(USUAL_METHOD, separates_clubs=True, seed=new_seed())
            return unseeded._replace(
                apart=(
                    *(tuple(line.split()) for line in _lines(self.initial.get("apart", ""))),
                    *(self.teams if self.keeps_teams_apart else ()),
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
            (*data["apart"], *(self.teams if self.keeps_teams_apart else ())),
            data["fixed"],
            data["mix"],
        )


class ScheduleForm(DrawForm):
    """A draw of up to `most` sessions together. The initial `sessions` are the proposed number."""

    sessions = forms.IntegerField(
        label=_("How many sessions"),
        help_text=_(
            "Fewer players meet twice if sessions are drawn together rather than one by one."
        ),
        min_value=1,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(
        self, entries: Iterable[Entry], *args: Any, most: int = MOST_SESSIONS, **kwargs: Any
    ) -> None:
        super().__init__(entries, *args, **kwargs)
        self.fields["out"].help_text = _(
            "Players who play in none of the sessions drawn, by number, name or reading: 7, 12"
        )
        field = self.fields["sessions"]
        field.validators.append(MaxValueValidator(most))
        field.widget.attrs["max"] = most

    def choices(self) -> Choices:
        typed = self.cleaned_data["sessions"] if self.is_bound else None
        return super().choices()._replace(sessions=typed or int(self.initial.get("sessions", 1)))


def _teams_of(entries: Mapping[str, Entry]) -> list[tuple[str, ...]]:
    """Return the keys of the members of each team; teams with one member are left out."""
    teams: dict[str, list[str]] = {}
    for key, entry in entries.items():
        if entry.team:
            teams.setdefault(entry.team, []).append(key)
    return [tuple(members) for members in teams.values() if len(members) > 1]


def _constraints_of(draw: DrawRecord, entries: Mapping[str, Entry]) -> dict[str, str]:
    """Return values of the fields `apart` and `fixed`: the players kept apart or fixed in a draw.

    Teammates are left out, since `separates_teams` keeps them apart. Players who are not in
    `entries` are left out too: not everybody goes on to a final.
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
