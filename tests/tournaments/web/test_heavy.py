"""What everybody may ask for and takes long: made once, few at a time, and never out of date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Event
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests import cast, live
from tests.races import run_before
from tournaments.models import Sitting, Tournament
from tournaments.printing import rendering
from tournaments.services import tournaments, versions
from tournaments.services.publications import publish
from tournaments.tables import exports
from tournaments.views import standings_workbooks as pages
from tournaments.web import heavy_files
from tournaments.web.heavy_files import Busy, FileCache, Quota


class Maker:
    """Counts what it makes, returns the number, and can be made to wait."""

    def __init__(self, *, waits: bool = False) -> None:
        self.made = 0
        self.has_begun, self.may_end = Event(), Event()
        if not waits:
            self.may_end.set()

    def __call__(self) -> bytes:
        self.made += 1
        self.has_begun.set()
        assert self.may_end.wait(live.PATIENCE)
        return str(self.made).encode()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


def test_file_is_made_once() -> None:
    cache, make = FileCache(), Maker()
    assert [cache.get(lambda: "chart", make) for _ in range(3)] == [b"1"] * 3
    assert cache.get(lambda: "sheet", make) == b"2"
    assert cache.get(lambda: "chart", make) == b"1"


def test_concurrent_requests_wait_for_the_same_file(pool: ThreadPoolExecutor) -> None:
    cache, make = FileCache(at_once=3), Maker(waits=True)
    first = pool.submit(cache.get, lambda: "chart", make, Quota.STAFF)
    assert make.has_begun.wait(live.PATIENCE)
    others = [pool.submit(cache.get, lambda: "chart", make, Quota.STAFF) for _ in range(2)]
    make.may_end.set()
    assert [each.result(live.PATIENCE) for each in (first, *others)] == [b"1"] * 3


def test_number_of_files_being_made_is_limited(pool: ThreadPoolExecutor) -> None:
    cache, make = FileCache(at_once=1), Maker(waits=True)
    assert cache.get(lambda: "known", Maker()) == b"1"
    first = pool.submit(cache.get, lambda: "chart", make)
    assert make.has_begun.wait(live.PATIENCE)
    for key in ("chart", "sheet"):
        with pytest.raises(Busy):
            cache.get(lambda key=key: key, Maker())  # type: ignore[misc]
    assert cache.get(lambda: "known", Maker(waits=True)) == b"1"  # which is there for all
    make.may_end.set()
    assert first.result(live.PATIENCE) == b"1"
    assert cache.get(lambda: "sheet", Maker()) == b"1"


def hold(cache: FileCache, pool: ThreadPoolExecutor, quota: Quota) -> Maker:
    """Let somebody of this quota start making something, which lasts until it is released."""
    make = Maker(waits=True)
    pool.submit(cache.get, lambda: None, make, quota)
    assert make.has_begun.wait(live.PATIENCE)
    return make


def test_places_are_reserved_for_the_staff(pool: ThreadPoolExecutor) -> None:
    cache = FileCache()
    held = [hold(cache, pool, Quota.ANYBODY) for _ in range(Quota.ANYBODY)]
    for quota in (Quota.CLUB_TABLE, Quota.ANYBODY):
        with pytest.raises(Busy):
            cache.get(lambda: None, Maker(), quota)
    assert cache.get(lambda: None, Maker(), Quota.STAFF) == b"1"
    held += [hold(cache, pool, Quota.STAFF) for _ in range(Quota.STAFF - Quota.ANYBODY)]
    with pytest.raises(Busy):
        cache.get(lambda: None, Maker(), Quota.STAFF)
    for each in held:
        each.may_end.set()


def test_charts_of_club_tables_are_made_one_at_a_time(pool: ThreadPoolExecutor) -> None:
    cache = FileCache()
    held = hold(cache, pool, Quota.CLUB_TABLE)
    with pytest.raises(Busy):
        cache.get(lambda: None, Maker(), Quota.CLUB_TABLE)
    assert cache.get(lambda: None, Maker(), Quota.ANYBODY) == b"1"
    held.may_end.set()


@pytest.mark.django_db
def test_the_staff_gets_workbook_and_charts_while_strangers_fill_their_share(
    pool: ThreadPoolExecutor, laid_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = cast.make_tournament(published=True)
    monkeypatch.setattr(heavy_files, "cache", FileCache())
    held = [hold(heavy_files.cache, pool, Quota.ANYBODY) for _ in range(Quota.ANYBODY)]
    stranger, director = Client(), Client()
    director.force_login(cast.make_staff(house, "director", "director"))
    for address in (
        f"/tournaments/{house.slug}/chart.pdf",
        reverse("standings-workbook", args=[house.slug]),
    ):
        assert stranger.get(address).status_code == 503
        assert director.get(address).status_code == 200
    for each in held:
        each.may_end.set()


def test_file_whose_key_changed_is_not_cached() -> None:
    cache, make, moments = FileCache(), Maker(), iter([1, 2, 1, 1])
    assert cache.get(lambda: next(moments), make) == b"1"
    assert cache.get(lambda: next(moments), make) == b"2"


def test_file_without_a_key_is_not_shared(pool: ThreadPoolExecutor) -> None:
    cache, one, other = FileCache(), Maker(waits=True), Maker()
    first = pool.submit(cache.get, lambda: None, one)
    assert one.has_begun.wait(live.PATIENCE)
    assert [cache.get(lambda: None, other) for _ in range(2)] == [b"1", b"2"]
    one.may_end.set()
    assert first.result(live.PATIENCE) == b"1"


def test_failure_is_not_cached() -> None:
    cache = FileCache(at_once=1)

    def fail() -> bytes:
        raise OSError("no space left")

    for _ in range(2):
        with pytest.raises(OSError, match="space"):
            cache.get(lambda: "chart", fail)
    assert cache.get(lambda: "chart", Maker()) == b"1"


def test_least_recently_used_file_is_dropped() -> None:
    cache, make = FileCache(most_files=2), Maker()
    for key in ("a", "b", "a", "c", "a"):
        cache.get(lambda key=key: key, make)  # type: ignore[misc]
    assert make.made == 3
    cache.get(lambda: "b", make)
    assert make.made == 4


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates of the documents laid out."""
    found: list[str] = []

    def lay_out(template: str, *_: Any) -> bytes:
        found.append(template)
        return b"%PDF-"

    monkeypatch.setattr(rendering, "pdf", lay_out)
    return found


