"""The newest state of the database elsewhere, a few seconds old."""
