"""API tokens: issued for an account's name and password, valid for 30 days.

A token contains the account's primary key and a secret. The database stores the SHA-256 of the
token and the password hash, so that changing the password in any way invalidates the token.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.models import StaffToken
from tournaments.models.tokens import digest

LIFETIME = timedelta(days=30)
MOST_DIGITS = 18  # of a primary key, within 64 bits


class NewToken(NamedTuple):
    token: str
    expires_at: datetime


@transaction.atomic
def create_token(user: User) -> NewToken:
    """Also delete the account's expired tokens."""
    now = timezone.now()
    StaffToken.objects.filter(user=user, expires_at__lt=now).delete()
    token = f"{user.pk}.{secrets.token_urlsafe(32)}"
    stored = StaffToken.objects.create(
        user=user, digest=_digest(token, user), expires_at=now + LIFETIME
    )
    return NewToken(token, stored.expires_at)


def account_of(token: str) -> User | None:
    """Return the active account of a valid token, or None.

    A token is invalid once it has expired, is revoked, or the account's password has changed.
    """
    pk = token.partition(".")[0]
    if not (pk.isascii() and pk.isdigit()) or len(pk) > MOST_DIGITS:
        return None
    user = User.objects.filter(pk=int(pk), is_active=True).first()
    if user is None:
        return None
    stored = StaffToken.objects.filter(user=user, digest=_digest(token, user))
    return user if stored.filter(expires_at__gt=timezone.now()).exists() else None


def _digest(token: str, user: User) -> str:
    """Return the digest under which a token is stored; it changes with the account's password."""
    return digest(f"{token} {user.password}")


def revoke_tokens(user: User) -> int:
    """Return how many there were."""
    count, _ = StaffToken.objects.filter(user=user).delete()
    return count
