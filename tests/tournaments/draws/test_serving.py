"""Draws for a server, in a process of its own."""

from __future__ import annotations

import io
import pickle

from tournaments import draws
from tournaments.draws.serving import serve


def test_draws_and_refusals_are_those_of_the_package() -> None:
    everybody = [(str(i), str(j)) for i in range(6) for j in range(i)]
    players = [draws.Player(str(i)) for i in range(6)]
    good, bad = (draws.Request(players, (3,), apart=pairs) for pairs in ([], everybody))
    answers = io.BytesIO()
    serve(io.BytesIO(pickle.dumps(good) + pickle.dumps(bad)), answers)
    answers.seek(0)
    drawn, refused = (pickle.load(answers) for _ in range(2))  # noqa: S301  our own
    assert drawn == draws.draw(good, lambda: 0.0)
    assert isinstance(refused, draws.InvalidRequest)
    assert {each.code for each in refused.problems} != set()
