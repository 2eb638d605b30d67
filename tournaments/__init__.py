"""The web app and Django project: people, tables and records; no game arithmetic."""

__version__ = "1.0.0"  # the newest release of CHANGELOG.md
