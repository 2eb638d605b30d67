"""The response to a repeated request once the desk has decided a dispute.

Until then the same request gets the same 409. Receipts never change, so the decision is looked up.
"""

from __future__ import annotations

from django.utils import timezone

from tournaments.models import Disagreement, Sitting
from tournaments.queries.round_documents import round_in_force
from tournaments.queries.sheets import is_same_round, sheet_of
from tournaments.services.idempotency import Answer


def since(sitting: Sitting, number: int, answer: Answer) -> Answer:
    """Return an answer that was kept, or what holds instead since the desk has decided.

    That is 200 where the very facts sent are in force; else 409 once more, with the round as it is
    stored by now, and in `settled_at` when it was decided.
    """
    if answer.status != 409 or not answer.is_stored:
        return answer
    facts = answer.body["yours"]["facts"]
    sheet = sheet_of(sitting)
    stored = round_in_force(sheet, number) if number <= len(sheet.rounds) else None
    if stored is not None and is_same_round(sheet, number, stored["facts"], facts):
        return Answer(200, stored)
    told = Disagreement.objects.filter(sitting=sitting, number=number)
    times = [each.settled_at for each in told if each.facts == facts]
    settled = [time for time in times if time is not None]
    if not settled or len(settled) < len(times):
        return answer
    at = timezone.localtime(max(settled)).isoformat()
    return Answer(409, {**answer.body, "stored": stored, "settled_at": at})
