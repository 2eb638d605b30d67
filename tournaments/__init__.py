"""The web app and Django project: people, tables and records; no game arithmetic."""
