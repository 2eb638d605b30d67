"""The fields of a form that could not be stored, repeated on the error page to be sent again.

Going back in the browser would lose them: fields without autocompletion are empty then, and a
reloaded form names a newer version than its reader saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest

SECRETS = frozenset({"password", "pin", "code"})  # never repeated; their forms are short
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of a field, which each page fills itself


def submitted_fields(request: HttpRequest) -> Sequence[tuple[str, str]]:
    """Return (name, value) of each field of a posted form, without the CSRF token.

    Empty for a form with a secret or a file, and before the CSRF token has been checked.
    """
    if request.method != "POST" or not getattr(request, "csrf_processing_done", False):
        return ()
    if request.FILES or SECRETS & request.POST.keys():
        return ()
    return [
        (name, str(value))
        for name, values in request.POST.lists()
        for value in values
        if name != TOKEN
    ]
