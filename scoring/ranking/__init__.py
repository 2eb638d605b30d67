"""Ranks players: from the results of tables, by ranking rules, to places with their tie-breaks.

- `contest`: the facts that a ranking is derived from, and the places derived from them
- `rules`: the ranking rules
- `results`: a player's points and the values that tie-breaks compare
- `absence`: why a player did not play in a session
- `deals`, `missed`: what single deals, and missed sessions, contribute to the results
- `tie_breaks`: how players are compared
- `places`: the order, and who shares a rank

Callers choose the rounds that count.
"""
