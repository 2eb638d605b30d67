"""Django's command, which refuses names that can be taken for that of another account, too."""

from __future__ import annotations

from django.contrib.auth.management.commands import createsuperuser

from tournaments.services import staff


class Command(createsuperuser.Command):
    def _validate_username(
        self, username: str, verbose_field_name: str, database: str
    ) -> str | None:
        """Return why a name is refused, or None."""
        django = getattr(super(), "_validate_username")  # noqa: B009  the stubs leave it out
        refusal: str | None = django(username, verbose_field_name, database)
        if refusal is None:
            try:
                staff.check_not_confusing(username)
            except staff.ConfusingName as refused:
                return str(refused)
        return refusal
