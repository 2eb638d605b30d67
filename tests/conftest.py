"""Fixtures and hooks of all tests."""

import gc
import math
import os
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from _pytest import runner
from _pytest.doctest import DoctestModule
from django.db import connection, transaction
from django.test import Client, TransactionTestCase
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as trying
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker, Settings
from pytest_django.live_server_helper import LiveServer

from tests import browsers, cast, database_reset, live
from tests.faults import serving
from tests.frames import with_room
from tournaments.__main__ import ALLOCATIONS_UNTIL_COLLECTION
from tournaments.models import Tournament
from tournaments.queries import live_events
from tournaments.services import automatic_backups, epochs, pins
from tournaments.web import heavy_files

COMMITS = {"transactional_db", "live_server", "shared_database"}
ASKS_THE_DATABASE = {"db", "lasting_database"} | COMMITS
PAGES = {"i18n", "tables", "views", "web"}  # folders of tests of what is shown


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Any, Any]:
    """Look for doctests only in files of tests that have some: each search takes milliseconds.

    Other modules are still searched, as this also imports them.
    """
    collectors = yield
    if file_path.match("test_*.py") and ">>> " not in file_path.read_text("utf-8"):
        return [each for each in collectors if not isinstance(each, DoctestModule)]
    return collectors


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark tests that use the database or a browser, and sort them by duration.

    The longest tests come first, so that no worker is still busy with one when the others are done.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if "chromium" in fixtures:
            item.add_marker("browser")
            continue
        asks = fixtures & ASKS_THE_DATABASE or item.get_closest_marker("django_db")
        if asks and is_run_on_both(item):
            item.add_marker("database")
    yield
    items.sort(key=priority)


def is_run_on_both(item: pytest.Item) -> bool:
    if item.path.parent.name in PAGES:
        return does_commit(item) or item.get_closest_marker("both") is not None
    return item.get_closest_marker("alike") is None


