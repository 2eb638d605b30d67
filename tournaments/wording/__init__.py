"""Words in the reader's language: `sentences` of the engine, `terms`, `acts`, `units`, `moments`.

`catalogues` makes the translations ready. What is legal and what happened is decided elsewhere.
"""
