"""Tables over several events."""
