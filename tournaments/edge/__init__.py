"""Requests and answers, where they are not a page's or the API's own.

`reaching` tells under which address we are asked, `codes` draws it, `downloads` answers with a
file, `programs` with a document, `storage_errors` where the database is busy or away, with what was
`typed_again`. `peers` tells from which address a request comes, `desk_https` what differs where
the desk has https. What is `heavy` is made once and few at a time; `starting` counts the tables
that a phone starts.
"""
