"""The rules, without a database."""
