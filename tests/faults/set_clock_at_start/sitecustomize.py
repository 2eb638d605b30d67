"""Python imports this before each program that has this folder in PYTHONPATH."""  # noqa: INP001

from tests.faults.set_clock import follow

if __name__ == "sitecustomize":  # not where pytest looks for doctests
    follow()
