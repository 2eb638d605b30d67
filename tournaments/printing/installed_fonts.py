"""Whether this machine has fonts for the languages of the printed forms.

Without them WeasyPrint draws a box for each character and says nothing.
"""

from __future__ import annotations

import subprocess
from functools import cache

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

# The languages of the pages, with fontconfig's names for them.
FONTCONFIG_NAMES = {"ja": "ja", "en": "en", "zh-hans": "zh-cn"}
REMEDY = _(
    "The machine that runs Makiyaku lacks fonts, so PDFs would have boxes instead of characters."
    " Install the Debian package fonts-noto-cjk there (on other systems Noto Sans CJK), then stop"
    " Makiyaku and start it again."
)


class FontsMissing(Exception):
    """No installed font has the characters of the reader's language."""


@cache
def languages_without_font() -> frozenset[str]:
    """Return the languages of the pages for which no font is installed, looked up only once.

    WeasyPrint, too, keeps the fonts that it found first. Return none if fontconfig's program is not
    installed, as on systems with fonts of their own.
    """
    command = ["fc-list", "--format", "%{lang}|"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True, text=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return frozenset()
    covered = set(listed.stdout.split("|"))
    return frozenset(each for each, name in FONTCONFIG_NAMES.items() if name not in covered)


def check_fonts() -> None:
    """Raise `FontsMissing` if a print in the active language would be nothing but boxes.

    An English list is printed without fonts for Japanese: only the names in kanji are boxes.
    """
    if get_language() in languages_without_font():
        raise FontsMissing
