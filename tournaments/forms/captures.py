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
    """A scoring card with a radio button for each player."""

    card: str
    name: str
    cells: tuple[Any, ...]
    errors: Any
    ends_group: bool


class CapturesForm(RoundForm):
    """A deal of Gong Zhu: who took each scoring card, and which were exposed."""

    template = "rounds/captures.html"

    def add_fields(self) -> None:
        """Add a choice of player for each card, and the cards that can be exposed."""
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
        """Return the initial values for a recorded deal."""
        taken = {card: player for player, cards in facts["captured"].items() for card in cards}
        return taken | {"exposed": facts.get("exposed", [])}

    def facts(self) -> dict[str, Any]:
        """Return the typed facts of the deal."""
        captured: dict[str, list[str]] = {}
        for card in self.cards:
            taker = self[card].value()
            if taker:
                captured.setdefault(taker, []).append(card)
        return {"captured": captured, "exposed": list(self["exposed"].value() or ())}

    def field_at(self, place: str) -> str | None:
        """Return ``exposed`` for a place inside it; None for others: the error is the form's."""
        return "exposed" if place.startswith("exposed") else None

    def _add_problem(self, problem: scoring.Problem) -> None:
        """Skip missing cards: `clean` adds an error to each of them."""
        if problem.code != "card_missing":
            super()._add_problem(problem)

    def clean(self) -> dict[str, Any]:
        """Add an error with the number of cards left, and one to each of them."""
        cleaned = super().clean()
        left = [card for card in self.cards if not self[card].value()]
        if left:
            sentence = ngettext("%(count)s card is left.", "%(count)s cards are left.", len(left))
            self.add_error(None, sentence % {"count": len(left)})
        for card in left:
            self.add_error(card, _("Who took it?"))
        return cleaned

    def rows(self) -> Iterator[CardRow]:
        """Return the cards in the order of the page: pig, sheep and ten, then the hearts."""
        for i, card in enumerate(self.cards):
            field = self[card]
            yield CardRow(
                card,
                sentences.card_name(card),
                cells=tuple(field),
                errors=field.errors,
                ends_group=i == 2,
            )

    def exposures(self) -> list[tuple[str, Any]]:
        """Return the exposable cards with their check boxes."""
        return [(box.data["value"], box) for box in self["exposed"]]
