"""Demonstration events for a new installation: invented people, simulated rounds.

Everything is written through `services`, as if it had been recorded at the tables. The same seed
gives the same people, seats and facts on every machine.
"""
