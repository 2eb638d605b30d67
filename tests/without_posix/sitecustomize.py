"""Python imports this as it starts; pytest, which looks for doctests, as a module of a package."""

from tests.without_posix import hide

if __name__ == "sitecustomize":
    hide()
