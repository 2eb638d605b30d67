"""Every module of `views` has its tests where one looks for them: `views/test_<module>.py`.

The tests of a long page may fill more files: `test_entries.py`, `test_entries_from_a_file.py`.
"""

from pathlib import Path

import tournaments

VIEWS = Path(tournaments.__file__).parent / "views"
TESTS = Path(__file__).parent / "views"
MODULES = {each.stem for each in VIEWS.glob("*.py")} - {"__init__"}
# Tests of many pages at once: the browser itself, how pages fit a screen, clicks, whole evenings,
# pages on paper, removals that are sent twice.
JOURNEYS = {
    *("test_chromium", "test_clicks", "test_density", "test_journeys", "test_narrow_pages"),
    *("test_large_events", "test_largest_events", "test_pages_on_paper", "test_removals"),
}


def test_every_view_module_has_a_test_file() -> None:
    missing = [name for name in sorted(MODULES) if not (TESTS / f"test_{name}.py").exists()]
    assert missing == [], (
        f"Add tests/tournaments/views/test_{missing[0]}.py, which says what the pages of "
        f"tournaments/views/{missing[0]}.py show, refuse and save."
    )


def test_every_test_file_names_its_view_module() -> None:
    others = [
        each.name
        for each in sorted(TESTS.glob("test_*.py"))
        if each.stem not in JOURNEYS
        and not any(f"{each.stem}_".startswith(f"test_{name}_") for name in MODULES)
    ]
    assert others == [], (
        f"{others[0]} is named after no module of tournaments/views: call it test_<module>.py or "
        "test_<module>_<part>.py, move it to the package it is about, or list it in JOURNEYS."
    )
