"""The server: settings, SQLite, logs, scripts and styles."""
