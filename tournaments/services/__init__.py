"""Services: every write, one module a noun, each operation one transaction with its audit entry.

An operation takes the tournament's lock first (`audit.locks`), checks, writes, and appends the
entry. Who may do it is for `permissions`, which views and the API ask before.
"""
