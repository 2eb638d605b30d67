"""What a publication is called: 第2報, or 確定成績 for the last one of a closed event."""

from __future__ import annotations

from django.utils.translation import gettext

from tournaments.models import Publication


def publication_name(publication: Publication) -> str:
    """Return its name; it tells of `is_final` what its query asked for."""
    return next_name(publication.number, is_final=publication.is_final)


def next_name(number: int, *, is_final: bool) -> str:
    """Return what one of this number is called, which may not be there yet."""
    if is_final:
        return gettext("Final results")
    return gettext("Number %(number)s") % {"number": number}


def announced_words(publication: Publication, at: str) -> str:
    """Return which publication it is and when it was announced, as on screens and paper."""
    name = publication_name(publication)
    return gettext("%(name)s, published %(at)s") % {"name": name, "at": at}
