"""What the API answers, as the OpenAPI document describes it: a module for each subject.

Descriptions only: answers are made in `documents` and are not validated while somebody waits. The
tests hold every answer they get against these. `parts` has what they share.
"""
