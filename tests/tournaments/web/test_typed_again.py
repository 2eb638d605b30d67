"""What was typed into a form that could not be stored is sent again from the page that says so."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client, RequestFactory
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments.models import Entry, Round, Tournament
from tournaments.views import entries
from tournaments.web.resubmission import submitted_fields

PASTED = "成田 キヨ\r\n\r\n =1+1<b>&quot;\r\n工藤 正"


class Form(HTMLParser):
    """The action of a page's form, and its hidden fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = given["action"]
        if tag == "input" and given["name"] != "csrfmiddlewaretoken":
            assert given["type"] == "hidden"
            self.fields.append((given["name"], given["value"]))


def locked(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
    """Raise the error of a database that another program is writing to."""
    if sql.startswith(("INSERT", "UPDATE", "DELETE")):
        raise OperationalError("database is locked")
    return execute(sql, *arguments)


def fail(client: Client, address: str, typed: dict[str, Any]) -> Any:
    with connection.execute_wrapper(locked):
        answer = client.post(address, typed)
    assert answer.status_code == 503
    return answer


@pytest.fixture
def director(tournament: Tournament) -> Client:
    client = cast.in_english(Client(enforce_csrf_checks=False, raise_request_exception=False))
    client.force_login(cast.make_staff(tournament, "director", "director"))
    return client


@pytest.mark.both
def test_pasted_list_is_repeated(director: Client, tournament: Tournament) -> None:
    address = reverse("entries", args=[tournament.slug]) + "?page=2&x=%22"
    form = Form(fail(director, address, {"people": PASTED}).text)
    assert (form.action, form.fields) == (address, [("people", PASTED)])
    again = Form(fail(director, form.action, dict(form.fields)).text)  # as often as it takes
    assert again.fields == form.fields
    assert director.post(form.action, dict(form.fields)).status_code == 302
    assert [entry.name for entry in Entry.objects.order_by("number")][-1] == "工藤 正"


def test_round_is_repeated_with_its_version(director: Client, tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    address = reverse("record-round", args=[tournament.slug, 1, sitting.number, 1])
    facts = cast.plain_round(sitting)
    deal = facts["deals"][0]
    typed = {
        "seen": "0",
        "dealer": facts["dealer"],
        "trump": "clubs",
        "kankei": facts["kankei"],
        "deal_1_kankei": deal["kankei"],
        "deal_1_mukankei": deal["mukankei"],
    }
    form = Form(fail(director, address, typed).text)
    assert ("seen", "0") in form.fields
    assert [value for name, value in form.fields if name == "kankei"] == typed["kankei"]
    sent = {name: [v for n, v in form.fields if n == name] for name, _value in form.fields}
    assert director.post(form.action, sent).status_code == 302
    assert Round.objects.get().facts["kankei"] == facts["kankei"]


def test_password_is_not_repeated(director: Client) -> None:
    answer = fail(director, reverse("log-in"), {"username": "director", "password": "director"})
    assert "<form" not in answer.text


def test_pin_is_not_repeated() -> None:
    request = RequestFactory().post("/join/", {"table": "1", "pin": "123456"})
    request.csrf_processing_done = True  # type: ignore[attr-defined]
    assert submitted_fields(request) == ()


def test_file_is_not_repeated(director: Client, tournament: Tournament) -> None:
    file = SimpleUploadedFile("players.csv", "name\r\n成田\r\n".encode())
    address = reverse("entries", args=[tournament.slug])
    answer = fail(director, address, {"file": file, "encoding": ""})
    assert "<form" not in answer.text


def test_cross_site_request_is_not_repeated(
    tournament: Tournament,
) -> None:
    """Otherwise one tap on our own page would carry out a forged request."""

    def away(*_arguments: Any) -> Any:
        raise OperationalError("database is locked")

    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(cast.make_staff(tournament, "director", "director"))
    with connection.execute_wrapper(away):
        answer = client.post(reverse("entries", args=[tournament.slug]), {"people": "x"})
    assert answer.status_code == 403
    assert "<form" not in answer.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_script", [True, False])
def test_repeated_form_is_sent_by_a_button(
    *,
    has_script: bool,
    chromium: Browser,
    live_server: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = cast.make_tournament()
    cast.make_staff(tournament, "keeper", "director")
    address = live_server.url + reverse("entries", args=[tournament.slug])
    context = chromium.new_context(java_script_enabled=has_script)
    page = context.new_page()
    page.goto(
        f"{live_server.url}{reverse('log-in')}?next={reverse('entries', args=[tournament.slug])}"
    )
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.click("main button")
    page.fill("[name=people]", "成田 キヨ\n工藤 正")

    def busy(*_given: Any, **_by: Any) -> Any:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(entries, "import_entries", busy)
        page.locator("form:has([name=people]) .button-primary").click()
        expect(page.locator("main button")).to_be_visible()
        assert "成田" not in page.inner_text("main")
    page.click("main button")
    expect(page.locator(".ledger tbody tr")).to_have_count(2)
    assert page.url == address
    names = [entry.name for entry in tournament.entries.order_by("number")]
    assert names == ["成田 キヨ", "工藤 正"]
    context.close()
