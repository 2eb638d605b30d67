"""Helpers for requests and responses of many views: body sizes, files, errors, cookies."""
