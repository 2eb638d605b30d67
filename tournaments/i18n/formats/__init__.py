"""Formats of dates where they differ from Django's, by language (`FORMAT_MODULE_PATH`)."""
