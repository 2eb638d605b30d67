"""The audit trail: entries in a hash chain, the lock of a tournament, and immutable rows.

`chain` appends entries, `actors` names who did something, `state` refuses a change of an event's
state by an actor who saw an older version of it; public names are re-exported.
`locks` takes the row lock of a tournament, `guards` installs database triggers that refuse changes.
`reasons` are those that the program itself gives. Nothing here depends on the meaning of an entry.
"""

from tournaments.audit.actors import (
    A_COMMAND,
    AN_APPLICANT,
    THE_DEMO,
    THE_SERVER,
    THE_TABLE,
    Actor,
    Seen,
    is_the_table,
)
from tournaments.audit.chain import (
    CHAIN_START,
    ChainEnd,
    append_entry,
    append_table_entry,
    canonical_json,
    chain_end,
    digest_of,
    last_number,
    next_entry,
    set_chain_end,
    store_entry,
    table_subject,
)
from tournaments.audit.reasons import DECIDED_BY_LOT, OWN_REASONS, SCORE_THE_SAME, SEATS_FOLLOW
from tournaments.audit.state import STATE_KINDS, StateChanged, state_version

__all__ = [
    "AN_APPLICANT",
    "A_COMMAND",
    "CHAIN_START",
    "DECIDED_BY_LOT",
    "OWN_REASONS",
    "SCORE_THE_SAME",
    "SEATS_FOLLOW",
    "STATE_KINDS",
    "THE_DEMO",
    "THE_SERVER",
    "THE_TABLE",
    "Actor",
    "ChainEnd",
    "Seen",
    "StateChanged",
    "append_entry",
    "append_table_entry",
    "canonical_json",
    "chain_end",
    "digest_of",
    "is_the_table",
    "last_number",
    "next_entry",
    "set_chain_end",
    "state_version",
    "store_entry",
    "table_subject",
]
