"""What the name and the password of an account are exchanged for: a token that a program shows.

It names the account and holds a secret. Only a SHA-256 is kept, of the token and the password's own
hash: a token ends with the password it was got for, however that is changed.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.models import StaffToken
from tournaments.models.tokens import digest

LIFETIME = timedelta(days=30)
MOST_DIGITS = 18  # of a primary key that every database takes


@transaction.atomic
def make(user: User) -> tuple[str, datetime]:
    """Return a new token and when it expires. Those of the account that have expired go."""
    now = timezone.now()
    StaffToken.objects.filter(user=user, expires_at__lt=now).delete()
    token = f"{user.pk}.{secrets.token_urlsafe(32)}"
    kept = _kept(token, user)
    made = StaffToken.objects.create(user=user, digest=kept, expires_at=now + LIFETIME)
    return token, made.expires_at


def owner_of(token: str) -> User | None:
    """Return whose token this is, if the account may still log in, and with the same password."""
    name = token.partition(".")[0]
    if not (name.isascii() and name.isdigit()) or len(name) > MOST_DIGITS:
        return None
    user = User.objects.filter(pk=int(name), is_active=True).first()
    if user is None:
        return None
    mine = StaffToken.objects.filter(user=user, digest=_kept(token, user))
    return user if mine.filter(expires_at__gt=timezone.now()).exists() else None


def _kept(token: str, user: User) -> str:
    return digest(f"{token} {user.password}")


def revoke_all(user: User) -> int:
    """Revoke every token of an account; return how many there were."""
    count, _ = StaffToken.objects.filter(user=user).delete()
    return count
