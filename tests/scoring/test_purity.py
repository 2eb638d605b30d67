"""The rules know nothing of the web: a fresh interpreter imports all of them without Django."""

import subprocess
import sys
from pathlib import Path

IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import scoring
for module in pkgutil.walk_packages(scoring.__path__, "scoring."):
    importlib.import_module(module.name)
print(*sorted({name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
"""


def test_scoring_imports_nothing_but_itself_and_the_standard_library() -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(root)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["__main__", "scoring"]
