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
    """Return the names and values of a posted form's fields, without the CSRF token.

    Return nothing for a form with a secret or a file, or whose CSRF token was not checked.
    """
    if request.method != "POST" or not getattr(request, "csrf_processing_done", False):
        return ()
    if request.FILES or SECRETS & request.POST.keys():
        return ()
    fields = [field for field in request.POST.lists() if field[0] != TOKEN]
    return [(name, str(value)) for name, values in fields for value in values]
