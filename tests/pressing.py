"""Pressing a button of a page in Django's client: the fields of the page's form are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder

from django.test import Client

from tests.shown import VOID


class Elements(HTMLParser):
    """Builds the elements of a page, in a tenth of the time of a parser that repairs pages.

    An end tag that is missing, or has no start tag, is an error.

    >>> [each.get("name") for each in parse("<form><input name=a><p>b</p></form>").iter("input")]
    ['a']
    """

    def __init__(self) -> None:
        super().__init__()
        self.builder = TreeBuilder()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        if tag in VOID:
            self.builder.end(tag)
        else:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"
        self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        self.builder.data(data)


def parse(page: str) -> Element:
    """Return the element around a whole page, or around a part of one."""
    elements = Elements()
    elements.builder.start("page", {})
    elements.feed(page.replace("\r\n", "\n"))  # as browsers read it
    elements.close()
    assert not elements.open, f"without an end: {elements.open}"
    elements.builder.end("page")
    return elements.builder.close()


def forms_of(page: str) -> list[Element]:
    return list(parse(page).iter("form"))


def fields_of(form: Element) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of each control, as a browser would send them without a button."""
    for each in form.iter():
        name, kind = each.get("name"), each.get("type")
        if not name or each.get("disabled") is not None:
            continue
        if each.tag == "textarea":
            yield name, "".join(each.itertext()).removeprefix("\n")
        elif each.tag == "select":
            options = list(each.iter("option"))
            chosen = [option for option in options if option.get("selected") is not None]
            for option in chosen or options[:1]:
                yield name, option.get("value", "")
        elif each.tag == "input" and kind not in {"file", "submit"}:
            is_box = kind in {"checkbox", "radio"}
            if not is_box or each.get("checked") is not None:
                yield name, each.get("value", "on" if is_box else "")


def press(
    browser: Client,
    address: str,
    page: Any,
    button: str = "",
    *,
    form_with: str,
    changes: Mapping[str, Any] | None = None,
) -> Any:
    """Send the form of a page that has a control named `form_with`, and follow redirects.

    `button` is the name of the pressed button, whose value is 1; `changes` are typed or ticked
    before, None removes a field.
    """
    (form,) = (
        each for each in forms_of(page.text) if form_with in dict(fields_of(each)).keys() | {button}
    )
    sent: dict[str, Any] = {}
    for name, value in fields_of(form):
        sent.setdefault(name, []).append(value)
    sent |= {name: value for name, value in (changes or {}).items() if value is not None}
    for name in [name for name, value in (changes or {}).items() if value is None]:
        sent.pop(name, None)
    if button:
        sent[button] = "1"
    return browser.post(address, sent, follow=True)
