"""Workbooks, written and read."""
