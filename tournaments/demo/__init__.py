"""Demonstration events for a new installation: invented people, simulated rounds.

All rounds are written through `services`, as if they had been recorded at the tables. The same seed
gives the same people, seats and facts on every machine.
"""
