"""Who played where, and the facts they recorded. No points: `scoring` derives those."""

from tournaments.models.audit import Act, Receipt
from tournaments.models.people import Entry, Membership
from tournaments.models.publications import Publication
from tournaments.models.rounds import Round
from tournaments.models.seats import Seat, Session, Sitting
from tournaments.models.tables import Acceptance, Call, Disagreement, TableSession
from tournaments.models.tokens import Guesses, StaffToken
from tournaments.models.totals import SittingTotals
from tournaments.models.tournament import Tournament

__all__ = [
    "Acceptance",
    "Act",
    "Call",
    "Disagreement",
    "Entry",
    "Guesses",
    "Membership",
    "Publication",
    "Receipt",
    "Round",
    "Seat",
    "Session",
    "Sitting",
    "SittingTotals",
    "StaffToken",
    "TableSession",
    "Tournament",
]
