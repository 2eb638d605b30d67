"""No page of an event has a link to nothing, or a button that nothing can come of.

A page that can do nothing once the event is closed leads to where it is reopened: no link there,
and no button for those who have it open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from django.db import transaction
from django.template import Template
from django.test import Client
from django.urls import resolve, reverse
from django.utils import translation

from tests import cast, events
from tests.pressing import fields_of, parse
from tests.visiting import OF_A_TOURNAMENT, addresses
from tournaments.models import AuditEntry, SeatProposal, Tournament
from tournaments.printing import rendering
from tournaments.services import closing

UNAUDITED = {"archive"}  # refuses events that `cast` made without audit entries
TYPED = {"input", "select", "textarea"}


def empty() -> Tournament:
    return cast.make_tournament()


def with_players() -> Tournament:
    tournament = cast.make_tournament()
    cast.make_entries(tournament, 12)
    return tournament


def half_way() -> Tournament:
    tournament = cast.make_tournament(sessions_planned=2)
    sitting = cast.make_session(tournament, tables=2).sittings.first()
    assert sitting is not None
    cast.record(sitting)
    return tournament


def closed() -> Tournament:
    tournament = events.full_event()
    closing.close(tournament, by=cast.SOMEBODY)
    return tournament


def shown(element: Element) -> Iterator[Element]:
    """Yield the elements of a page that are not hidden."""
    for each in element:
        if each.get("hidden") is None and each.tag != "template":
            yield each
            yield from shown(each)


def is_page(answer: Any) -> bool:
    return not answer.streaming and answer.headers["Content-Type"].startswith("text/html")


class Walk:
    """A director who opens every page of an event and presses every button there."""

    def __init__(self, tournament: Tournament) -> None:
        self.base, self.slug = tournament.get_absolute_url(), tournament.slug
        self.is_closed = tournament.closed_at is not None
        self.browser = cast.in_english(Client())
        self.browser.force_login(cast.make_staff(tournament, "boss", "director"))
        self.vain: list[str] = []

    def open_all(self) -> None:
        todo, opened = [self.base], {*UNAUDITED}  # by kind: one table is like the other
        while todo:
            address = todo.pop(0)
            kind = resolve(address).url_name or ""
            if kind in opened:
                continue
            opened.add(kind)
            answer: Any = self.browser.get(address, follow=True)
            is_closed = answer.redirect_chain and answer.resolver_match.url_name == "close"
            if answer.status_code != 200 or is_closed:
                self.vain.append(f"link to {address}: {answer.status_code}")
            elif is_page(answer):
                todo += self.look_at(answer.request["PATH_INFO"], answer.text)
        for name in [each for each in OF_A_TOURNAMENT if each not in opened and self.is_closed]:
            numbers = dict.fromkeys(addresses()[name], 1)
            address = reverse(name, kwargs=numbers | {"slug": self.slug})
            answer = self.browser.get(address)
            if answer.status_code == 200 and is_page(answer):
                list(self.look_at(address, answer.text))

    def look_at(self, address: str, page: str) -> Iterator[str]:
        """Press the buttons of a page; yield its links to pages of the event."""
        whole = parse(page)
        main = next(whole.iter("main"), whole)  # a part of a page has none
        for each in shown(main):
            link = each.get("href", "").partition("#")[0].partition("?")[0]
            if each.tag == "a" and link.startswith(self.base):
                yield link
            if each.tag == "form" and each.get("method") == "post":
                self.press_all(address, each)

    def press_all(self, address: str, form: Element) -> None:
        controls = [
            each
            for each in shown(form)
            if each.tag in TYPED and each.get("type") not in {"hidden", "submit"}
        ]
        pressed = set()
        for button in shown(form):
            words = "".join(button.itertext()).strip()
            is_button = button.tag == "button" and button.get("type") != "button"
            action = button.get("formaction") or form.get("action") or address
            if not is_button or button.get("disabled") is not None or words in pressed:
                continue
            if not action.startswith(self.base):
                continue  # the language
            pressed.add(words)
            sent: dict[str, Any] = {}
            for name, value in fields_of(form):
                sent.setdefault(name, []).append(value)
            sent |= {button.get("name", "x"): button.get("value", "")}
            if not self.has_effect(action, sent, has_controls=bool(controls)):
                self.vain.append(f"{words} on {address}")

    def has_effect(self, action: str, sent: dict[str, Any], *, has_controls: bool) -> bool:
        """Return whether a button does something, or would with other values."""
        with transaction.atomic():
            before = AuditEntry.objects.count() + SeatProposal.objects.count()
            answer = self.browser.post(action, sent)
            said = "".join(map(str, getattr(answer.wsgi_request, "_messages", [])))
            after = AuditEntry.objects.count() + SeatProposal.objects.count()
            transaction.set_rollback(True)
        with translation.override("en"):
            refusal = str(closing.EventClosed.sentence)
        if refusal in said or (answer.status_code in {409, 422} and refusal in answer.text):
            return False
        return has_controls or answer.status_code == 200 or after > before


@pytest.mark.parametrize("make", [empty, with_players, half_way, closed])
def test_every_link_and_button_of_an_event_leads_somewhere(
    make: Callable[[], Tournament], db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refusals of typed values do not count."""
    for printer in ("pdf", "stamped_pdf"):
        monkeypatch.setattr(rendering, printer, lambda *_, **_named: b"%PDF-")
    # The test environment copies what each template is given, for tests that look at it.
    monkeypatch.setattr(Template, "_render", lambda self, context: self.nodelist.render(context))
    walk = Walk(make())
    walk.open_all()
    assert walk.vain == [], walk.vain
