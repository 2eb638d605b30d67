"""docs/archive.md names every field of an archive."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from tournaments.archives import schema

DOCUMENT = Path(__file__).parents[2] / "docs" / "archive.md"
# The answer of `manage.py draw`, which docs/draws.md explains.
ANSWER = (schema.DrawAnswer, schema.DrawnSession, schema.DrawQuality)
SCHEMAS = [
    each
    for each in vars(schema).values()
    if isinstance(each, type) and issubclass(each, BaseModel) and each not in ANSWER
]


@pytest.mark.parametrize("document", SCHEMAS, ids=lambda each: each.__name__)
def test_every_field_is_documented(document: type[BaseModel]) -> None:
    missing = document.model_fields.keys() - {*re.findall(r"\w+", DOCUMENT.read_text("utf-8"))}
    assert not missing, f"Name in docs/archive.md the fields {missing} of {document.__name__}."
