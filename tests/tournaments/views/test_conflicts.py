"""Edit conflicts: the version that a page names, and the change it has not seen."""

import pytest
from django.test import RequestFactory

from tests import cast
from tournaments.models import AuditEntry, Tournament
from tournaments.services import entries, versions
from tournaments.services.versions import VersionConflict
from tournaments.views.conflicts import NO_VERSION, seen_version, unseen_change


@pytest.mark.parametrize(
    ("typed", "version"),
    [({"seen": "0"}, 0), ({"seen": "12"}, 12), ({"seen": "x"}, NO_VERSION), ({}, NO_VERSION)],
)
def test_a_page_names_the_version_it_shows(typed: dict[str, str], version: int) -> None:
    assert seen_version(RequestFactory().post("/", typed)) == version


def test_a_change_is_shown_with_what_was_before_and_after(tournament: Tournament) -> None:
    entry = cast.make_entries(tournament, 1)[0]
    seen = versions.version_of(entry)
    facts = entry.public_values() | entry.private_values() | {"name": "新しい名"}
    entries.correct_entry(entry, facts, seen_version=seen, by=cast.SOMEBODY)
    with pytest.raises(VersionConflict) as conflict:
        versions.check_version(versions.last_change(entry), seen)
    change = unseen_change(tournament, conflict.value)
    assert change.audit_entry is not None
    assert change.audit_entry.kind == AuditEntry.Kind.ENTRY_CHANGED
    assert "成田 キヨ" in change.before
    assert "新しい名" in change.after


def test_without_a_change_there_is_nothing_to_show(tournament: Tournament) -> None:
    change = unseen_change(tournament, VersionConflict(None))
    assert change == (None, "", "")
