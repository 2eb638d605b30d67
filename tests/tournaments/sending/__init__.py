"""Rounds sent or brought by hand: stored once."""
