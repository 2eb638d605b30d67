"""The newest version goes on with the data of each released one, in mid-session, phones open."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from tests import clocks
from tests.faults import releases

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def test_every_released_version_has_its_data() -> None:
    released = re.findall(r"^## (\d\S+)", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    assert {path.name for path in releases.FILES} == {f"{each}.json.xz" for each in released}


@pytest.mark.alike  # the data are SQLite's; `test_migrations.py` has both
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", releases.FILES, ids=lambda path: path.name)
def test_phones_and_desk_go_on_after_an_upgrade(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = releases.read(path)
    clocks.stop(monkeypatch, datetime.fromisoformat(release["at"]))
    connection.ensure_connection()
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(release["database"])
        database.backup(connection.connection)
    call_command("migrate", verbosity=0, no_backup=True)
    phone = releases.browser_with(release["phone"])
    stored = releases.send(phone, release)
    assert releases.send(phone, release) == stored  # its answer was lost
    assert releases.standings() == release["standings"]
    for browser in (phone, releases.browser_with(release["desk"])):
        for page in release["pages"]:
            assert browser.get(page).status_code == 200
    call_command("verify")
