"""Source texts, and citations of them: every rule cites the text and the words it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Source(NamedTuple):
    """A citation: the number of the source text, and the words quoted from it."""

    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Text:
    """A source text, numbered as in `scoring/README.md`.

    >>> Text("001", "五所川原").at("じゅうろく")
    Source(text='001', words='じゅうろく')
    """

    number: str
    title: str
    author: str = ""
    year: int | None = None

    def at(self, words: str) -> Source:
        """Return a citation of these words of this text."""
        return Source(self.number, words)

    @property
    def cited(self) -> str:
        """Return the title, with author and year if they are known, as Japanese quotes it.

        >>> Text("003", "ゴンジュー", "赤桐", 2018).cited, Text("001", "ゴニンカンの遊び方").cited
        ('『ゴンジュー』(赤桐、2018年)', '『ゴニンカンの遊び方』')
        """
        return f"『{self.title}』" + (f"({self.author}、{self.year}年)" if self.author else "")
