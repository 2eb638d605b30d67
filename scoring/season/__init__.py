"""A season table (年間成績): events of a series counted together, by points or by places.

The game's rules say nothing of seasons: the owner of the series chooses everything. `rules` reads
these choices, `table` counts and ranks.
"""
