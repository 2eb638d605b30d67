"""Draws: who sits where, from plain data. No Django, database, clock or user; `docs/draws.md`.

- `requests`: what is asked for; `reading`: a request from JSON; `writing`: a request into JSON, and
  its answer from it; `searching`: a search as a process
- `answers`: JSON in, JSON out
- `plan`: a request in numbers; `sizes`: mixes of tables; `bounds`: how few repeats there can be
- `designs`: schedules without repeats; `cells`: players into the cells of a design
- `groups`: players who never share a table, each group drawn by itself
- `placing`: those kept apart or fixed; `board`, `search`: a schedule with its cost, annealed
- `methods`: lot, fewest repeats, level, mixed, fixed; `seats`: the order of seats
- `drawing`: the whole; `quality`: how good it is; `mending`: tables after players left
"""

from tournaments.draws.drawing import Draw, Session, draw
from tournaments.draws.mending import Mended, mend_tables, places_changed
from tournaments.draws.quality import Quality, meeting_again
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
    "divide_into_tables",
    "draw",
    "meeting_again",
    "mend_tables",
    "nearest_seatable",
    "places_changed",
    "read_answer",
    "read_request",
    "table_plan",
]
