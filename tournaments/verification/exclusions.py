"""The columns that `verify` does not compare, and why.

A test changes every other column of every row, one at a time, and `verify` has to report it. So a
new column has to be compared, or listed here with its reason.
"""

from __future__ import annotations

GUESSES = "counts wrong guesses; whoever changes it may go on guessing, or has to wait"
DAILY = "counts writes without an account; whoever changes it may write more or less that day"
TOKEN = "a program's key, of an account and of no tournament"  # noqa: S105  no secret
LAYOUT = "how somebody's lists are read, shown before anybody is added; of no tournament"
SERIES = "of a series and of no tournament; its list of changes tells what was done"
EPOCH = "of the database and of no tournament; whoever raises it ends the service, or asks phones"
PROPOSAL = "a working paper: what was seated is compared as seats and as the draw of its session"

NOT_COMPARED = {
    ("SeatProposal", "tournament"): PROPOSAL,
    ("SeatProposal", "number"): PROPOSAL,
    ("SeatProposal", "purpose"): PROPOSAL,
    ("SeatProposal", "session"): PROPOSAL,
    ("SeatProposal", "basis"): PROPOSAL,
    ("SeatProposal", "choices"): PROPOSAL,
    ("SeatProposal", "draw"): PROPOSAL,
    ("SeatProposal", "seats"): PROPOSAL,
    ("SeatProposal", "left_out"): PROPOSAL,
    ("SeatProposal", "who"): PROPOSAL,
    ("SeatProposal", "at"): PROPOSAL,
    ("Epoch", "number"): EPOCH,
    ("Epoch", "reason"): EPOCH,
    ("Epoch", "at"): EPOCH,
    ("Epoch", "sends_again"): EPOCH,
    ("Guesses", "subject"): GUESSES,
    ("Guesses", "who"): GUESSES,
    ("Guesses", "count"): GUESSES,
    ("Guesses", "closed_until"): GUESSES,
    ("Guesses", "counted_at"): GUESSES,
    ("Guesses", "succeeded_at"): GUESSES,
    ("DailyCount", "kind"): DAILY,
    ("DailyCount", "who"): DAILY,
    ("DailyCount", "begun_at"): DAILY,
    ("DailyCount", "count"): DAILY,
    ("StaffToken", "user"): TOKEN,
    ("StaffToken", "digest"): TOKEN,
    ("StaffToken", "made_at"): TOKEN,
    ("StaffToken", "expires_at"): TOKEN,
    ("ListLayout", "user"): LAYOUT,
    ("ListLayout", "headings"): LAYOUT,
    ("ListLayout", "sheet"): LAYOUT,
    ("ListLayout", "fields"): LAYOUT,
    ("Series", "slug"): SERIES,
    ("Series", "name"): SERIES,
    ("Series", "season"): SERIES,
    ("Series", "rules"): SERIES,
    ("Series", "version"): SERIES,
    ("Series", "created_at"): SERIES,
    ("SeriesOwner", "series"): SERIES,
    ("SeriesOwner", "user"): SERIES,
    ("SamePlayer", "series"): SERIES,
    ("SamePlayer", "first"): SERIES,
    ("SamePlayer", "second"): SERIES,
    ("SeriesChange", "series"): SERIES,
    ("SeriesChange", "number"): SERIES,
    ("SeriesChange", "at"): SERIES,
    ("SeriesChange", "who"): SERIES,
    ("SeriesChange", "kind"): SERIES,
    ("SeriesChange", "facts"): SERIES,
}
