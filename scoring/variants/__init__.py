"""One module per rule set, each listed in `scoring.registry`."""
