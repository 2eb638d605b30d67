"""Draws: who sits where, from plain data. No Django, database, clock or user; see `docs/draws.md`.

- `requests`: the request of a draw; `reading`: a request from JSON; `writing`: a request as JSON,
  and a draw from its answer; `answers`: the answer to a request, both as JSON
- `plan`: a request with numbers for players; `sizes`: mixes of tables; `bounds`: lower bounds
- `designs`: schedules without repeats; `cells`: assigns players to the cells of a design
- `groups`: splits a request by groups of players, who never share a table
- `placing`: seats players who are fixed or kept apart, then all others
- `board`, `search`: a schedule with its cost, and simulated annealing
- `methods`: lot, fewest repeats, level, mixed, fixed; `seats`: the order of seats at a table
- `drawing`: draws a request; `quality`: the quality of a draw; `searching`: a search as a process
- `mending`: adapts drawn tables to players who came or left

A *mix* is the sizes of the tables of a session, largest first. The *history* is the sessions before
the drawn ones. Players who are *kept apart* never share a table; a player who is *fixed* always
sits at the same one.
"""

from tournaments.draws.drawing import Draw, Session, draw
from tournaments.draws.mending import Mended, count_seat_changes, mend_tables
from tournaments.draws.quality import Quality, count_pairs_meeting_again
from tournaments.draws.reading import read_request
from tournaments.draws.requests import InvalidRequest, Player, Request, Tables
from tournaments.draws.sizes import (
    TablePlan,
    all_mixes,
    best_mix,
    divide_into_tables,
    nearest_seatable,
    table_plan,
)
from tournaments.draws.writing import as_document, read_answer

__all__ = [
    "Draw",
    "InvalidRequest",
    "Mended",
    "Player",
    "Quality",
    "Request",
    "Session",
    "TablePlan",
    "Tables",
    "all_mixes",
    "as_document",
    "best_mix",
    "count_pairs_meeting_again",
    "count_seat_changes",
    "divide_into_tables",
    "draw",
    "mend_tables",
    "nearest_seatable",
    "read_answer",
    "read_request",
    "table_plan",
]
