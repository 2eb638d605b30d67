"""The playbook: a sitting's rules as JSON, for a phone without network.

`document` builds it: the outcomes of all deals, with `captures` for Gong Zhu, and `advice` for what
follows a deal. `sentences` are the translated texts of the phone's script.
"""
