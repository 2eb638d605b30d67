"""Names and files as Windows takes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.without_posix import is_refused
from tournaments.system import files

ODD_NAMES = (
    *("fe80::1%eth0", "杯 2026/27: 何?", "a. ", "..", ". .", "", "CON", "con.tar.gz", "Nul .txt"),
    *("LPT¹.pdf", "COM0", "aux", "a\x00b", "a\u202eb", "tab\t", '"<>|*', " a ", "COM10", "console"),
)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_every_name_becomes_one_that_windows_takes(name: str) -> None:
    fit = files.fit_name(name)
    assert not is_refused(fit)
    assert files.fit_name(fit) == fit


def test_ordinary_names_stay() -> None:
    for name in ("makiyaku-20261121-090000-by-hand.zip", "大会 第1回戦.pdf", "COM10", "console"):
        assert not is_refused(name)
        assert files.fit_name(name) == name


def test_file_that_is_read_is_replaced_soon_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft, file, refused = tmp_path / "draft", tmp_path / "file", [PermissionError()] * 2
    draft.write_text("new")

    def replace(source: Path, target: Path) -> None:
        if refused:
            raise refused.pop()
        source.rename(target)

    monkeypatch.setattr(files, "IS_WINDOWS", True)
    monkeypatch.setattr(Path, "replace", replace)
    files.replace(draft, file)
    assert (file.read_text(), refused) == ("new", [])
