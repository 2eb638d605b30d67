"""Who may see and do what: `levels` of addresses, `rights` of a reader in one tournament.

`door` enforces the level that each view declares, and finds the objects in its URL. `admission`
makes a browser a phone, `daily_limits` counts writes that need no account: nothing else here
writes. `guessers` identifies who guesses a password or PIN. `tournament_lists` and `series_rights`
find what is listed for a reader, `front_page` the tournaments that take applications or show their
seats to everybody.
"""
