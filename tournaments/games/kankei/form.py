"""The form for a round of a face-card game: dealer, kankei, and up to three deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.kankei import (
    LAST_DEAL,
    TRUMPS,
    Deal,
    KankeiGame,
    Verdict,
    both_key_cards_advice,
    seat_change_advice,
)
from scoring.seats import DEALER_SITS_OUT_AT
from tournaments.forms.rounds import Preview, PreviewLine, RoundForm, number_or_text, player_choices
from tournaments.games.kankei.deals import (
    SIDES,
    TWO_RESULTS,
    DealFields,
    agreed_counts,
    deal_form_fields,
    input_tag,
    is_countable,
    possible_declarations,
    result_rows,
    successful_declarations,
    usual_results,
)
from tournaments.i18n import sentences

DEALS = range(1, LAST_DEAL + 1)

# Replace messages of `scoring` that name keys of the record.
COUNT_SENTENCES = {
    "kankei": _("Enter how many face cards the kankei hold: 0 to 16."),
    "mukankei": _("Enter how many face cards the mukankei hold: 0 to 16."),
}
COUNT_CODES = frozenset({"missing", "type", "range"})
NO_DEALER = _("Choose who deals.")


class Seat(NamedTuple):
    """A seat as the page shows it, on a ring of all players."""

    number: int  # in the present order of seats, from 1
    name: str
    is_dealer: bool
    is_kankei: bool
    dealer_input: Any  # the radio button of `dealer` for this player; empty without dealers
    input: Any  # the check box of `kankei` for this player
    place: int  # on the ring; 1 is the dealer's place, nearest to the reader
    key: str  # of the player
    total: int | None  # None before the first complete round


class KankeiForm(RoundForm):
    """A round of up to three deals, with `cut_off` where the game allows it."""

    def add_fields(self) -> None:
        """Add dealer and `cut_off`, if the game has them, trump, kankei, and the three deals.

        Sets `state`, the state of the game before this round.
        """
        game, sheet = self.game, self.sheet
        players = list(player_choices(sheet))
        state = game.state_after(
            sheet.record.rounds[: self.number - 1],
            sheet.players,
            sheet.rounds_of_table,
            sheet.start,
        )
        self.state = state
        suits = [(suit, sentences.SUITS[suit]) for suit in TRUMPS]
        if game.has_dealers:
            self.fields["dealer"] = forms.ChoiceField(
                label=_("Dealer"),
                choices=players,
                initial=state.dealer or "",
                widget=forms.RadioSelect,
                error_messages={"required": NO_DEALER},
            )
        unrecorded = [] if self._usual_trump else [("", _("Not recorded"))]
        self.fields["trump"] = forms.ChoiceField(
            label=_("Trump of the first deal"),
            choices=[*unrecorded, *suits],
            initial=self._usual_trump,
            widget=forms.RadioSelect,
            required=not unrecorded,
        )
        self.fields["kankei"] = forms.MultipleChoiceField(
            label=_("The two kankei"),
            choices=players,
            widget=forms.CheckboxSelectMultiple,
            required=False,
        )
        for deal in DEALS:
            self.fields |= deal_form_fields(game, deal, suits)
        if game.may_be_cut_off:
            self.fields["cut_off"] = forms.BooleanField(
                label=_("Time ran out: the round is cut off here"), required=False
            )

    @property
    def game(self) -> KankeiGame:
        """Return the game of the sheet, whose type mypy cannot know."""
        game = self.sheet.rules.game
        assert isinstance(game, KankeiGame)  # noqa: S101  forms are chosen by the game's kind
        return game

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The trump of the first deal is shown as the round's, which may be stated there alone."""
        initial = {key: value for key, value in facts.items() if key != "deals"}
        for deal in facts["deals"][:1]:
            initial |= {key: value for key, value in deal.items() if key == "trump"}
        for number, deal in enumerate(facts["deals"], 1):
            initial |= {f"deal_{number}_{key}": value for key, value in deal.items()}
            initial[f"deal_{number}_result"] = "-".join(str(deal[side]) for side in SIDES)
        return initial

    def facts(self) -> dict[str, Any]:
        """Empty fields are left out; deals are those of `_typed_deals`.

        The trump of the turn is left out if the stored round, such as one from paper, states none.
        """
        facts: dict[str, Any] = {
            "dealer": self._dealer,
            "trump": None if self._is_trump_unstated else self["trump"].value(),
            "kankei": list(self["kankei"].value() or ()),
            "deals": self._typed_deals(),
        }
        if "cut_off" in self.fields and self["cut_off"].value():
            facts["cut_off"] = True
        return {key: value for key, value in facts.items() if value not in (None, "")}

    @property
    def _is_trump_unstated(self) -> bool:
        return (
            self.stored is not None
            and "trump" not in self.stored.facts
            and self["trump"].value() == self._usual_trump
        )

    @property
    def _usual_trump(self) -> str:
        """The trump unless another is recorded; empty if only the table knew what it was."""
        if self.stored is not None and "trump" not in self.stored.facts:
            return self.sheet.trump_if_unrecorded(self.number)
        return self.state.trump

    @property
    def shown_trump(self) -> str:
        """Return the trump of the first deal; "" for what is no suit."""
        trump = str(self["trump"].value() or "")
        return trump if trump in TRUMPS else ""

    @property
    def _dealer(self) -> str | None:
        """None in games without dealers."""
        return self["dealer"].value() if "dealer" in self.fields else None

    def _typed_deals(self) -> list[dict[str, Any]]:
        """Return the facts of the deals. Deals at the end with at most a trump are left out."""
        deals = []
        for deal in DEALS:
            typed = {key: self[f"deal_{deal}_{key}"].value() for key in ("declaration", "trump")}
            filled = {key: value for key, value in typed.items() if value not in (None, "")}
            deals.append(self._counts_of(deal) | filled)
        while deals and not deals[-1].keys() - {"trump"}:
            deals.pop()
        return deals

    def _typed_counts(self, deal: int) -> dict[str, Any]:
        """By side. Empty fields are left out."""
        typed = {side: self[f"deal_{deal}_{side}"].value() for side in SIDES}
        return {
            side: number_or_text(value) for side, value in typed.items() if value not in (None, "")
        }

    def _agreed_counts(self, deal: int) -> dict[str, Any] | None:
        """Return the counts of the radio button or the number fields; None if they conflict."""
        values = {side: self.initial.get(f"deal_{deal}_{side}") for side in SIDES}
        initial = {side: value for side, value in values.items() if value is not None}
        result = str(self[f"deal_{deal}_result"].value() or "")
        return agreed_counts(result, self._typed_counts(deal), initial)

    def clean(self) -> dict[str, Any]:
        """Check as `RoundForm` does, and add an error to deals with two different results."""
        cleaned = super().clean()
        for deal in DEALS:
            if self._agreed_counts(deal) is None:
                self.add_error(f"deal_{deal}_result", TWO_RESULTS)
        return cleaned

    def _numbers_after_end(self) -> range:
        """Return the numbers of the filled-in deals after a deal that the kankei lost.

        The kankei's loss ends a round.
        """
        verdicts = self.verdicts()
        is_over = bool(verdicts) and not verdicts[-1].kankei_won
        return range(len(verdicts) + 1, len(self._typed_deals()) + 1) if is_over else range(0)

    @property
    def deals_after_end(self) -> tuple[str, ...]:
        return tuple(
            gettext("deal %(number)s") % {"number": deal} for deal in self._numbers_after_end()
        )

    def empty_deals_after_end(self) -> None:
        """Empty the fields of `deals_after_end` in the bound data."""
        typed = cast("QueryDict", self.data).copy()
        for deal in self._numbers_after_end():
            for name in self.fields:
                if name.startswith(f"deal_{deal}_"):
                    typed[name] = ""
        self.data = typed

    def facts_up_to_end(self) -> dict[str, Any]:
        facts, after_end = self.facts(), self._numbers_after_end()
        if after_end:
            facts["deals"] = facts["deals"][: after_end.start - 1]
        return facts

    def field_at(self, path: str) -> str | None:
        """Return the field for a path such as ``deals[0].kankei``; None for the whole round.

        Problems of a whole deal belong to the field of the kankei's count.
        """
        if path.startswith("deals["):
            number = int(path[6]) + 1
            key = path.partition(".")[2] or "kankei"
            return f"deal_{number}_{key}"
        if path == "deals":
            return "deal_1_kankei"
        return path.partition("[")[0] or None

    def sentence_for(self, problem: scoring.Problem, path: str) -> str:
        """Return the error message for a problem; counts and dealer have their own."""
        key = path.rpartition(".")[2]
        if path.startswith("deals[") and key in SIDES and problem.code in COUNT_CODES:
            return str(COUNT_SENTENCES[key])
        if path == "dealer" and problem.code == "missing":
            return str(NO_DEALER)
        return super().sentence_for(problem, path)

    def verdicts(self) -> list[Verdict]:
        """Return the verdicts of the deals, up to the one that ends the round.

        Stops before the first deal without a verdict: without counts, or with facts that are
        impossible.
        """
        verdicts: list[Verdict] = []
        for number, deal in enumerate(self._typed_deals(), 1):
            if not is_countable(deal):
                break
            declaration = deal.get("declaration")
            if declaration and declaration not in self.game.declarations[number]:
                break
            verdict = self.game.verdict(number, deal["kankei"], deal["mukankei"], declaration)
            if not isinstance(verdict, Verdict):
                break
            verdicts.append(verdict)
            if not verdict.kankei_won:
                break
        return verdicts

    def deals(self) -> list[DealFields]:
        verdicts = self.verdicts()
        return [
            DealFields(
                number=deal,
                kankei=self[f"deal_{deal}_kankei"],
                mukankei=self[f"deal_{deal}_mukankei"],
                declaration=self[f"deal_{deal}_declaration"],
                trump=self[f"deal_{deal}_trump"],
                targets=self.game.targets[deal],
                state=self._deal_state(deal, verdicts),
                possible_declarations=self._possible_declarations(deal),
                successful_declarations=self._successful_declarations(deal),
                result=self[f"deal_{deal}_result"],
                rows=result_rows(self.game, deal, self[f"deal_{deal}_result"]),
                has_usual_counts=self._has_usual_counts(deal),
                chooser=" ".join(map(self._sentence, self.game.chooser_advice(deal)))
                if deal > 1
                else "",
            )
            for deal in DEALS
        ]

    def deal_states(self) -> list[dict[str, Any]]:
        """Return the state of each deal, and the declarations that its counts allow."""
        return [
            {
                "state": deal.state,
                "declarations": deal.possible_declarations,
                "made": deal.successful_declarations,
            }
            for deal in self.deals()
        ]

    def _deal_state(self, deal: int, verdicts: list[Verdict]) -> str:
        """Return the state of a deal by the verdicts of all deals.

        ``won`` or ``lost`` by the kankei, ``open`` for the deal that comes next, else ``waiting``.
        """
        if deal <= len(verdicts):
            return "won" if verdicts[deal - 1].kankei_won else "lost"
        is_next = deal == 1 or (deal == len(verdicts) + 1 and verdicts[-1].kankei_won)
        return "open" if is_next else "waiting"

    def _possible_declarations(self, deal: int) -> tuple[str, ...]:
        """All declarations if the deal has no counts."""
        counts = self._counts_of(deal)
        if not is_countable(counts):
            return self.game.declarations[deal]
        return possible_declarations(self.game, deal, (counts["kankei"], counts["mukankei"]))

    def _successful_declarations(self, deal: int) -> tuple[str, ...]:
        """Empty if the deal has no counts."""
        counts = self._counts_of(deal)
        if not is_countable(counts):
            return ()
        return successful_declarations(self.game, deal, (counts["kankei"], counts["mukankei"]))

    def _counts_of(self, deal: int) -> dict[str, Any]:
        """Return a deal's counts by side; the typed ones if button and number fields conflict."""
        return self._agreed_counts(deal) or self._typed_counts(deal)

    def _has_usual_counts(self, deal: int) -> bool:
        """Return whether the deal has no counts, or counts for which there is a radio button."""
        counts = self._counts_of(deal)
        return not counts or tuple(counts.values()) in usual_results(self.game, deal)

    def seats(self) -> list[Seat]:
        """Return the seats in their present order, with their places on the ring.

        Place 1 is the dealer's; without a dealer it is that of the first seat.
        """
        dealer = self._dealer
        chosen = self["kankei"].value() or ()
        boxes = {box.data["value"]: box for box in self["kankei"]}
        radios = {box.data["value"]: box for box in self["dealer"]} if self.game.has_dealers else {}
        names, order, dealer_word = self.sheet.names, self._seat_order(), gettext("Dealer")
        nearest = order.index(dealer) if dealer in order else 0
        return [
            Seat(
                number=i + 1,
                name=names[key],
                is_dealer=key == dealer,
                is_kankei=key in chosen,
                dealer_input=input_tag(radios[key], dealer_word, names[key]) if radios else "",
                input=input_tag(boxes[key]),
                place=(i - nearest) % len(order) + 1,
                key=key,
                total=self.totals.get(key),
            )
            for i, key in enumerate(order)
        ]

    def _seat_order(self) -> tuple[str, ...]:
        """Return the players in seat order, after the change of seats if this round had one."""
        if not self.have_seats_changed:
            return self.state.seats
        rounds = self.sheet.record.rounds[: self.number]
        return self.game.seats_after(rounds, self.sheet.players)

    @property
    def dealer_sits_out(self) -> bool:
        return len(self.sheet.players) == DEALER_SITS_OUT_AT

    def preview(self) -> Preview:
        """Return the score of the deals so far, and a hint for the table.

        Lines are the kankei's points; the mukankei get the opposite.
        """
        verdicts = self.verdicts()
        deals = [
            Deal(deal["kankei"], deal["mukankei"], deal.get("declaration"))
            for deal in self._typed_deals()[: len(verdicts)]
        ]
        cut_off = "cut_off" in self.fields and bool(self["cut_off"].value()) and bool(deals)
        lines = self.game.lines(deals, cut_off=cut_off)
        points = sum(line.points for line in lines)
        is_over = bool(verdicts) and (len(verdicts) == LAST_DEAL or not verdicts[-1].kankei_won)
        return Preview(
            lines=tuple(PreviewLine(line, owner_name="") for line in lines),
            totals=((str(_("Kankei")), points), (str(_("Mukankei")), -points)) if lines else (),
            hints=tuple(self._hints(verdicts)),
            is_complete=is_over or cut_off,
        )

    def _hints(self, verdicts: list[Verdict]) -> list[str]:
        """Return at most one hint: who changes seats, or who is the partner of one kankei alone.

        A kankei who holds both key cards plays with the partner that the seats determine. In games
        with a change of seats before the first deal this partner is named at once.
        """
        kankei: Sequence[str] = self["kankei"].value() or ()
        dealer = self._dealer
        if not set(kankei) <= set(self.sheet.players) or self.have_seats_changed:
            return []
        if len(kankei) == 1 and self.game.seat_change_before == 1:
            partner = self.game.partner_of_both_key_cards(self.state.seats, kankei[0], dealer)
            return [self._sentence(both_key_cards_advice(kankei[0], partner))] if partner else []
        if len(kankei) != 2 or (verdicts and not verdicts[0].kankei_won):
            return []
        move = self.game.seat_change(self.state.seats, kankei, dealer)
        if move is None:
            return []
        sentence = self._sentence(seat_change_advice(move))
        if self.game.seat_change_before == 1:
            return [sentence]
        return [str(_("Before deal 2: {sentence}")).format(sentence=sentence)]

    def _sentence(self, advice: scoring.Advice) -> str:
        return sentences.advice_sentence(advice, self.sheet.names, self.sheet.rules)

    @property
    def have_seats_changed(self) -> bool:
        """Return whether the deal before which players change seats is already stored."""
        deals = self.stored.facts["deals"] if self.stored else []
        return len(deals) >= self.game.seat_change_before
