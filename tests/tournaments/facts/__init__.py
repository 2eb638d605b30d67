"""Writes: tournaments, players, seats, rounds, closing."""
