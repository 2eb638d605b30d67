"""A believable past and present for a new installation: invented people, events and play.

Everything goes through `facts.recording`, as if it had been typed in at the tables. The same seed
gives the same people, seats and facts, whatever the machine.
"""
