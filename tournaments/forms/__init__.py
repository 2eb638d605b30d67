"""Django forms. `games` chooses the form for a round by the kind of game.

Forms read and check request data. Whether facts are legal is checked by `scoring`.
"""

from typing import Any

from django.forms import Field
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

# Replaces Django's "This field is required" in every field without a message of its own.
REQUIRED_MESSAGES: dict[str, Any] = {"required": _("Fill this in.")}
Field.default_error_messages = Field.default_error_messages | REQUIRED_MESSAGES
FILE_REQUIRED_MESSAGES: dict[str, Any] = {"required": _("Choose a file.")}


def posted_data(request: HttpRequest) -> QueryDict | None:
    """Return the data to bind a form to: None unless the request is a POST."""
    return request.POST if request.method == "POST" else None
