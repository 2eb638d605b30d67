"""The documents name existing files, tests and labels, and their commands work."""
