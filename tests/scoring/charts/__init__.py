"""Charts of every rule set."""
