"""Paper sheets typed in shorthand, a line a round, and what is doubted about a line."""
