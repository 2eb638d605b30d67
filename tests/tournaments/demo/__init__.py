"""Events to look around in."""
