"""What Django needs to know about the app when it starts."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register the checks, which can be imported only now."""
        from tournaments import checks  # noqa: F401, PLC0415
