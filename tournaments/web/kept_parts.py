"""Parts of pages that are kept until the event changes, for those who see each change at once.

A template encloses what is the same for all of one role, without a CSRF token:

    {% cache 3600 standings mark role request.LANGUAGE_CODE request.get_full_path using=kept_in %}

What is expensive for that part is a `SimpleLazyObject` in the context.
"""

from __future__ import annotations


def where_to_keep(mark: str) -> dict[str, str]:
    """Return the context of such a template, from `Event.mark`: without one nothing is kept."""
    return {"mark": mark, "kept_in": "parts" if mark else "nothing"}
