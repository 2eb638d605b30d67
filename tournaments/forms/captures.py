"""The form for a deal of Gong Zhu: who took each scoring card, and which were exposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

import scoring
from scoring.variants.gong_zhu import EXPOSABLE, GongZhuGame
from tournaments.forms.rounds import RoundForm, player_choices
from tournaments.i18n import sentences


class CardRow(NamedTuple):
    """One card of the form: who may have taken it."""

    card: str
    name: str
    cells: tuple[Any, ...]
    errors: Any
    ends_group: bool


class CapturesForm(RoundForm):
    """Takes down a deal card by card."""

    template = "rounds/captures.html"

    def add_fields(self) -> None:
        """Add one choice of player a card, and the cards that can be exposed."""
        for card in self.cards:
            self.fields[card] = forms.ChoiceField(
                label=sentences.card_name(card),
                choices=list(player_choices(self.sheet)),
                widget=forms.RadioSelect,
                required=False,
            )
        self.fields["exposed"] = forms.MultipleChoiceField(
            label=_("Exposed before play"),
            choices=[(card, sentences.card_name(card)) for card in EXPOSABLE],
            widget=forms.CheckboxSelectMultiple,
            required=False,
        )

    @property
    def cards(self) -> tuple[str, ...]:
        """Return the scoring cards of this table."""
        game = self.sheet.rules.game
        assert isinstance(game, GongZhuGame)  # noqa: S101  only this game has this form
        return game.scoring_cards(len(self.sheet.players))

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the fields show for a deal already recorded."""
        taken = {card: player for player, cards in facts["captured"].items() for card in cards}
        return taken | {"exposed": facts.get("exposed", [])}

    def facts(self) -> dict[str, Any]:
        """Return the deal as typed."""
        captured: dict[str, list[str]] = {}
        for card in self.cards:
            taker = self[card].value()
            if taker:
                captured.setdefault(taker, []).append(card)
        return {"captured": captured, "exposed": list(self["exposed"].value() or ())}

    def field_at(self, place: str) -> str | None:
        """Return the field for a place inside the deal; a card's own where it is known."""
        return "exposed" if place.startswith("exposed") else None

    def _lay(self, problem: scoring.Problem) -> None:
        """Leave out the cards nobody took: `clean` says it beside each, once."""
        if problem.code != "card_missing":
            super()._lay(problem)

    def clean(self) -> dict[str, Any]:
        """Say how many cards are left, and beside each of them that nobody took it."""
        cleaned = super().clean()
        left = [card for card in self.cards if not self[card].value()]
        if left:
            sentence = ngettext("%(count)s card is left.", "%(count)s cards are left.", len(left))
            self.add_error(None, sentence % {"count": len(left)})
        for card in left:
            self.add_error(card, _("Who took it?"))
        return cleaned

    def rows(self) -> Iterator[CardRow]:
        """Return the cards as the page shows them: pig, sheep and ten, then the hearts."""
        for i, card in enumerate(self.cards):
            field = self[card]
            yield CardRow(card, sentences.card_name(card), tuple(field), field.errors, i == 2)

    def exposures(self) -> list[tuple[str, Any]]:
        """Return the exposable cards with their boxes."""
        return [(box.data["value"], box) for box in self["exposed"]]
