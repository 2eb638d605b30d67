"""Who may see and do what: `levels` in one table, `rights` of a reader in one tournament.

`admission` makes a browser a phone: nothing else here writes. `guessers` tells who guesses by a
request.
"""
