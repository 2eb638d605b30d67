"""What the name and the password of an account are exchanged for: a token that a program shows.

Only its SHA-256 is kept.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.models import StaffToken
from tournaments.phones import joining

LIFETIME = timedelta(days=30)


@transaction.atomic
def make(user: User) -> tuple[str, datetime]:
    """Return a new token and when it expires. Those of the account that have expired go."""
    now = timezone.now()
    StaffToken.objects.filter(user=user, expires_at__lt=now).delete()
    secret = secrets.token_urlsafe(32)
    made = StaffToken.objects.create(
        user=user, digest=joining.digest(secret), expires_at=now + LIFETIME
    )
    return secret, made.expires_at


def owner_of(secret: str) -> User | None:
    """Return whose token this is, if the account may still log in."""
    known = StaffToken.objects.select_related("user").filter(digest=joining.digest(secret))
    token = known.filter(expires_at__gt=timezone.now(), user__is_active=True).first()
    return token.user if token is not None else None


def revoke_all(user: User) -> int:
    """Revoke every token of an account; return how many there were."""
    count, _ = StaffToken.objects.filter(user=user).delete()
    return count
