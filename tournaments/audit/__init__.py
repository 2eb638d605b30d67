"""The audit trail: entries in a hash chain, the lock of a tournament, and immutable rows.

`chain` appends entries, `actors` names who did something; their public names are re-exported here.
`locks` takes the row lock of a tournament, `guards` installs database triggers that refuse changes.
Nothing here knows what an entry means.
"""

from tournaments.audit.actors import (
    A_COMMAND,
    AN_APPLICANT,
    THE_DEMO,
    THE_TABLE,
    Actor,
    is_the_table,
)
from tournaments.audit.chain import (
    CHAIN_START,
    append_entry,
    canonical_json,
    digest_of,
    set_chain_end,
    table_subject,
)

__all__ = [
    "AN_APPLICANT",
    "A_COMMAND",
    "CHAIN_START",
    "THE_DEMO",
    "THE_TABLE",
    "Actor",
    "append_entry",
    "canonical_json",
    "digest_of",
    "is_the_table",
    "set_chain_end",
    "table_subject",
]
