#!/usr/bin/env python
"""The door to every command; `python manage.py serve` starts everything."""

from tournaments.__main__ import main

if __name__ == "__main__":
    main()
