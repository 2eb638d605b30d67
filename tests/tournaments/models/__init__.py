"""The models, and what is derived from their rows alone."""
