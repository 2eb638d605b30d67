"""The whole database in one file, and back."""
