"""Sentences, names and times in the reader's language."""
