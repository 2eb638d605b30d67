"""Settings come from the environment, and refuse what cannot be safe."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tournaments.server import databases, environment

PROJECT = Path(__file__).parents[3]
LONG_KEY = "d2VidS10aWJ1LWd1aG8tYmV5YS1rYW5vLW1pdGUtc3Vyby1oYWt1"


def python(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a new interpreter with only these settings in its environment."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        check=False,
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"], **settings},
        text=True,
    )


def test_production_refuses_to_start_without_a_secret_key(tmp_path: Path) -> None:
    started = python("-c", "import tournaments.wsgi", DATA_DIR=str(tmp_path))
    assert started.returncode == 1
    assert "There is no secret key. Set SECRET_KEY" in started.stderr
    assert "manage.py serve" in started.stderr


def test_production_starts_with_a_secret_key(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    started = python("-c", "import tournaments.wsgi", DATA_DIR=str(tmp_path), SECRET_KEY=LONG_KEY)
    assert (started.returncode, started.stderr) == (0, "")


def test_production_uses_the_key_that_a_venue_made(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text(f"{LONG_KEY}\n")
    shown = "from tournaments import settings; print(settings.SECRET_KEY)"
    assert python("-c", shown, DATA_DIR=str(tmp_path)).stdout == f"{LONG_KEY}\n"


def test_database_is_in_its_folder_whatever_this_is_called(tmp_path: Path) -> None:
    shown = "from tournaments import settings; print(settings.DATABASES['default']['NAME'])"
    data = tmp_path / "Cup #1? 100%25"
    assert python("-c", shown, DATA_DIR=str(data)).stdout == f"{data / 'makiyaku.sqlite3'}\n"


def test_production_passes_deployment_checks(tmp_path: Path) -> None:
    command = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    checked = python(
        *command, DATA_DIR=str(tmp_path), SECRET_KEY=LONG_KEY, ALLOWED_HOSTS="a.example"
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_replica_needs_postgresql(tmp_path: Path) -> None:
    shown = "from tournaments import settings"
    replica = "postgres://elsewhere/makiyaku"
    started = python("-c", shown, DATA_DIR=str(tmp_path), DATABASE_REPLICA_URL=replica)
    assert "DATABASE_REPLICA_URL needs PostgreSQL in DATABASE_URL." in started.stderr


def test_without_a_replica_there_is_neither_router_nor_middleware(tmp_path: Path) -> None:
    shown = "from tournaments import settings as s; print([*s.DATABASES], s.MIDDLEWARE[-1])"
    found = python("-c", shown, DATA_DIR=str(tmp_path)).stdout
    assert found == "['default'] tournaments.permissions.admission.AdmissionMiddleware\n"


def test_postgresql_keeps_connections_and_prepares_statements() -> None:
    database = databases.database_of("postgres://elsewhere/makiyaku")
    assert database["CONN_MAX_AGE"] > 0
    assert database["OPTIONS"] == {"server_side_binding": True, "prepare_threshold": 3}


@pytest.mark.parametrize(
    ("value", "meaning"),
    [("1", True), ("on", True), ("Yes", True), ("0", False), ("off", False), ("", True)],
)
def test_flag_is_a_boolean(monkeypatch: pytest.MonkeyPatch, value: str, *, meaning: bool) -> None:
    monkeypatch.setenv("HTTPS", value)
    assert environment.get_flag("HTTPS", default=True) is meaning


def test_invalid_flag_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "maybe")
    with pytest.raises(ImproperlyConfigured, match="DEBUG='maybe' is neither yes nor no"):
        environment.get_flag("DEBUG", default=False)


def test_words_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example,")
    assert environment.get_words("ALLOWED_HOSTS") == ["a.example", "b.example"]


def test_choice_is_the_first_unless_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert environment.get_choice("LANGUAGE_CODE", ["ja", "en"]) == "ja"
    monkeypatch.setenv("LANGUAGE_CODE", "en")
    assert environment.get_choice("LANGUAGE_CODE", ["ja", "en"]) == "en"
    monkeypatch.setenv("LANGUAGE_CODE", "zh")
    with pytest.raises(ImproperlyConfigured, match="LANGUAGE_CODE='zh': write one of ja, en"):
        environment.get_choice("LANGUAGE_CODE", ["ja", "en"])
