"""A field of an entry is in everything that reads or writes entries."""

from __future__ import annotations

from typing import get_type_hints

import pytest
from django.urls import reverse
from pydantic import BaseModel

from tests import cast
from tournaments.api.entries import EntryChangeIn, EntryIn
from tournaments.api.schemas.entries import EntryOut, EntrySentOut, PrivateEntryOut
from tournaments.archives import schema as archive_schema
from tournaments.forms.entries import EntryForm
from tournaments.models import Entry
from tournaments.models.entry_fields import ENTRY_FIELDS, PRIVATE_FIELDS, PUBLIC_FIELDS
from tournaments.queries import published_content

PUBLIC_SCHEMAS = (EntryOut, archive_schema.Player, published_content.Player)
PRIVATE_SCHEMAS = (EntryIn, EntryChangeIn, EntrySentOut, PrivateEntryOut)


def full_name(schema: type) -> str:
    return f"{schema.__module__}.{schema.__name__}"


def fields(schema: type) -> set[str]:
    """Return the fields of a pydantic model or of a `TypedDict`."""
    return {*(schema.model_fields if issubclass(schema, BaseModel) else get_type_hints(schema))}


@pytest.mark.parametrize("schema", [*PUBLIC_SCHEMAS, *PRIVATE_SCHEMAS], ids=full_name)
def test_every_schema_of_an_entry_has_the_public_fields(schema: type) -> None:
    missing = {*PUBLIC_FIELDS} - fields(schema)
    assert not missing, f"Add {missing} to {full_name(schema)}."


@pytest.mark.parametrize("schema", [*PRIVATE_SCHEMAS, archive_schema.Private], ids=full_name)
def test_every_schema_for_the_staff_has_the_private_fields(schema: type) -> None:
    missing = {*PRIVATE_FIELDS} - fields(schema)
    assert not missing, f"Add {missing} to {full_name(schema)}."


@pytest.mark.parametrize("schema", [EntryOut, published_content.Player], ids=full_name)
def test_no_public_schema_has_a_private_field(schema: type) -> None:
    assert not {*PRIVATE_FIELDS} & fields(schema)


def test_every_field_is_a_column_of_the_database() -> None:
    columns = {field.name for field in Entry._meta.get_fields()}
    missing = {*ENTRY_FIELDS} - columns
    assert not missing, f"Add {missing} to models.Entry and make a migration."


def test_the_form_has_every_field_in_the_same_order() -> None:
    assert [*EntryForm().fields] == [*ENTRY_FIELDS]


@pytest.mark.django_db
def test_the_page_of_a_player_shows_every_field() -> None:
    event = cast.make_tournament()
    (entry,) = cast.make_entries(event, 1)
    director = cast.browser_of(cast.make_staff(event, "director", "director"))
    page = director.get(reverse("edit-entry", args=[event.slug, entry.number]))
    assert [name for name in ENTRY_FIELDS if f'name="{name}"' not in page.text] == []
