"""The games of face cards."""
