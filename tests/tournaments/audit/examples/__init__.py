"""An example of every write: a function that prepares it and returns the write.

They stand in modules by what they are about; `EXAMPLES` has all of them by name.
"""

from tests.tournaments.audit.examples import accounts, players, sessions, tables, tournaments
from tests.tournaments.audit.examples.registry import EXAMPLES, OF_FULL_EVENTS

__all__ = ("EXAMPLES", "OF_FULL_EVENTS", "accounts", "players", "sessions", "tables", "tournaments")
