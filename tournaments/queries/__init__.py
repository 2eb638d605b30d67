"""Queries: everything that is derived from the recorded facts. Nothing here writes.

`seated_tables` reads who sits where, `sheets` reads and scores a sitting's rounds, `progress`
counts rounds, `standings` ranks players, `events` has tournaments as one reader sees them,
`publications` those shown as published, `board` the desk's overview.
"""
