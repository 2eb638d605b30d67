"""Who may see and do what: `levels` of addresses, `rights` of a reader in one tournament.

`door` enforces the level that each view declares, and finds the objects in its URL. `admission`
makes a browser a phone: nothing else here writes. `guessers` identifies who guesses a password or
PIN. `front_page` has the tournaments that are open to all, though nothing of them is published.
"""
