"""Printed documents: their contents, and a template with its context as PDF bytes."""
