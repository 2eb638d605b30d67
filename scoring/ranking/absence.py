"""Why a player did not play in a session: one reason, from the facts of the day."""

from __future__ import annotations

from enum import StrEnum


class Absence(StrEnum):
    """The reason for which a player did not play in a session."""

    ABSENT = "absent"  # by the roll call
    LATE = "late"  # by the roll call, and got no seat after it
    SAT_OUT = "sat_out"  # was there, but the draw had no seat
    TABLE_NOT_PLAYED = "table_not_played"  # had a seat, or left it; nothing was recorded there
    REPLACED = "replaced"  # a substitute played
    JOINED_LATER = "joined_later"  # was added to the tournament after the seats were assigned
    WITHDRAWN = "withdrawn"
    NOT_IN_STAGE = "not_in_stage"  # the session is of a stage with other members
    UNKNOWN = "unknown"  # the roll call is not known: publications of earlier versions


# What the roll call, the list of players and changes of seats say of a session.
AWAY = (
    *(Absence.ABSENT, Absence.LATE, Absence.JOINED_LATER, Absence.WITHDRAWN),
    Absence.TABLE_NOT_PLAYED,  # got up from the seat before anything was recorded there
)


def absence_of(
    away: Absence | None,
    *,
    has_played: bool,
    has_seat: bool,
    is_replaced: bool = False,
    is_in_stage: bool = True,
) -> Absence | None:
    """Return why a player did not play in a session that is over; None for one who played.

    `away` is one of `AWAY`, `UNKNOWN`, or None for a player who was there. Whoever has a recorded
    round has played, whatever the roll call says.

    >>> absence_of(None, has_played=False, has_seat=False).value
    'sat_out'
    >>> absence_of(Absence.ABSENT, has_played=True, has_seat=True) is None
    True
    """
    if has_played:
        return None
    if not is_in_stage:
        return Absence.NOT_IN_STAGE
    if is_replaced:
        return Absence.REPLACED
    if away in {Absence.ABSENT, Absence.WITHDRAWN}:
        return away
    if has_seat:
        return None if away == Absence.UNKNOWN else Absence.TABLE_NOT_PLAYED
    return away or Absence.SAT_OUT
