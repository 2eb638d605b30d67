"""Words in the reader's language: `sentences` of the engine, `acts`, `units` and `moments`.

`catalogues` makes the translations ready. What is legal and what happened is decided elsewhere.
"""
