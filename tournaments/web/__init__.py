"""Helpers for requests and responses that are no single view's: sizes, files, errors, cookies."""
