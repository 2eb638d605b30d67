"""Queries: every read that derives something from the recorded facts. Nothing here writes.

`sheets` reads and scores what a table recorded, `progress` counts how far all has come, `standings`
ranks, `events` is a tournament as one reader sees it, `board` what the desk watches.
"""
