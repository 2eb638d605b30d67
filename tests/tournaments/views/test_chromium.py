"""The browser that other tests drive is there, and keeps to our Content-Security-Policy."""

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer


@pytest.mark.django_db(transaction=True)
def test_it_shows_the_front_page(page: Page, live_server: LiveServer) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(live_server.url)
    assert page.locator("h1").is_visible()
    assert complaints == []
