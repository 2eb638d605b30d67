"""Typing in paper sheets in shorthand, one line per round.

A kind of game parses a line, with the help of `line_shorthand`; `typed_sheets` scores the lines of
a sheet, `doubts` warns of unlikely lines, `recorded_meanwhile` compares lines with rounds that are
recorded already.
"""
