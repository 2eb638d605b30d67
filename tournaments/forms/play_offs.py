"""The form that seats a play-off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core import signing
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.player_finder import PlayerFinder
from tournaments.forms.players import PlayerField, find_among
from tournaments.i18n.units import unit_words
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import MOST_ROUNDS
from tournaments.queries.play_offs import table_sizes_for
from tournaments.queries.presence import roll_call
from tournaments.queries.seat_draws import new_seed
from tournaments.services.seating import PlayersAway
from tournaments.web.numbers import MAX_NUMBER

SALT = "play-off"  # of the signature under the seed


class PlayOffForm(forms.Form):
    """A play-off of tied players: the players who fill their tables, and the number of rounds."""

    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)
    # Signed, so that nobody can choose the seats; sent, so that a repeated request draws the same.
    seed = forms.CharField(max_length=100, widget=forms.HiddenInput)
    rounds = forms.IntegerField(min_value=1, max_value=MOST_ROUNDS, required=False)

    def __init__(
        self,
        tournament: Tournament,
        tied: Sequence[Entry],
        data: Mapping[str, Any] | None,
        *,
        number: int,
    ) -> None:
        """Set up with a field for each seat that the tied players leave open.

        `number` is that of the next session, which the play-off becomes.
        """
        seed = signing.dumps(new_seed(), salt=SALT)
        rounds = tournament.rounds_per_session
        super().__init__(data, initial={"number": number, "seed": seed, "rounds": rounds})
        self.fields["rounds"].label = unit_words("Number of rounds", tournament.rules)
        self.tied = list(tied)
        self.sizes = table_sizes_for(len(self.tied), tournament.table_sizes)
        others = [each for each in tournament.entries.all() if each not in self.tied]
        available = roll_call(tournament, number, others).to_be_seated()
        self.has_enough_players = len(available) >= self.open_seat_count
        self.players = PlayerFinder(available)
        fields: dict[str, forms.Field] = {}
        for seat in range(1, self.open_seat_count + 1):
            label = gettext("Stand-in") + (f" {seat}" if self.open_seat_count > 1 else "")
            fields[f"fill_{seat}"] = PlayerField(label=label)
        self.fields = fields | self.fields
        for name in fields:  # all players are found: `clean` says who is tied or away
            find_among(self, name, [*self.tied, *others])

    @property
    def open_seat_count(self) -> int:
        """Return the number of seats at the tables that players who are not tied must fill."""
        return sum(self.sizes) - len(self.tied)

    @property
    def open_seat_fields(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name.startswith("fill_")]

    @property
    def seated_players(self) -> list[Entry]:
        """Return the tied players and those who fill seats. Call it if the form is valid."""
        return [*self.tied, *(self.cleaned_data[each.name] for each in self.open_seat_fields)]

    def clean_seed(self) -> int:
        """A wrong signature is an error."""
        try:
            return int(signing.loads(self.cleaned_data["seed"], salt=SALT))
        except (signing.BadSignature, TypeError, ValueError) as error:
            raise forms.ValidationError(_("Reload this page and send it again.")) from error

    def clean(self) -> dict[str, Any]:
        """Add an error to a player named for two seats, who is tied, or who is away."""
        cleaned = super().clean() or {}
        earlier_players: set[Entry] = set()
        for field in self.open_seat_fields:
            player = cleaned.get(field.name)
            if player is None:
                continue
            if player in earlier_players:
                self.add_error(field.name, _("Enter a different player for each seat."))
            if player in self.tied:
                self.add_error(
                    field.name,
                    _(
                        "This player is competing for a place in the play-off. Enter another "
                        "player."
                    ),
                )
            elif player not in self.players.by_key.values():
                self.add_error(field.name, str(PlayersAway.sentence))
            earlier_players.add(player)
        return cleaned
