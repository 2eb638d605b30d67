"""Who goes on, and the places of all stages together."""
