"""What every write rests on: its turn, its act in the chain, and rows that cannot be changed.

`chain` is the audit trail itself, `actors` who it says did things, and both are this package's
face; `turns` says who may write about a tournament now, `guards` has the database refuse what
Python would not do. Nothing here knows what the acts mean.
"""

from tournaments.audit.actors import A_COMMAND, THE_DEMO, THE_TABLE, Actor, is_the_table
from tournaments.audit.chain import FIRST, append, at_table, canonical, digest_of, end

__all__ = [
    "A_COMMAND",
    "FIRST",
    "THE_DEMO",
    "THE_TABLE",
    "Actor",
    "append",
    "at_table",
    "canonical",
    "digest_of",
    "end",
    "is_the_table",
]
