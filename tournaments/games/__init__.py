"""A package for each kind of game: see `tournaments.game_kinds`."""
