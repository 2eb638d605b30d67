"""Django forms. Those for a round belong to a kind of game, in `games/`.

Forms read and check request data. Whether facts are legal is checked by `scoring`.
"""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import (
    MaxLengthValidator,
    MaxValueValidator,
    MinLengthValidator,
    MinValueValidator,
)
from django.forms import CharField, ChoiceField, DateField, Field, IntegerField
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.models.readable_names import is_readable

# Replaces Django's "This field is required" in every field without a message of its own.
REQUIRED_MESSAGES: dict[str, Any] = {"required": _("Fill this in.")}
Field.default_error_messages = Field.default_error_messages | REQUIRED_MESSAGES
ChoiceField.default_error_messages = ChoiceField.default_error_messages | {
    "required": _("Choose one."),
    "invalid_choice": _("Choose one of those offered."),
}
FILE_REQUIRED_MESSAGES: dict[str, Any] = {"required": _("Choose a file.")}
# Replace Django's "Ensure this value is …", which reads like a program's words in Japanese.
MinValueValidator.message = _("Enter %(limit_value)s or more.")
MaxValueValidator.message = _("Enter %(limit_value)s or less.")
MinLengthValidator.message = _("Enter at least %(limit_value)s characters.")
MaxLengthValidator.message = _("Enter at most %(limit_value)s characters.")
IntegerField.default_error_messages = {"invalid": _("Enter a whole number.")}
DateField.default_error_messages = {"invalid": _("Enter a valid date.")}


def check_readable(text: str) -> None:
    """Raise `ValidationError` for a text of which nothing can be seen, or that turns around."""
    if text.strip() and not is_readable(text):
        raise ValidationError(_("This contains invisible characters. Type it again."))


CharField.default_validators = [check_readable]


def posted_data(request: HttpRequest) -> QueryDict | None:
    """Return the data to bind a form to: None unless the request is a POST."""
    return request.POST if request.method == "POST" else None