def does_commit(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    asked = COMMITS & set(getattr(item, "fixturenames", ()))
    return bool(asked or (marker and marker.kwargs.get("transaction")))


def priority(item: pytest.Item) -> int:
    """Return the sort key of a test: first those that wait for servers, the short ones last."""
    if item.path.stem == "test_championship":
        return 0
    if "faults" not in item.path.parts:
        return 2
    return int(item.path.stem in {"test_backups_refused", "test_migrations"})


@pytest.hookimpl(optionalhook=True)  # a hook of xdist
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start two more workers than cores: many tests wait for a browser or a server.

    Those that are run on PostgreSQL, too (`-m database`), do not.
    """
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return cores if config.option.markexpr == "database" else cores + 2


# Hypothesis has no deadline, since the machine may be busy.
trying.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
trying.load_profile("patient")

gc.disable()  # during collection, which allocates many objects and frees few


def pytest_collection_finish() -> None:
    """Exclude modules and tests from garbage collection, and collect it as rarely as the server."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_UNTIL_COLLECTION, 20, 20)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    return with_room(runner.pytest_runtest_protocol, item, nextitem)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, shared by the tests; use `page` or a `browsers.new_profile()`."""
    # Playwright's event loop is in this thread, and there Django would refuse the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        expect.set_options(timeout=1000 * live.PATIENCE)
        browser = playwright.chromium.launch(**browsers.options())
        browser.on("context", live.wait_patiently)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared_tab(chromium: Browser) -> browsers.SharedTab:
    """Return the tab that `page` gives to one test after the other."""
    return browsers.SharedTab(chromium)


@pytest.fixture
def page(shared_tab: browsers.SharedTab) -> Iterator[Page]:
    """A page in an empty browser profile, as wide as a small phone."""
    yield shared_tab.context.pages[0]
    shared_tab.empty()


@pytest.fixture(scope="session")
def still_tab(chromium: Browser) -> browsers.SharedTab:
    """Return the tab that `still_page` gives to one test after the other."""
    return browsers.SharedTab(chromium, has_still_clock=True)


@pytest.fixture
def still_page(still_tab: browsers.SharedTab) -> Iterator[Page]:
    """A page whose clock is stopped until the test resumes it."""
    yield still_tab.context.pages[0]
    still_tab.empty()


@pytest.fixture
def own_page(chromium: Browser) -> Iterator[Page]:
    """A page for tests that set the clock or add scripts: its profile is not used again."""
    context = browsers.new_profile(chromium)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session", autouse=True)
def _posts_what_was_shown() -> Iterator[None]:
    """Let a browser name the version of the state that its page has just shown.

    As a form does; a test that names one itself posts what an older page showed.
    """
    post = Client.post

    def post_as_shown(
        browser: Client, path: str, data: Any = None, *more: Any, **options: Any
    ) -> Any:
        answer = post(browser, path, data, *more, **options)
        is_named = isinstance(data, dict | None) and "seen_version" in (data or {})
        if answer.status_code != 409 or is_named or "seen_version" not in (answer.context or {}):
            return answer
        shown = {"seen_version": answer.context["seen_version"]}
        return post(browser, path, (data or {}) | shown, *more, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "post", post_as_shown)
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_pins() -> None:
    """Hash PINs with one iteration: 20,000 take 6 ms a PIN. The settings do so for passwords."""
    pins.Hasher.iterations = 1


@pytest.fixture(autouse=True)
def _default_language() -> None:
    """Reset the language, which stays active after the last request of a test."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def _nothing_made() -> None:
    """Clear the caches of generated files and live events before every test."""
    heavy_files.cache.clear()
    live_events.events.forget()


@pytest.fixture(autouse=True)
def _first_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for the epoch only after one has begun, so that tests can count statements."""
    monkeypatch.setattr(epochs, "_cached", (math.inf, epochs.FIRST))


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Set the folder that the workers of this run share, for servers started by tests.

    These are forked from a process that has loaded the program; benchmarks start theirs alone.
    """
    serving.Server.is_forked = True
    own = tmp_path_factory.getbasetemp()
    serving.SHARED[:] = [own.parent if "PYTEST_XDIST_WORKER" in os.environ else own]


@pytest.fixture(scope="session")
def backup_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Paths of folders that do not exist yet: to make one for every test takes seconds."""
    parent = tmp_path_factory.mktemp("backups")
    return (parent / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_shelf(settings: Settings, backup_folders: Iterator[Path]) -> None:
    """Give every test its own folders for backups and standby copies."""
    settings.BACKUPS_DIR, settings.STANDBY_DIR = next(backup_folders), next(backup_folders)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Migrate, as pytest-django does; reset the database after tests faster than Django."""
    with (
        django_db_blocker.unblock(),
        database_reset.fast_reset() as empty,
        pytest.MonkeyPatch.context() as patch,
        django_db_blocker.block(),
    ):
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty)
        yield


@pytest.fixture(autouse=True)
def _all_answered(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test that committed, wait for requests before the database is reset."""
    if not does_commit(request.node):
        yield
        return
    assert not connection.in_atomic_block, "a test that commits cannot be within lasting_database"
    request.getfixturevalue("transactional_db")  # this fixture is then finalised before it
    if {"shared_database", "live_server"} & set(request.fixturenames):
        request.getfixturevalue("shared_database")
    yield
    live.end_requests()
    automatic_backups.wait_for_threads()


@pytest.fixture(scope="module")
def lasting_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[DjangoDbBlocker]:
    """A transaction around all tests of a module, for rows that are slow to make and only read.

    Every test has its own transaction within it. Use it in a module-scoped fixture that makes the
    rows under `unblock()`. No test of the module may commit.
    """
    around = transaction.atomic()
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        around.__enter__()
        patch.setattr(connection, "close", lambda: None)  # as Django does at the end of each test
        with django_db_blocker.block():
            yield django_db_blocker
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


@pytest.fixture
def tournament(db: None) -> Tournament:
    """An unpublished tournament, of which the fixtures below are the staff."""
    return cast.make_tournament()


@pytest.fixture
def director(tournament: Tournament) -> Client:
    return cast.browser_of(cast.make_staff(tournament, "director", "director"))


@pytest.fixture
def scorekeeper(tournament: Tournament) -> Client:
    return cast.browser_of(cast.make_staff(tournament, "scorekeeper"))


@pytest.fixture
def stranger(db: None) -> Client:
    return cast.browser_of(cast.make_user("stranger"))


@pytest.fixture
def creator(db: None) -> Client:
    return cast.browser_of(cast.make_creator("creator"))


@pytest.fixture(scope="session")
def live_server() -> Iterator[LiveServer]:
    with live.serving() as server:
        yield server


@pytest.fixture
def shared_database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database shared by threads: on SQLite a file, since one in memory has one connection."""
    if connection.vendor != "sqlite":
        yield
        return
    with live.database_in(tmp_path / "shared.sqlite3"):
        yield
