"""Error pages say what is wrong and what to do."""

import pytest
from django.conf import settings
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.database_failures import FailingDisk


def test_a_page_not_found_leads_home_and_to_the_log_in(client: Client) -> None:
    answer = client.get("/no/such/page/?x=1")
    assert answer.status_code == 404
    assert 'href="/"' in answer.text
    assert f'href="{reverse("log-in")}?next=/no/such/page/"' in answer.text


@pytest.mark.django_db
def test_who_is_logged_in_is_not_told_to_log_in(director: Client) -> None:
    answer = cast.in_english(director).get("/no/such/page/")
    assert answer.status_code == 404
    assert reverse("log-in") not in answer.text
    assert "log in" not in answer.text
    assert "not for your account" in answer.text


@pytest.mark.django_db
def test_a_page_not_found_needs_no_database(director: Client) -> None:
    disk = FailingDisk(0, permanent=True, only_writes=False)
    with connection.execute_wrapper(disk):
        answer = director.get("/no/such/page/")
    assert disk.failed
    assert answer.status_code == 404
    assert reverse("log-in") in answer.text


@pytest.mark.django_db
def test_a_page_opened_too_long_ago_saves_nothing() -> None:
    client = cast.in_english(Client(enforce_csrf_checks=True))
    answer = client.post(reverse("log-in"), {"username": "director"})
    assert answer.status_code == 403
    assert "nothing was saved" in answer.text


@pytest.mark.parametrize("code", ["400", "403", "404", "500"])
def test_error_pages_need_no_script_or_style(code: str) -> None:
    page = render_to_string(f"{code}.html")
    assert page.lstrip().startswith("<!doctype html>")
    assert 'href="/"' in page
    assert " style=" not in page
    assert "<script" not in page


def test_page_500_needs_no_template_tag() -> None:
    template = settings.BASE_DIR / "templates" / "500.html"
    assert "{%" not in template.read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["/api/no/such/thing", "/api/"])
@pytest.mark.django_db
def test_a_program_is_refused_in_json(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json()["code"] == "not_found"
