"""What was typed into a form that could not be stored, for a form that sends it again.

Going back does not bring it back: browsers leave fields empty that they may not complete, and a
page loaded anew names a newer version than its reader saw. So all comes as it was sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest

SECRETS = frozenset({"password", "pin", "code"})  # what no page repeats; a form with one is short
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of the field, which each page fills anew


def typed_in(request: HttpRequest) -> Sequence[tuple[str, str]]:
    """Return names and values of a form's fields as they were sent.

    Nothing of a form with a secret or a file, nor of one not yet found to come from our own pages.
    """
    if request.method != "POST" or not getattr(request, "csrf_processing_done", False):
        return ()
    if request.FILES or SECRETS & request.POST.keys():
        return ()
    fields = [field for field in request.POST.lists() if field[0] != TOKEN]
    return [(name, str(value)) for name, values in fields for value in values]
