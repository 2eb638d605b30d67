"""Typing in paper sheets in shorthand, one line per round.

`line_shorthand` and `deal_shorthand` parse, `typed_sheets` scores the lines, `doubts` warns.
"""
