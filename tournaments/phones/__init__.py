"""A table's phones: what lets them in, what they are told, what they say besides facts.

`links`, `pins`, `table_codes` and `cards` are what opens a table, `guesses` counts who tries
others, `joining` lets in and hands on, `saying` accepts, contradicts and calls. `playbook`, `hands`
and `words` are what a phone looks up. What a table wrote down is not here but in `facts`.
"""
