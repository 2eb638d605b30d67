"""A draw needs Python, `scoring`'s problems and `system` only: no Django, no database."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import tournaments.draws
for module in pkgutil.walk_packages(tournaments.draws.__path__, "tournaments.draws."):
    importlib.import_module(module.name)
print(*sorted({name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
print(*sorted({".".join(name.split(".")[:2]) for name in sys.modules if "tournaments." in name}))
"""


def test_draws_import_nothing_but_scoring_and_the_standard_library() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
    )
    ours, tournaments = done.stdout.splitlines()
    assert ours.split() == ["__main__", "scoring", "tournaments"]
    assert tournaments.split() == ["tournaments.draws", "tournaments.system"]
