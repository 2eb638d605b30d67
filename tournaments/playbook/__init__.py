"""The playbook: a sitting's rules as JSON, for a phone without network.

`document` builds the playbook: the outcomes of all deals, with `captures` for Gong Zhu, and
`advice` for what the table does after a deal. `sentences` are the translated texts of the phone's
script.
"""
