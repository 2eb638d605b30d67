"""Who may see and do what: `rights` of a reader here and now, `roles` in one table, and `tokens`.

Whoever may not, finds nothing. What people then do is none of its business.
"""
