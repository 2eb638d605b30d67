"""Parts of pages that are cached until the event changes, for readers who see each change at once.

A template encloses the part, which is the same for all readers of a role and has no CSRF token:

    {% cache 3600 seats mark role request.LANGUAGE_CODE request.get_full_path using=cache_alias %}

Expensive values that only this part uses are lazy objects (`SimpleLazyObject`) in the context, so
that they are not computed while the part is cached.
"""

from __future__ import annotations


def cache_context(parts_cache_key: str) -> dict[str, str]:
    """Return the template variables `mark` and `cache_alias`; `mark` is `Event.parts_cache_key`.

    With an empty key the alias is that of a cache that stores nothing.
    """
    cache_alias = "parts" if parts_cache_key else "nothing"
    return {"mark": parts_cache_key, "cache_alias": cache_alias}
