"""The app's configuration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register checks, the database's guards and the validator of user names.

        The imports are here, as models cannot be imported before the apps are loaded.
        """
        from django.contrib.auth.models import User  # noqa: PLC0415

        from tournaments.audit import actors, guards  # noqa: PLC0415
        from tournaments.server import checks  # noqa: F401, PLC0415

        username: Any = User._meta.get_field("username")
        username.validators.append(actors.check_name_not_reserved)
        post_migrate.connect(guards.set_guards, sender=self)
