"""What to look at after the tournament goes on from a standby copy."""

from __future__ import annotations

from collections import Counter

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.audit import THE_TABLE
from tournaments.i18n.audit_entries import entry_context
from tournaments.models import AuditEntry, Epoch, Sitting, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import epochs
from tournaments.tables.audit_entries import AuditTable

SHOWN = 20  # acts of the desk
KINDS = AuditEntry.Kind
SENT = (KINDS.ROUND_RECORDED, KINDS.ROUND_CONTINUED, KINDS.ROUND_CORRECTED)


@never_cache
@requires(GET=Level.STAFF)
def continued(request: HttpRequest, slug: str) -> HttpResponse:
    """List the last acts of the desk in the copy, and the tables that have sent rounds since."""
    tournament = door.tournament_of(request)
    epoch = epochs.current_epoch()
    if epoch.reason != Epoch.Reason.CONTINUED:
        raise Http404
    in_copy = tournament.audit_entries.filter(at__lt=epoch.at).order_by("-number")
    desk = in_copy.exclude(who__startswith=THE_TABLE)
    context = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "epoch": epoch,
        "last": in_copy.first(),
        "table": AuditTable(list(desk[:SHOWN]), entry_context(tournament), slug=slug),
        "sittings": _sittings(tournament, epoch),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "continued.html", context)


def _sittings(tournament: Tournament, epoch: Epoch) -> list[tuple[Sitting, int]]:
    """Return the tables of the last session, and how many rounds each has sent since."""
    session = tournament.sessions.order_by("number").last()
    if session is None:
        return []
    sent = tournament.audit_entries.filter(
        at__gte=epoch.at, who__startswith=THE_TABLE, subject__session=session.number, kind__in=SENT
    )
    subjects = sent.values_list("subject", flat=True)
    rounds = Counter(
        table for table, _round in {(each["table"], each["round"]) for each in subjects}
    )
    sittings = session.sittings.order_by("number")
    return [(each, rounds[each.number]) for each in sittings]
