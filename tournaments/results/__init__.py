"""Results: everything derived from facts, and what of it everybody sees.

`standings` ranks, `events` is what one reader sees, `publications` announces, `player_rounds` and
`charts` tell of one player, `what_if` of other facts. Only `publications` writes, and no points:
what it keeps is what was announced.
"""
