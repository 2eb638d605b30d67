"""Publications: an event as it was announced.

`showing` knows which publication is shown and what has changed since, `content` makes the content
of a publication of the rows, `schema` has its shape, and `events` reads it as an event.
"""
