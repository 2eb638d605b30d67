"""Databases for server processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.installations import Installer
from tests.faults.serving import served_postgres


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a PostgreSQL server; each user creates a database there."""
    with served_postgres() as cluster:
        yield cluster.url


@pytest.fixture(scope="session", params=["SQLite", "PostgreSQL"])
def install(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installer:
    """A factory of installations on one kind of database."""
    is_file = request.param == "SQLite"
    url = "" if is_file else str(request.getfixturevalue("postgres_url"))
    return Installer(tmp_path_factory.mktemp("installations"), url)
