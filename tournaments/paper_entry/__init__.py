"""Typing in paper sheets in shorthand, one line per round.

`line_shorthand` and `deal_shorthand` parse a line, `typed_sheets` scores the lines of a sheet,
`doubts` warns of unlikely lines, `stored_rounds` and `recorded_meanwhile` compare lines with rounds
that are recorded already.
"""
