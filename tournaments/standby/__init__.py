"""Standby copies: the newest state of the SQLite database elsewhere, a few seconds old.

`copier` is a process of its own beside the server, which `process` starts: it takes a `snapshots`
of the database, and one thread for each of the `targets` writes the changed `pages` to its
`folders`, encrypted by `ciphers` where a passphrase was chosen. What it reports is in `status`.

What the copier imports is without Django, so that it takes little memory, and the server's
processes never import the copier. Only the copier opens the database: if a process of the server
opened and closed the file by itself, SQLite's locks in that process would be lost.

`going_on` puts a copy in the database's place, on this computer or another one.
"""
