"""Python imports this as it starts."""

from tests.without_posix import hide

hide()
