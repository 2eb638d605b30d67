"""How pages show what a service refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest

from tournaments.exceptions import OperationRefused


@contextmanager
def refusal_in(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Add a refusal of the block to the form, which keeps what was typed."""
    try:
        yield
    except OperationRefused as refused:
        form.add_error(field, str(refused))


@contextmanager
def refusal_as_message(request: HttpRequest) -> Iterator[None]:
    """Show a refusal of the block as a message on the next page."""
    try:
        yield
    except OperationRefused as refused:
        messages.error(request, str(refused))
