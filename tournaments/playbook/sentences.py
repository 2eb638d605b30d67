"""The texts of the phone's script, in the active language; the script fills in `{…}`."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.kankei import KANKEI_DECLARATIONS, SAME_DEALER, SAME_SIDES
from tournaments.i18n import sentences
from tournaments.models import Tournament
from tournaments.queries.sheets import Sheet
from tournaments.services import rounds


def phone_sentences(sheet: Sheet) -> dict[str, Any]:
    """A club table has no texts about calling the desk."""
    return {
        **_game_sentences(sheet),
        **_input_sentences(),
        **_status_sentences(sheet),
        **_next_dealer_sentences(has_dealers="dealer" in sheet.rules.customs),
        **({} if _is_club_table(sheet) else _call_sentences()),
    }


def _is_club_table(sheet: Sheet) -> bool:
    """A club table has no desk."""
    return sheet.sitting.session.tournament.kind == Tournament.Kind.TABLE


def usual_call_reasons() -> list[str]:
    return [_("A ruling is needed"), _("Somebody is missing"), _("Something else")]


def _game_sentences(sheet: Sheet) -> dict[str, Any]:
    """Return the names of players, suits and declarations, and the words of the game."""
    return {
        "names": sheet.names,
        "suits": {suit: str(name) for suit, name in sentences.SUITS.items()},
        "declarations": {
            code: sentences.declaration_name(code, sheet.rules) for code in sentences.DECLARATIONS
        },
        "by_kankei": KANKEI_DECLARATIONS,
        "kankei": _("Kankei"),
        "mukankei": _("Mukankei"),
        "dealer": _("Dealer"),
        "exposed": _("Exposed"),
        "cut_off": _("Time ran out"),
        "team": _("Team {number}"),
        "round": pgettext("a round of one deal", "Deal {number}")
        if sheet.rules.game.rounds_are_deals
        else sentences.in_own_unit(_("Round {number}"), sheet.rules),
        "round_in_sentence": pgettext("a round of one deal", "deal {number}")
        if sheet.rules.game.rounds_are_deals
        else sentences.in_own_unit(_("round {number}"), sheet.rules),
        "deal": _("Deal {number}"),
        "counts": _("Kankei {kankei}–{mukankei} mukankei"),
        "seat_change": _("{mover} changes places with {other}."),
        "seat_change_later": _("Before deal 2: {mover} changes places with {other}."),
    }


def _input_sentences() -> dict[str, str]:
    """Return the messages about input that the script refuses, or asks about before saving."""
    return {
        "choose_dealer": _("Choose who deals."),
        "choose_kankei": _("Choose the two players who declared themselves kankei."),
        "count_first": _("Count the face cards of deal {number} first."),
        "too_many": _("There are 16 face cards, but {kankei} + {mukankei} = {sum}; count again."),
        "round_over": _("The round was over after deal {deal}; remove this one."),
        "card_missing": _("Enter who took every card: {cards} are missing."),
        "finish_missing": _("Tap all six names in the order they went out."),
        "reason_needed": str(rounds.ReasonNeeded.sentence),
        "kept_elsewhere": _("A different record of this is already waiting to be sent: see below."),
        "rare": _("Deal {number}: {kankei}–{mukankei} without a declaration?"),
        "declared": _("{side} declared and made it"),
        "declared_missed": _("{side} declared and failed"),
    }


def _status_sentences(sheet: Sheet) -> dict[str, str]:
    """Return the messages about a round's state: stored on this phone, sent, accepted, refused."""
    return {
        "nothing_unsent": _("All sent"),
        "keeps_nothing": _("Cannot save"),
        "unsent": _("{number} not sent yet"),
        "sending": _("Saved on this phone, not sent yet"),
        "accepted": _("Accepted"),
        "on_phone": _("On this phone"),
        "recorded_elsewhere": _("Another phone or page has recorded {round}."),
        "recorded": _("Recorded"),
        "typed": _("Typed here so far"),
        "same_as_typed": _("It is the same as what you typed here."),
        "compare_typed": _("Compare it with what you typed here."),
        "no_answer": _("No answer yet. Trying again automatically."),
        "foreign": _(
            "The answer was not from Makiyaku; it may be a Wi-Fi log-in page. Trying again."
        ),
        "no_store": _(
            "This browser cannot save: stay on this page until everything has been sent."
        ),
        "copied": _("Copied"),
        "standings_at": _("As of {time}"),
        "read_out": _("Table {table}, {round}"),
        "labelled": _("{what}: {said}"),
        "first": _("First at this table: {names} (points: {points})"),
        **(_club_table_status_sentences() if _is_club_table(sheet) else _desk_status_sentences()),
    }


def _desk_status_sentences() -> dict[str, str]:
    return {
        "sent": _("Received by the desk"),
        "at_desk": _("At the desk"),
        "recorded_by_desk": _("The desk has recorded {round}."),
        "told_otherwise": _("The desk’s record differs. The desk will decide which is right."),
        "corrected": _("The desk has corrected {round}."),
        "decided": _("{title}: the desk has decided."),
        "desk_decides": _("The desk decides"),
        "points_at_desk": _("The points shown are those of the desk’s record."),
        "refused": _("Not accepted by the desk; still on this phone"),
        "goes_on": _("Players have joined or left this table."),
        "open_table": _("Record their rounds"),
    }


def _club_table_status_sentences() -> dict[str, str]:
    return {
        "sent": _("Saved"),
        "at_desk": _("Recorded"),
        "recorded_by_desk": _("Another phone or page has recorded {round}."),
        "told_otherwise": _(
            "Another phone recorded something different, and that counts. In the list above, "
            "either correct it to match this phone, or delete this phone’s version."
        ),
        "corrected": _("{title} has been corrected."),
        "decided": _("{title}: another version counts."),
        "desk_decides": _("Two versions"),
        "points_at_desk": _("The points shown are those on record."),
        "refused": _("Kept on this phone, not recorded"),
    }


def _next_dealer_sentences(*, has_dealers: bool) -> dict[str, str]:
    """Return the texts around passing the phone on, to the next dealer if the game has dealers."""
    return {
        "pass_to": _("Pass the phone to\n{name}."),
        "pass_on": _("Pass the phone on."),
        "have_phone": _("I have the phone"),
        "go_on": _("Carry on with {round}"),
        "shown_here": _("What is recorded will appear here."),
        "asked_here": _("When a round has been recorded, this phone asks you whether it is right."),
        "correct": _("Correct %(round)s") % {"round": "{round}"},
        "next_deal": sentences.translated(SAME_DEALER if has_dealers else SAME_SIDES),
        "trump_next": _("{trump} are trump."),
        "is_it_right": _("{title}: is this right?"),
    }


def _call_sentences() -> dict[str, str]:
    return {
        "call": _("Please come to the table"),
        "call_desk": _("Call the desk"),
        "what_is_wrong": _("What is wrong with {round}?"),
        "call_sent": _("The desk has been called: {what}"),
        "call_kept": _(
            "The desk will be called once there is a connection. If it is urgent, send somebody: "
            "{what}"
        ),
        "call_not_taken_back": _("No answer, so the call still stands. Try again."),
        "correction_of": _("Please correct {round}."),
    }
