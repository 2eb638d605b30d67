"""Who may see and do what: `levels` of addresses, `rights` of a reader in one tournament.

`door` enforces the level that each view declares, and finds what its address names. `admission`
makes a browser a phone: nothing else here writes. `guessers` tells who guesses by a request.
"""
