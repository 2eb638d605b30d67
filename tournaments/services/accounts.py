"""Accounts: the permission to create events, passwords, and ending log-ins and tokens.

An account belongs to no event, so these writes are logged instead of appended to an audit trail.
"""

from __future__ import annotations

import logging

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session as LogIn
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournaments.audit import Actor
from tournaments.models import Phone, StaffToken, Tournament
from tournaments.services import table_links, tokens

CREATE_EVENTS = "tournaments.add_tournament"  # Django's own permission

logger = logging.getLogger(__name__)


def all_accounts() -> QuerySet[User]:
    """Return all accounts by name, with permissions and memberships prefetched."""
    accounts = User.objects.prefetch_related("memberships__tournament", "user_permissions")
    return accounts.order_by("username")


def may_create_events(user: User) -> bool:
    return user.has_perm(CREATE_EVENTS)


@transaction.atomic
def set_may_create_events(user: User, *, may: bool, by: Actor) -> None:
    """Idempotent."""
    permission, _created = Permission.objects.get_or_create(
        content_type=ContentType.objects.get_for_model(Tournament),
        codename="add_tournament",
        defaults={"name": "Can add tournament"},
    )
    if may:
        user.user_permissions.add(permission)
    else:
        user.user_permissions.remove(permission)
    logger.warning("Account %s may%s create events, by %s", user, "" if may else " not", by.who)


@transaction.atomic
def disable_account(user: User, *, by: Actor) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)
    end_log_ins(user)
    logger.warning("Account %s disabled by %s", user, by.who)


@transaction.atomic
def enable_account(user: User, *, by: Actor) -> None:
    """Undo `disable_account`; the account has to log in again."""
    User.objects.filter(pk=user.pk).update(is_active=True)
    logger.warning("Account %s enabled by %s", user, by.who)


def set_password(user: User, password: str, *, by: Actor) -> None:
    user.set_password(password)  # slow hashing, outside of the transaction
    with transaction.atomic():
        user.save(update_fields=["password"])
        end_log_ins(user)
    logger.warning("Password of account %s set by %s", user, by.who)


@transaction.atomic
def end_log_ins(user: User, *, kept_session_key: str | None = None) -> None:
    """End all tokens and log-ins of an account, except the browser session with this key."""
    tokens.revoke_tokens(user)
    log_ins = LogIn.objects.filter(expire_date__gt=timezone.now()).exclude(
        session_key=kept_session_key
    )
    keys = [
        each.session_key
        for each in log_ins.iterator()
        if each.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    LogIn.objects.filter(session_key__in=keys).delete()


@transaction.atomic
def end_everything(*, by: Actor) -> None:
    """End every log-in, every token and every phone; table links and PINs stay valid."""
    pks_with_phones = Phone.objects.filter(ended_at=None).values("sitting__session__tournament")
    for tournament in Tournament.objects.filter(pk__in=pks_with_phones).order_by("pk"):
        table_links.end_phones(tournament, by=by)
    LogIn.objects.all().delete()
    StaffToken.objects.all().delete()
