"""What every write rests on: its turn, its act in the chain, and rows that cannot be changed.

`chain` is the audit trail itself and this package's face, `turns` says who may write about a
tournament now, `guards` has the database refuse what Python would not do. Nothing here knows what
the acts mean.
"""

from tournaments.audit.chain import (
    FIRST,
    THE_TABLE,
    Actor,
    append,
    at_table,
    canonical,
    digest_of,
    is_the_table,
)

__all__ = [
    "FIRST",
    "THE_TABLE",
    "Actor",
    "append",
    "at_table",
    "canonical",
    "digest_of",
    "is_the_table",
]
