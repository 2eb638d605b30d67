"""The facts of a round in the workbook, whose rows are the players of a round."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.game_kinds import Cells
from tournaments.i18n.sentences import declaration_name, suit_name
from tournaments.queries.player_rounds import side_of
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.tables.columns import Column, NumberColumn

ROLES = {"kankei": _("Kankei"), "mukankei": _("Mukankei"), "dealer": _("Dealer")}


def columns() -> list[tuple[str, Column]]:
    """Return the columns: three deals with counts and declarations."""
    columns: list[tuple[str, Column]] = [
        ("side", Column(_("Side"))),
        ("trump", Column(_("Trump"))),
        ("dealer", Column(_("Dealer"))),
    ]
    for deal in (1, 2, 3):
        number = {"deal": deal}
        columns += [
            (f"deal_{deal}_kankei", NumberColumn(gettext("Deal %(deal)s: kankei") % number)),
            (f"deal_{deal}_mukankei", NumberColumn(gettext("Deal %(deal)s: mukankei") % number)),
            (f"deal_{deal}_declared", Column(gettext("Deal %(deal)s: declared") % number)),
        ]
        if deal > 1:  # the trump of the first deal is in the column "trump"
            title = gettext("Deal %(deal)s: trump") % number
            columns.append((f"deal_{deal}_trump", Column(title)))
    return [*columns, ("cut_off", Column(_("Cut off")))]


def cells(played: PlayedRound, sheet: Sheet) -> dict[str, Cells]:
    """Return each player's cells: the role, and the facts of the round, the same for all.

    Of each deal: the face cards of both sides, the declaration, and the trump if it changed.
    """
    facts: scoring.Round = played.facts
    trump = facts.trump or sheet.trump_if_unrecorded(played.row.number)
    of_round: Cells = {
        "trump": suit_name(trump) if trump else None,
        "dealer": sheet.names[facts.dealer] if facts.dealer else None,
        "cut_off": gettext("yes") if facts.cut_off else None,
    }
    for number, deal in enumerate(facts.deals, 1):
        of_round[f"deal_{number}_kankei"] = deal.kankei
        of_round[f"deal_{number}_mukankei"] = deal.mukankei
        of_round[f"deal_{number}_declared"] = (
            declaration_name(deal.declaration, sheet.rules) or None
        )
        of_round[f"deal_{number}_trump"] = suit_name(deal.trump) if deal.trump else None
    return {
        player: of_round | {"side": str(ROLES[side_of(player, played, sheet).role])}
        for player in sheet.players
    }
