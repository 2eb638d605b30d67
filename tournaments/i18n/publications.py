"""Names of publications: 第2報, or 確定成績 for the last one of a closed event."""

from __future__ import annotations

from django.utils.translation import gettext

from tournaments.models import Publication


def publication_name(publication: Publication) -> str:
    """Return a publication's name.

    The publication must be fetched with `with_final()`, which sets `is_final`.
    """
    return name_of_number(publication.number, is_final=publication.is_final)


def name_of_number(number: int, *, is_final: bool) -> str:
    """Return the name of the publication with this number, even before it exists."""
    if is_final:
        return gettext("Final results")
    return gettext("Bulletin %(number)s") % {"number": number}


def announced_words(publication: Publication, at: str) -> str:
    """Return a publication's name with its time; `at` is the formatted time."""
    name = publication_name(publication)
    return gettext("%(name)s (published %(at)s)") % {"name": name, "at": at}
