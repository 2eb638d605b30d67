"""A request as the JSON document that `reading` reads, and a draw read from its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from tournaments.draws.drawing import Draw, Session
from tournaments.draws.quality import Quality
from tournaments.draws.requests import Player, Request

PLAYER_DEFAULTS = {each.name: each.default for each in fields(Player) if each.name != "id"}
WITHOUT_CLUBS = frozenset({"lot", "fixed"})  # methods for which `clubs` is False by default


def as_document(request: Request) -> dict[str, Any]:
    """Return the JSON document of a request, without the keys that have their default value.

    It has `steps`, or `seconds` if the request has no steps.

    >>> as_document(Request([Player("1", club="A"), Player("2")], sizes=[2]))["players"]
    [{'id': '1', 'club': 'A'}, {'id': '2'}]
    """
    document: dict[str, Any] = {
        "players": [_player_as_json(each) for each in request.players],
        "method": request.method,
        "seed": request.seed,
    }
    document |= {"tables": [*request.mix]} if request.mix else {"sizes": [*request.sizes]}
    for key in ("history", "movement"):
        if sessions := getattr(request, key):
            document[key] = [[[*table] for table in tables] for tables in sessions]
    if request.met:
        document["met"] = [[*pair] for pair in request.met]
    if request.sessions != 1:
        document["sessions"] = request.sessions
    if request.apart:
        document["apart"] = [[*pair] for pair in request.apart]
    if request.fixed:
        document["fixed"] = [{"id": name, "table": n} for name, n in request.fixed.items()]
    if tuple(request.weights) != Request.weights:
        document["weights"] = [*request.weights]
    if request.clubs == (request.method in WITHOUT_CLUBS):
        document["clubs"] = request.clubs
    if request.window is not None:
        document["window"] = request.window
    limit = "seconds" if request.steps is None else "steps"
    return document | {limit: getattr(request, limit)}


def read_answer(request: Request, answer: Mapping[str, Any]) -> Draw:
    """Return the draw of a request from its answer, as `Draw.as_json` wrote it."""
    quality = dict(answer["quality"])
    quality["meetings"] = {int(times): pairs for times, pairs in quality["meetings"].items()}
    return Draw(
        request,
        [Session(each["tables"], each["sits_out"]) for each in answer["sessions"]],
        Quality(**quality),
        answer["how"],
        answer.get("steps"),
    )


def _player_as_json(player: Player) -> dict[str, Any]:
    """Keys that have their default value are left out."""
    return {
        key: value
        for key, value in asdict(player).items()
        if key not in PLAYER_DEFAULTS or value != PLAYER_DEFAULTS[key]
    }
