"""Queries: everything that is derived from the recorded facts. Nothing here writes.

`sheets` reads and scores a sitting's rounds, `progress` counts rounds, `standings` ranks players,
`events` is a tournament as one reader may see it, `published_events` as it was announced, `board`
is the desk's overview.
"""
