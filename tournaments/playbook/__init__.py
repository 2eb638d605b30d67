"""The playbook: a sitting's rules as JSON, for a phone without network.

`document` builds the playbook, `sentences` are the translated texts of the phone's script.
"""
