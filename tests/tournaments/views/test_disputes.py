"""Disputes: the desk sees both versions of a round and decides which one counts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments import verification
from tournaments.models import (
    Disagreement,
    Membership,
    Round,
    Session,
    Tournament,
)


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Three tables of six."""
    return cast.make_session(tournament, tables=3)


def other_facts(session: Session) -> dict[str, Any]:
    players = cast.keys(session.sittings.get(number=1))
    return {
        "dealer": players[-1],
        "kankei": [players[0], players[3]],
        "deals": [{"kankei": 5, "mukankei": 9}],
    }


DEALER = "Dealer 木村 勇"


def versions(page: str) -> list[list[str]]:
    """Return the text of each version of a round on a page, a line for every fact."""
    shown = re.findall(r'<[do]l class="facts[^"]*">.*?</[do]l>', page, re.DOTALL)
    said = [
        re.sub(r'<span class="suit[^>]*aria-label="([^"]*)"[^>]*>', r"\1", each) for each in shown
    ]
    lines = [re.split("</div>|</li>", each) for each in said]
    told = [[" ".join(re.sub("<[^>]*>", " ", line).split()) for line in each] for each in lines]
    return [[line for line in each if line] for each in told]


def test_dispute_about_teams_shows_both_versions(scorekeeper: Client) -> None:
    sitting = cast.make_sitting(cast.make_tournament("gouji"))
    tournament, order = sitting.session.tournament, cast.keys(sitting)
    Membership.objects.create(tournament=tournament, user=User.objects.get(), role="scorekeeper")
    cast.record(sitting)
    teams = [[order[i] for i in (0, 1, 2)], [order[i] for i in (3, 4, 5)]]
    found = cast.make_disagreement(sitting, cast.plain_round(sitting) | {"teams": teams})
    address = reverse("settle-disagreement", args=[tournament.slug, found.pk])
    stored, other, said = versions(cast.in_english(scorekeeper).get(address).text)
    assert stored == other
    assert said == [
        "Team 1 成田 キヨ · 工藤 正 · 対馬 ハル",
        "Team 2 葛西 実 · 三上 ユキ · 木村 勇",
    ]


def test_desk_keeps_the_stored_version(scorekeeper: Client, session: Session) -> None:
    sitting = session.sittings.get(number=1)
    cast.record(sitting, cast.plain_round(sitting) | {"trump": "clubs"})
    found = cast.make_disagreement(sitting, other_facts(session) | {"trump": "hearts"})
    page = cast.in_english(scorekeeper).get(settle := reverse(*_settle(session, found)))
    stored, other = versions(page.text)
    assert stored[:3] == ["Trump of the first deal clubs", DEALER, "Kankei 成田 キヨ · 対馬 ハル"]
    assert other[:3] == ["Trump of the first deal hearts", DEALER, "Kankei 成田 キヨ · 葛西 実"]
    assert stored[3:] == other[3:] != []
    assert page.context["differing"] == {"trump", "kankei"}
    assert page.text.count('class="differs"') == 4  # both on both sides
    assert scorekeeper.post(settle, {"seen": 1, "decision": "stored"}).status_code == 302
    assert Disagreement.objects.get().settled_at is not None
    otherwise = {"seen": 1, "decision": "other", "reason": "票を見た"}
    for choice in ({"seen": 1, "decision": "stored"}, otherwise):
        stale = scorekeeper.post(settle, choice, follow=True)
        assert "This has been settled already. The other version was rejected. If" in stale.text
    settled = scorekeeper.get(settle).text
    assert "The other version was rejected." in settled
    assert "right?" not in settled
    assert Round.objects.count() == 1
    assert verification.verify(session.tournament) == []


def test_what_only_one_version_states_is_not_noted_in_the_other(
    scorekeeper: Client, session: Session
) -> None:
    sitting = session.sittings.get(number=1)
    plain = cast.plain_round(sitting) | {"deals": [{"kankei": 9, "mukankei": 4}] * 2}
    cast.record(sitting, plain)
    stated = {"kankei": 9, "mukankei": 4, "trump": "hearts"}
    facts = plain | {"trump": "clubs", "deals": [plain["deals"][0], stated], "cut_off": True}
    found = cast.make_disagreement(sitting, facts)
    page = cast.in_english(scorekeeper).get(reverse(*_settle(session, found)))
    stored, other = versions(page.text)
    assert [line for line in stored if line not in other] == [
        "Trump of the first deal Not noted",
        "Deal 2 Kankei 9–4 mukankei Trump not noted",
        "Cut off Not noted",
    ]
    assert [line for line in other if line not in stored] == [
        "Trump of the first deal clubs",
        "Deal 2 Kankei 9–4 mukankei hearts",
        "Cut off Time ran out",
    ]
    assert "ot noted" not in scorekeeper.get(sitting.get_absolute_url()).text


