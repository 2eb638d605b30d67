"""Sentences in the reader's language: of the engine, of audit entries, of units and times."""
