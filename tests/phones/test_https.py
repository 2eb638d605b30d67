"""In a secure context the table's page also opens offline."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests import browsers, cast
from tests.live import wait_until
from tests.phones.conftest import Phone
from tournaments.models import Round

pytestmark = pytest.mark.django_db(transaction=True)


def test_page_opens_offline(chromium: Browser, live_server: LiveServer) -> None:
    """To browsers a loopback address is a secure context, like https."""
    context = browsers.new_profile(chromium)
    phone = Phone(context, live_server.url, cast.make_sitting())
    phone.join()
    phone.play()
    expect(phone.page.locator("html[data-shell=kept]")).to_have_count(1)
    context.set_offline(True)
    phone.play()
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()  # the page says that it is stored
    phone.play()
    expect(phone.page.locator("#round-title")).to_contain_text("2")
    context.set_offline(False)
    wait_until(Round.objects.exists)
    phone.expect_unsent(0)
    assert Round.objects.count() == 1
    context.close()


KEEP = """async (addresses) => {
  const shell = await caches.open((await caches.keys())[0]);
  for (const address of addresses) await shell.put(address, new Response("/static/old.0.svg"));
}"""
CONTROLLED = """async () => {
  const { serviceWorker } = navigator;
  while (!serviceWorker.controller)
    await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve));
}"""
KEPT = """async () => {
  const shell = await caches.open((await caches.keys())[0]);
  return (await shell.keys()).map(({ url }) => new URL(url).pathname);
}"""


def test_service_worker_deletes_files_that_no_page_uses(
    chromium: Browser, live_server: LiveServer
) -> None:
    context = browsers.new_profile(chromium)
    phone = Phone(context, live_server.url, cast.make_sitting())
    for visit in (phone.join, phone.play):
        visit()
        expect(phone.page.locator("html[data-shell=kept]")).to_have_count(1)
    whole = phone.page.evaluate(KEPT)
    pages = [f"/tournaments/old/sessions/1/tables/{number}/play/" for number in range(1, 6)]
    phone.page.evaluate(KEEP, ["/scripts/phone.0.js", "/static/old.0.svg", *pages])
    # Until then the older page has its files, also from a newer server, which lacks them.
    phone.page.evaluate(CONTROLLED)
    assert phone.page.evaluate("async () => (await fetch('/scripts/phone.0.js')).status") == 200
    phone.play()
    expect(phone.page.locator("html[data-shell=kept]")).to_have_count(1)
    assert set(phone.page.evaluate(KEPT)) == {*whole, "/static/old.0.svg", *pages[-3:]}
    assert [path for path in whole if "suits" in path]  # already after the first visit
    context.close()
