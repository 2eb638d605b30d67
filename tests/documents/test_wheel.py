"""The wheel has what a checkout has, but for tests and documents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.documents.test_requirements import ASKED
from tournaments import __version__
from tournaments.__main__ import main

ROOT = Path(__file__).parents[2]
BUILD = [sys.executable, "-m", "uv", "--no-config", "--offline", "build", "--quiet", "--wheel"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    folder = tmp_path_factory.mktemp("dist")
    command = [*BUILD, "--no-build-isolation", "--out-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    return ZipFile(next(folder.glob("*.whl")))


def test_wheel_has_code_sentences_pages_and_scripts(wheel: ZipFile) -> None:
    folders = {"scoring": "scoring", "tournaments": "tournaments"}
    folders |= {name: f"tournaments/pages/{name}" for name in ("templates", "static")}
    expected = {
        f"{to}/{path.relative_to(ROOT / name).as_posix()}"
        for name, to in folders.items()
        for path in (ROOT / name).rglob("*")
        if path.is_file() and path.suffix not in {".pyc", ".po"}
    }
    content = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert content == expected
    assert len([name for name in content if name.endswith(".mo")]) == 2


def test_wheel_asks_for_what_is_required_and_has_the_command(wheel: ZipFile) -> None:
    about = {Path(name).name: wheel.read(name).decode() for name in wheel.namelist()[-5:]}
    asked = {f"{name.lower()}=={version}" for name, version in ASKED.findall(_required(about))}
    required = ASKED.findall((ROOT / "requirements.in").read_text(encoding="utf-8"))
    assert asked == {f"{name.lower()}=={version}" for name, version in required}
    assert "makiyaku = tournaments.__main__:main" in about["entry_points.txt"]


@pytest.mark.parametrize("asked", ["version", "--version"])
def test_command_says_its_version(
    asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["makiyaku", asked])
    main()
    assert capsys.readouterr().out.startswith(f"makiyaku {__version__} (Django ")


def _required(about: dict[str, str]) -> str:
    return about["METADATA"].replace("Requires-Dist: ", "")
