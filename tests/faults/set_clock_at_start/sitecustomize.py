"""Python imports this before each program that has this folder in PYTHONPATH."""  # noqa: INP001

from tests.faults.set_clock import follow

follow()
