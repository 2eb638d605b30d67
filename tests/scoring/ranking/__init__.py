"""Places of a contest."""
