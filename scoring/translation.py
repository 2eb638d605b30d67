"""Marks the English sentences that the web application translates; nothing is translated here."""


def gettext_noop(text: str) -> str:
    """Return the text unchanged; `makemessages` finds the sentences passed to this function."""
    return text
