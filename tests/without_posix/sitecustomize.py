"""Python imports this as it starts; pytest, which looks for doctests, as a module of a package."""

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

from tests.without_posix import hide


def customize_further() -> None:
    """Run the next `sitecustomize` of the path, such as that of `tests.faults.set_clock`."""
    here = sys.path.index(str(Path(__file__).parent))
    spec = PathFinder.find_spec("sitecustomize", sys.path[here + 1 :])
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(module_from_spec(spec))


if __name__ == "sitecustomize":
    hide()
    customize_further()
