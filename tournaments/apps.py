"""What Django needs to know about the app when it starts."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register the checks and set the guards, which can be imported only now."""
        from tournaments.audit import guards  # noqa: PLC0415
        from tournaments.serving import checks  # noqa: F401, PLC0415

        post_migrate.connect(guards.set_guards, sender=self)
