"""Every requirement is pinned with hashes, and what is asked for is what is pinned."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A pinned requirement, its marker, and the lines with its hashes.
PINNED = re.compile(
    r"^([a-z0-9.-]+)(?:\[[^]]*\])?==(\S+)(?: ;[^\\\n]+)? *((?:\\\n +--hash=\S+ ?)*)", re.MULTILINE
)
IMPORTED = re.compile(r"^ *(?:from|import) (\w+)", re.MULTILINE)
FOR_TYPES = re.compile(r"^if TYPE_CHECKING:.*\n(?: {4}.*\n)+", re.MULTILINE)  # is not run
RUN, TESTED = ("tournaments", "scoring", "manage.py"), ("tests", "benchmarks")
ASKED = re.compile(r"^([\w.-]+)(?:\[[^]]*\])?==(\S+)", re.MULTILINE)

# Permissive, or with conditions for changes of the package itself only.
PERMITTED = re.compile(
    r"^(?!.* AND )(?=.*\b(MIT|BSD|Apache|PSF|ZPL|Zope|Unlicense|LGPL|LGPLv2|Mozilla)\b)"
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pinned(name: str) -> dict[str, str]:
    """Return the versions of a file's requirements, all of which must have hashes."""
    text = read(name)
    found = PINNED.findall(text)
    lines = [line for line in text.splitlines() if line and line[0] not in "# "]
    assert len(found) == len(lines)
    for requirement, _version, hashes in found:
        assert re.findall(r"--hash=sha256:[0-9a-f]{64}\b", hashes), requirement
    return {requirement: version for requirement, version, _hashes in found}


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_requirement_is_pinned_with_hashes(name: str) -> None:
    versions = pinned(f"{name}.txt")
    for asked, version in ASKED.findall(read(f"{name}.in")):
        assert versions[asked.lower().replace("_", "-")] == version


def imported(names: tuple[str, ...]) -> set[str]:
    """Return the packages from which the code in these files and folders imports."""
    paths = [path for name in names for path in (ROOT / name, *(ROOT / name).rglob("*.py"))]
    text = "\n".join(path.read_text("utf-8") for path in paths if path.is_file())
    modules = set(IMPORTED.findall(FOR_TYPES.sub("", text))).difference(RUN, TESTED)
    packages = metadata.packages_distributions()
    return {
        package.lower().replace("_", "-")
        for module in modules
        for package in packages.get(module, ())
    }


def test_what_is_imported_is_asked_for() -> None:
    """Each package has a line, or is named on the line of one that brings it."""
    runs = read("requirements.in")
    for names, asked in ((RUN, runs), (TESTED, runs + read("requirements-dev.in"))):
        assert imported(names) <= set(re.findall(r"[a-z0-9-]+", asked.lower()))


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_line_says_why(name: str) -> None:
    lines = [line for line in read(f"{name}.in").splitlines() if ASKED.match(line)]
    assert lines
    assert [line for line in lines if not re.search("  +# .", line)] == []


def test_tests_run_with_what_runs() -> None:
    assert pinned("requirements.txt").items() <= pinned("requirements-dev.txt").items()


def licences(name: str) -> list[str]:
    """Return the licences among which the user of an installed package may choose."""
    about = metadata.metadata(name).json
    classifiers = [each for each in about.get("classifier", []) if "License ::" in each]
    expression = str(about.get("license_expression") or about.get("license"))
    return classifiers or expression.split(" OR ")


def test_everything_that_runs_has_a_licence_that_ours_allows() -> None:
    """Those for other systems are not installed here: brotlicffi (MIT) and tzdata (Apache)."""
    distributions = metadata.distributions()
    installed = {each.name.lower().replace("_", "-") for each in distributions}
    required = pinned("requirements.txt").keys()
    assert required - installed <= {"brotlicffi", "tzdata"}
    permitted = {
        name for name in required & installed if any(map(PERMITTED.search, licences(name)))
    }
    assert required & installed == permitted


def test_set_up_installs_nothing_without_a_hash() -> None:
    installs = [line for line in read("Makefile").splitlines() if "pip install" in line]
    assert len(installs) == 2
    assert all("--require-hashes" in line for line in installs)
