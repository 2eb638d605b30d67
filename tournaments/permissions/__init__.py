"""Who may see and do what: `levels` in one table, `rights` of a reader in one tournament.

`guessers` tells who guesses by a request.
"""
