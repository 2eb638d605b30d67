"""Who played where, and the facts they recorded. No points: `scoring` derives those."""

from tournaments.models.adjustments import Adjustment, TieDecision
from tournaments.models.audit import AuditEntry, Receipt
from tournaments.models.clocks import Clock
from tournaments.models.epochs import Epoch
from tournaments.models.list_layouts import ListLayout
from tournaments.models.people import Entry, Membership
from tournaments.models.phones import Acceptance, Call, Disagreement, Phone
from tournaments.models.presence import Presence
from tournaments.models.publications import Publication
from tournaments.models.registrations import Registration
from tournaments.models.rounds import Round
from tournaments.models.seating import Draw, Schedule, Seat, SeatProposal, Session, Sitting
from tournaments.models.series import (
    SamePlayer,
    Series,
    SeriesChange,
    SeriesEvent,
    SeriesOwner,
)
from tournaments.models.stages import Stage
from tournaments.models.substitutions import Substitution
from tournaments.models.tokens import DailyCount, Guesses, StaffToken
from tournaments.models.totals import SittingTotals
from tournaments.models.tournament import Tournament

__all__ = [
    "Acceptance",
    "Adjustment",
    "AuditEntry",
    "Call",
    "Clock",
    "DailyCount",
    "Disagreement",
    "Draw",
    "Entry",
    "Epoch",
    "Guesses",
    "ListLayout",
    "Membership",
    "Phone",
    "Presence",
    "Publication",
    "Receipt",
    "Registration",
    "Round",
    "SamePlayer",
    "Schedule",
    "Seat",
    "SeatProposal",
    "Series",
    "SeriesChange",
    "SeriesEvent",
    "SeriesOwner",
    "Session",
    "Sitting",
    "SittingTotals",
    "StaffToken",
    "Stage",
    "Substitution",
    "TieDecision",
    "Tournament",
]
