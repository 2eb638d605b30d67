"""The desk: what it watches, what it puts right, and paper it types.

`board` and `loose_ends` show what is open; `writes` are the desk's own acts, `corrections` and
`exchanges` what would follow of some; `typed_sheets` reads paper as it is typed, of words that
`shorthand` and `deal_words` know. Only `writes` writes.
"""
