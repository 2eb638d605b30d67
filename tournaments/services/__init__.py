"""Services: every write, one module a noun, each operation one transaction with its audit entry.

An operation takes the tournament's lock first (`audit.locks`), checks, writes, and appends the
audit entry. Views and the API check permissions before they call it.
"""