@pytest.mark.django_db
def test_printed_form_is_cached_by_language_and_content(
    client: Client, laid_out: list[str]
) -> None:
    house = cast.make_tournament(published=True, options={"last_round_spades": True})
    forms = [
        "/rules/goninkan-association/chart.pdf",
        "/rules/goninkan-classic/chart.pdf",
        "/rules/goninkan-classic/sheet.pdf?players=5",
        "/rules/goninkan-classic/sheet.pdf?players=6",
        f"/tournaments/{house.slug}/chart.pdf",
    ]
    for _ in range(3):
        for form in forms:
            assert client.get(form).content == b"%PDF-"
    assert len(laid_out) == len(forms)
    cast.in_english(client)
    for form in forms:
        client.get(form)
    assert len(laid_out) == 2 * len(forms)


@pytest.mark.django_db
def test_busy_cache_answers_503(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    monkeypatch.setattr(heavy_files, "cache", FileCache(at_once=0))
    standings = reverse("standings-workbook", args=[sitting.session.tournament.slug])
    for address in ("/rules/goninkan-classic/chart.pdf", standings):
        answer = cast.in_english(client).get(address)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert f'href="{address}"' in answer.text
        assert "Not saved" not in answer.text


@pytest.fixture
def workbooks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the workbooks that were made."""
    found: list[str] = []
    make: Callable[..., bytes] = exports.workbook

    def workbook(name: str, *pages: Any, **more: Any) -> bytes:
        found.append(name)
        return make(name, *pages, **more)

    monkeypatch.setattr(exports, "workbook", workbook)
    return found


def rows_in(sitting: Sitting) -> list[Any]:
    """Return the rows of the public workbook."""
    address = reverse("standings-workbook", args=[sitting.session.tournament.slug])
    content = Client().get(address).content
    return list(load_workbook(BytesIO(content)).worksheets[0].iter_rows(values_only=True))


@pytest.mark.django_db
@pytest.mark.parametrize("announces", [True, False], ids=["announced", "live"])
def test_workbook_is_cached_until_its_content_changes(
    workbooks: list[str], *, announces: bool
) -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    tournament = sitting.session.tournament

    def announce() -> None:
        if announces:
            publish(tournament, by=cast.SOMEBODY)

    cast.record(sitting)
    announce()
    first = [rows_in(sitting) for _ in range(3)][-1]
    assert len(workbooks) == 1
    right = cast.plain_round(sitting) | {"kankei": cast.keys(sitting)[1:3]}
    cast.record(sitting, right, seen=1, reason="misread")
    if announces:
        assert rows_in(sitting) == first
        assert len(workbooks) == 1
    announce()
    assert rows_in(sitting) != first
    assert len(workbooks) == 2


@pytest.mark.django_db
def test_file_name_of_a_published_workbook_has_the_published_name(
    django_assert_max_num_queries: Any,
) -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    tournament = sitting.session.tournament
    address = reverse("standings-workbook", args=[tournament.slug])
    publish(tournament, by=cast.SOMEBODY)
    published_as = Client().get(address).headers["Content-Disposition"]
    Tournament.objects.filter(pk=tournament.pk).update(name="Renamed")
    with django_assert_max_num_queries(3):
        assert Client().get(address).headers["Content-Disposition"] == published_as


@pytest.mark.django_db
def test_workbook_read_before_a_change_is_not_cached(
    workbooks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    tournament = sitting.session.tournament

    def rename() -> None:
        seen = versions.version_of(tournament)
        renamed = Tournament.objects.get(pk=tournament.pk)
        renamed.name = "秋季大会"
        tournaments.change_rules(renamed, renamed.rules, seen_version=seen, by=cast.SOMEBODY)

    run_before(monkeypatch, pages, "_cache_key", rename)
    rows_in(sitting)
    rows_in(sitting)
    assert set(workbooks) == {"秋季大会"}