def test_exposed_cards_that_only_one_version_states(scorekeeper: Client) -> None:
    sitting = cast.make_sitting(cast.make_tournament("gong-zhu"))
    tournament = sitting.session.tournament
    Membership.objects.create(tournament=tournament, user=User.objects.get(), role="scorekeeper")
    plain = {**cast.plain_round(sitting), "exposed": []}
    cast.record(sitting, plain)
    found = cast.make_disagreement(sitting, plain | {"exposed": ["SQ"]})
    address = reverse("settle-disagreement", args=[tournament.slug, found.pk])
    stored, other = versions(cast.in_english(scorekeeper).get(address).text)
    assert stored[:-1] == other[:-1]
    assert stored[-1] == "Exposed Not noted"
    assert other[-1].startswith("Exposed")
    assert other[-1] != stored[-1]


@pytest.mark.both
def test_disputed_version_replaces_the_stored_one_with_a_reason(
    scorekeeper: Client, session: Session
) -> None:
    sitting = session.sittings.get(number=1)
    cast.record(sitting)
    found = cast.make_disagreement(sitting, other_facts(session))
    settle = reverse(*_settle(session, found))
    decision = {"seen": 1, "decision": "other"}
    assert scorekeeper.post(settle, decision).status_code == 422
    assert scorekeeper.post(settle, decision | {"reason": "両者に確認"}).status_code == 302
    assert Round.objects.order_by("version").last().facts["kankei"] == ["1", "4"]  # type: ignore[union-attr]
    assert Disagreement.objects.get().settled_at is not None
    assert session.tournament.audit_entries.last().kind == "dispute_settled"  # type: ignore[union-attr]
    assert verification.verify(session.tournament) == []


def test_round_that_changed_meanwhile_is_not_settled(scorekeeper: Client, session: Session) -> None:
    sitting = session.sittings.get(number=1)
    cast.record(sitting)
    found = cast.make_disagreement(sitting, other_facts(session))
    third = other_facts(session) | {"deals": [{"kankei": 0, "mukankei": 9}]}
    cast.record(sitting, third, seen=1, reason="already corrected")
    settle = reverse(*_settle(session, found))
    for decision in ("stored", "other"):
        typed = {"seen": 1, "decision": decision, "reason": "x"}
        assert scorekeeper.post(settle, typed).status_code == 422
    assert Disagreement.objects.get().settled_at is None
    assert Round.objects.count() == 2


@pytest.mark.parametrize(
    ("mukankei", "decision"), [(9, "The other version was accepted."), (10, "then scored the same")]
)
def test_correction_settles_the_disputes_it_agrees_with(
    scorekeeper: Client, session: Session, mukankei: int, decision: str
) -> None:
    sitting = session.sittings.get(number=1)
    cast.record(sitting)
    found = cast.make_disagreement(sitting, other_facts(session))
    alike = other_facts(session) | {"deals": [{"kankei": 5, "mukankei": mukankei}]}
    cast.record(sitting, alike, seen=1, reason="counted again")
    found.refresh_from_db()
    assert found.settled_at is not None
    page = cast.in_english(scorekeeper).get(reverse(*_settle(session, found))).text
    assert "right?" not in page
    assert decision in page
    assert "<bdi>counted again</bdi>" in page
    assert verification.verify(session.tournament) == []


def test_going_on_with_a_round_settles_the_disputes_it_agrees_with(
    scorekeeper: Client, session: Session
) -> None:
    sitting = session.sittings.get(number=1)
    won = {"kankei": 9, "mukankei": 4}
    begun = cast.plain_round(sitting) | {"deals": [won]}
    cast.record(sitting, begun)
    found = cast.make_disagreement(sitting, begun | {"deals": [won, won]})
    cast.record(sitting, begun | {"deals": [won, won]}, seen=1)
    found.refresh_from_db()
    assert found.settled_at is not None
    page = cast.in_english(scorekeeper).get(reverse(*_settle(session, found))).text
    assert "The other version was accepted." in page
    assert verification.verify(session.tournament) == []


def test_impossible_version_is_shown_with_its_problems(
    scorekeeper: Client, session: Session
) -> None:
    sitting = session.sittings.get(number=1)
    cast.record(sitting)
    found = cast.make_disagreement(sitting, {"kankei": ["1"], "deals": []})
    settle = reverse(*_settle(session, found))
    assert scorekeeper.get(settle).context["other"].problems
    typed = {"seen": 1, "decision": "other", "reason": "x"}
    assert scorekeeper.post(settle, typed).status_code == 422
    assert Disagreement.objects.get().settled_at is None


def _settle(session: Session, found: Disagreement) -> tuple[str, None, list[Any]]:
    return "settle-disagreement", None, [session.tournament.slug, found.pk]
