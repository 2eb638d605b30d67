"""A kind of game is one object: nothing but its package and its folder of templates knows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from django.conf import settings
from pytest_django import Settings

import scoring
import tournaments
from tournaments import game_kinds
from tournaments.game_kinds import GameKind, kind_of

TOP = Path(tournaments.__file__).parent
TEMPLATES = Path(settings.BASE_DIR, "templates")
GAMES = {type(rules.game) for rules in map(scoring.choose, scoring.RULE_SETS)}
CODES = {str(game.kind) for game in GAMES}  # a value in each class
# What only one kind of game has: its class, and the class of its facts.
FACTS = [get_type_hints(game.read_round)["return"].__args__[0] for game in GAMES]  # or None
CLASSES = {each.__name__ for each in (*GAMES, *FACTS)}
KEYS = {"finish", *(name for facts in FACTS for name in facts._fields)}
SHARED = [
    path
    for path in TOP.rglob("*.py")
    if path.relative_to(TOP).parts[0] not in {"games", "migrations"}
]
# Modules and templates that name what one kind has, with the reason.
EXCEPTIONS: dict[str, str] = {
    "demo/events.py": "the mistakes in its rounds are those of a face-card game",
    "_partials/own_side.html": "a player's role, whose badge has the colour of the side",
}

MADE_UP: dict[str, Any] = {
    each.name: () for each in fields(GameKind) if each.default is MISSING and each.name != "code"
}


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_of_one_kind(node: ast.AST) -> bool:
    """Return whether code compares kinds, or names the package or classes of one."""
    match node:
        case ast.Compare():
            texts = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            names = {name_of(each) for each in (node.left, *node.comparators)}
            return bool(("kind" in names and texts & CODES) or ("facts" in names and texts & KEYS))
        case ast.Dict():
            keys = {each.value for each in node.keys if isinstance(each, ast.Constant)}
            return keys >= CODES
        case ast.List() | ast.Tuple() | ast.Set():
            return {each.value for each in node.elts if isinstance(each, ast.Constant)} >= CODES
        case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[_, classes]):
            return any(name_of(each) in CLASSES for each in ast.walk(classes))  # type: ignore[arg-type]
        case ast.MatchClass():
            return name_of(node.cls) in CLASSES
        case ast.ImportFrom():
            module, imported = node.module or "", {each.name for each in node.names}
            return module.startswith("tournaments.games.") or (
                module.startswith("scoring") and bool(imported & CLASSES)
            )
    return False


def asking_modules() -> Iterator[str]:
    for path in SHARED:
        if any(is_of_one_kind(each) for each in ast.walk(ast.parse(path.read_text("utf-8")))):
            yield path.relative_to(TOP).as_posix()


def asking_templates() -> Iterator[str]:
    codes = "|".join(CODES)
    asks = re.compile(rf"game\.kind *(==|!=|in\b)|(==|!=) *[\"']({codes})[\"']")
    for path in TEMPLATES.rglob("*.html"):
        place = path.relative_to(TEMPLATES)
        if place.parts[0] != "games" and asks.search(path.read_text("utf-8")):
            yield place.as_posix()


def expected_files() -> set[str]:
    """Return the files that other templates ask of each kind, with {} for its name."""
    found = set()
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text("utf-8")
        names = re.findall(r'\|game_template:"(\w+)"', text)
        styles = re.findall(r"'css/(\w+)-'\|add:[\w.]*kind\|add:'\.css'", text)
        found |= {f"templates/games/{{}}/{name}.html" for name in names}
        found |= {f"static/css/{name}-{{}}.css" for name in styles}
    return found


def test_nothing_shared_asks_for_the_kind_of_game() -> None:
    asking = {*asking_modules(), *asking_templates()}
    assert asking == set(EXCEPTIONS), "give the kind a field (game_kinds) or a template instead"


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_kind_has_a_package_and_its_files(code: str) -> None:
    game = next(
        rules.game for rules in map(scoring.choose, scoring.RULE_SETS) if rules.game.kind == code
    )
    kind = kind_of(game)
    assert kind.code == code
    assert kind.form.__module__.startswith(f"tournaments.games.{code}.")
    files = {each.format(code) for each in expected_files()}
    assert len(files) > 5
    assert not {each for each in files if not Path(settings.BASE_DIR, each).is_file()}


def test_kind_needs_all_its_parts(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    game = scoring.choose(scoring.get_rule_set("gouji")).game
    monkeypatch.setattr(type(game), "kind", "made-up")
    with pytest.raises(LookupError):
        kind_of(game)
    for name in MADE_UP:
        with pytest.raises(TypeError, match=name):
            GameKind(code="made-up", **{key: MADE_UP[key] for key in MADE_UP if key != name})
    made_up = GameKind(code="made-up", **MADE_UP)
    monkeypatch.setattr(game_kinds, "MADE_UP", made_up, raising=False)
    settings.GAME_KINDS = [*settings.GAME_KINDS, "tournaments.game_kinds.MADE_UP"]
    assert kind_of(game) is made_up
