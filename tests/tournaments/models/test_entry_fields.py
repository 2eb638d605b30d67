"""A field of an entry is in everything that reads or writes entries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import get_type_hints

import pytest
from annotated_types import MaxLen
from django.conf import settings
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pydantic import BaseModel

from tests import cast
from tournaments.api.entries import EntryChangeIn, EntryIn
from tournaments.api.registrations import ApplicationIn
from tournaments.api.schemas.entries import EntryOut, EntrySentOut, PrivateEntryOut
from tournaments.api.schemas.registrations import ApplicationOut
from tournaments.archives import schema as archive_schema
from tournaments.archives.applications import Application
from tournaments.forms.entries import EntryForm
from tournaments.forms.registrations import RegisterForm
from tournaments.models import Entry, Registration, people
from tournaments.models.entry_fields import (
    ENTRY_FIELDS,
    MAX_LENGTHS,
    PRIVATE_FIELDS,
    PUBLIC_FIELDS,
)
from tournaments.models.registrations import REGISTRATION_FIELDS
from tournaments.queries.publications import schema as published
from tournaments.queries.registrations import vacancies_of

PUBLIC_SCHEMAS = (
    EntryOut,
    archive_schema.Player,
    published.Player,
    ApplicationIn,
    ApplicationOut,
    Application,
)
PRIVATE_SCHEMAS = (EntryIn, EntryChangeIn, EntrySentOut, PrivateEntryOut)
FIRST_FIELDS = {"name", "club", "division", "contact", "birth_year", "notes"}
# The schemas of files, each with the fields that the earliest files have.
STORED = {
    archive_schema.Player: FIRST_FIELDS,
    archive_schema.Private: FIRST_FIELDS,
    published.Player: FIRST_FIELDS,
    Application: {*FIRST_FIELDS, "reading", "team"},
}
MODELS = (EntryIn, EntryChangeIn, ApplicationIn, *STORED)


def full_name(schema: type) -> str:
    return f"{schema.__module__}.{schema.__name__}"


def fields(schema: type) -> set[str]:
    return {*(schema.model_fields if issubclass(schema, BaseModel) else get_type_hints(schema))}


@pytest.mark.parametrize("schema", [*PUBLIC_SCHEMAS, *PRIVATE_SCHEMAS], ids=full_name)
def test_every_schema_of_a_person_has_the_public_fields(schema: type) -> None:
    missing = {*PUBLIC_FIELDS} - fields(schema)
    assert not missing, f"Add {missing} to {full_name(schema)}."


@pytest.mark.parametrize("schema", [*PRIVATE_SCHEMAS, archive_schema.Private], ids=full_name)
def test_every_schema_for_the_staff_has_the_private_fields(schema: type) -> None:
    missing = {*PRIVATE_FIELDS} - fields(schema)
    assert not missing, f"Add {missing} to {full_name(schema)}."


@pytest.mark.parametrize("schema", MODELS, ids=full_name)
def test_every_schema_has_the_maximum_lengths_of_the_fields(schema: type[BaseModel]) -> None:
    texts = {name: field for name, field in schema.model_fields.items() if field.annotation is str}
    lengths = {
        name: next((each.max_length for each in field.metadata if isinstance(each, MaxLen)), None)
        for name, field in texts.items()
        if name in ENTRY_FIELDS
    }
    assert lengths == {name: MAX_LENGTHS[name] for name in lengths}


@pytest.mark.parametrize("schema", STORED, ids=full_name)
def test_files_from_before_a_field_can_be_read(schema: type[BaseModel]) -> None:
    required = {name for name, field in schema.model_fields.items() if field.is_required()}
    later = required & {*ENTRY_FIELDS} - STORED[schema]
    assert not later, f"Give {later} of {full_name(schema)} a default: earlier files lack it."


@pytest.mark.parametrize("schema", [EntryOut, published.Player], ids=full_name)
def test_no_public_schema_has_a_private_field(schema: type) -> None:
    assert not {*PRIVATE_FIELDS} & fields(schema)


@pytest.mark.parametrize(
    ("model", "names"), [(Entry, ENTRY_FIELDS), (Registration, REGISTRATION_FIELDS)]
)
def test_every_field_is_a_column_of_the_database(model: type[Model], names: Iterable[str]) -> None:
    missing = {*names} - {field.name for field in model._meta.get_fields()}
    remedy = f"Add {missing} to models.{model.__name__} and make a migration"
    assert not missing, f"{remedy}: `python manage.py makemigrations tournaments --name …`."


def test_the_document_of_the_api_names_every_field() -> None:
    text = (settings.BASE_DIR / "docs" / "api.md").read_text(encoding="utf-8")
    missing = {name for name in ENTRY_FIELDS if f'"{name}"' not in text and f"`{name}`" not in text}
    assert not missing, f"Name {missing} in docs/api.md, among the fields of players."


def test_the_form_has_every_field_in_the_same_order() -> None:
    assert [*EntryForm().fields] == [*ENTRY_FIELDS]


@pytest.mark.django_db
def test_the_page_of_a_player_shows_every_field() -> None:
    event = cast.make_tournament()
    (entry,) = cast.make_entries(event, 1)
    director = cast.browser_of(cast.make_staff(event, "director", "director"))
    page = director.get(reverse("edit-entry", args=[event.slug, entry.number]))
    assert [name for name in ENTRY_FIELDS if f'name="{name}"' not in page.text] == []


def test_applicants_agree_to_show_every_public_field() -> None:
    """The reading is not named: it is the name in kana."""
    with translation.override("en"):
        consent = str(RegisterForm.base_fields["consent"].label).lower()
        shown = {*PUBLIC_FIELDS} - {"reading"}
        labels = {str(ENTRY_FIELDS[name].label).lower() for name in shown}
    documented = " ".join(str(ApplicationIn.__doc__).split()).lower()
    for place, text in (("RegisterForm", consent), ("the docstring of ApplicationIn", documented)):
        missing = {label for label in labels if label not in text}
        assert not missing, (
            f"Name {missing} in the sentence of consent of {place}: nothing is shown that the"
            " applicant has not agreed to."
        )


@pytest.mark.django_db
def test_applicants_fill_in_every_field_and_see_it_on_their_page() -> None:
    event = cast.make_tournament()
    cast.open_registration(event, divisions=("一般",))
    asked = {*RegisterForm(["一般"], vacancies_of(event)).fields}
    missing = {*REGISTRATION_FIELDS} - asked
    assert not missing, f"Add {missing} to RegisterForm."
    facts = {name: f"申込の {name}" for name in REGISTRATION_FIELDS} | {"division": "一般"}
    cast.register(event, "k", **facts)
    page = Client().get(reverse("registration", args=[event.slug, "k" * 24])).text
    hidden = {name for name, value in facts.items() if value not in page}
    assert not hidden, f"Show {hidden} in templates/registration.html."


def test_empty_new_private_field_keeps_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Entry(number=1, name="成田 キヨ", contact="017-000-0000", salt="5" * 32)
    before = entry.audit_values()
    monkeypatch.setattr(people, "PRIVATE_FIELDS", (*PRIVATE_FIELDS, "allergies"))
    monkeypatch.setattr(Entry, "allergies", "", raising=False)
    assert entry.audit_values() == before
    monkeypatch.setattr(Entry, "allergies", "そば")
    assert entry.audit_values() != before


def test_digest_of_private_facts_is_the_documented_one() -> None:
    entry = Entry(number=1, name="成田 キヨ", contact="017-000-0000", salt="5" * 32)
    private = json.dumps(["5" * 32, "017-000-0000", None, ""])
    assert entry.audit_values()["private"] == hashlib.sha256(private.encode()).hexdigest()
