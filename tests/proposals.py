"""Proposed seats in the director's browser: asked for, read from the page, and assigned."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

Page = Any  # the answer of Django's client


def propose(browser: Client, address: str, **chosen: str) -> Page:
    return browser.post(address, chosen, follow=True)


def form_of(page: Page) -> dict[str, str]:
    """Return what the form of a page with proposed seats sends."""
    proposal = page.context["proposal"]
    return {
        "digest": proposal.digest,
        "seen_version": re.findall(r'name="seen_version" value="(\d+)"', page.text)[0],
        "tables": page.context["form"]["tables"].value(),
    }


def assign(browser: Client, page: Page, tables: str | None = None, **typed: str) -> Page:
    """Press the button of a page with proposed seats, after typing these tables if any."""
    sent = form_of(page) | ({} if tables is None else {"tables": tables})
    return browser.post(page.request["PATH_INFO"], sent | typed)


def numbers(tables: Any) -> list[list[int]]:
    """Return the numbers of the players at each table."""
    return [[entry.number for entry in table] for table in tables]
