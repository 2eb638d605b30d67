"""The form for a deal of Gong Zhu: who took each scoring card, and which cards were exposed."""

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
    cells: tuple[Any, ...]  # the radio buttons, in seat order
    errors: Any
    ends_group: bool  # whether the page draws a line below


class CapturesForm(RoundForm):
    """A deal of Gong Zhu. The field of each scoring card is named after the card."""

    def add_fields(self) -> None:
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
        game = self.sheet.rules.game
        assert isinstance(game, GongZhuGame)  # noqa: S101  only this game has this form
        return game.scoring_cards(len(self.sheet.players))

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        takers = {card: player for player, cards in facts["captured"].items() for card in cards}
        return takers | {"exposed": facts.get("exposed", [])}

    def facts(self) -> dict[str, Any]:
        captured: dict[str, list[str]] = {}
        for card in self.cards:
            taker = self[card].value()
            if taker:
                captured.setdefault(taker, []).append(card)
        return {"captured": captured, "exposed": list(self["exposed"].value() or ())}

    def field_at(self, path: str) -> str | None:
        """Return ``exposed`` for its paths; None, the whole form, for all other paths."""
        return "exposed" if path.startswith("exposed") else None

    def _add_problem(self, problem: scoring.Problem) -> None:
        """Add a problem as `RoundForm` does, but not missing cards: `clean` adds their errors."""
        if problem.code != "card_missing":
            super()._add_problem(problem)

    def clean(self) -> dict[str, Any]:
        """Check as `RoundForm` does, and add errors for the cards that nobody has taken.

        Each of these cards has an error, and the form has one with their number.
        """
        cleaned = super().clean()
        missing = [card for card in self.cards if not self[card].value()]
        if missing:
            count = len(missing)
            sentence = ngettext("%(count)s card is left.", "%(count)s cards are left.", count)
            self.add_error(None, sentence % {"count": count})
        for card in missing:
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
                ends_group=i == 2,  # the ten, before the hearts
            )

    def exposures(self) -> list[tuple[str, Any]]:
        """Return the code and the check box of each card that can be exposed."""
        return [(box.data["value"], box) for box in self["exposed"]]
