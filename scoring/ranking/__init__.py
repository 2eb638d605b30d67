"""Ranks players: from the results of tables, by ranking rules, to places with their tie-breaks.

`contest` holds all that a ranking is derived from, `rules` the ranking rules, `results` what each
player has, `deals` what counts in single deals, `tie_breaks` the values that are compared, `places`
the order. Callers choose the rounds that count.
"""
