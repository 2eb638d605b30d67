"""Normalising the white space of pages, to compare markup."""

from __future__ import annotations

import re

_TAG = re.compile(r"\s*(</?[a-z][^>]*>)\s*")


def tight(page: str) -> str:
    r"""Return a page without the white space beside its tags and with single spaces in them.

    >>> tight('<li\n  class="a">\n  <b>2</b> of <i>3</i>\n</li>')
    '<li class="a"><b>2</b>of<i>3</i></li>'
    """
    return _TAG.sub(lambda tag: " ".join(tag[1].split()).replace(" >", ">"), page)
