"""A season table (年間成績): events of a series counted together, by points or by places.

The game's rules say nothing of seasons; who runs the series chooses all of it: `rules` reads what
is chosen, `table` counts and ranks.
"""
