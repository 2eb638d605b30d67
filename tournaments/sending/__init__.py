"""Facts that are sent, once or many times, by a phone or by hand: stored once, answered the same.

`writing_once` puts a round that was sent, `receipts` remembers what was answered, `decisions` looks
up what the desk has decided since, `hand_over` reads what a phone could not send, `json_texts` and
`round_documents` are JSON one way and the other. Addresses and sentences are left to the API and
the pages.
"""
