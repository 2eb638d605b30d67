"""What Django needs to know about the app when it starts."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register the checks and set the guards, which can be imported only now.

        No account gets a name that is nobody's, be it by form, API or `createsuperuser`.
        """
        from django.contrib.auth.models import User  # noqa: PLC0415

        from tournaments.audit import actors, guards  # noqa: PLC0415
        from tournaments.server import checks  # noqa: F401, PLC0415

        username: Any = User._meta.get_field("username")
        username.validators.append(actors.check_name_not_reserved)
        post_migrate.connect(guards.set_guards, sender=self)
