"""What a page shows to read, without scripts and what is folded or hidden."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
UNREAD = {"dialog", "head", "option", "script", "style", "svg", "template"}


class Element(NamedTuple):
    tag: str
    is_hidden: bool
    is_folded: bool  # only its summary is shown


class Shown(HTMLParser):
    """The texts of a page that are shown at once, each only the first time.

    Elements named `without` are left out. Of a menu no choice counts.

    >>> Shown("<p>Seats <b hidden>old</b></p><details><summary>More</summary>Later</details>").texts
    ['Seats', 'More']
    """

    def __init__(self, page: str, without: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.open = [Element("", is_hidden=False, is_folded=False)]
        self.unread = UNREAD | without
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        known, around = dict(attrs), self.open[-1]
        is_hidden = "hidden" in known or "visually-hidden" in (known.get("class") or "").split()
        is_within_fold = around.is_folded and tag != "summary"
        is_hidden = is_hidden or around.is_hidden or is_within_fold or tag in self.unread
        self.open.append(Element(tag, is_hidden, tag == "details" and "open" not in known))

    def handle_endtag(self, tag: str) -> None:
        if tag in {each.tag for each in self.open}:
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and text not in self.texts and not any(self.open[-1][1:]):
            self.texts.append(text)
