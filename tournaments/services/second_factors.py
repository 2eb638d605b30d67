"""Second factors of accounts: six digits of an app (TOTP, RFC 6238), or a recovery code.

django-otp keeps them, checks the digits and refuses those that were used. Wrong codes are counted
by `services.guesses` alone; django-otp's own lock-out has no limit and would lock the owner out.
Of recovery codes a keyed digest is stored.
"""

from __future__ import annotations

import base64
import logging
import secrets

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.exceptions import OperationRefused
from tournaments.services.guesses import UNKNOWN_GUESSER, Guess, Guesser

RECOVERY_CODES = 10
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike
LETTERS_OF_A_CODE = 12  # 59 bits
DIGEST_BYTES = 12  # 16 characters of Base64, for which django-otp has room

logger = logging.getLogger(__name__)


class WrongCode(OperationRefused):
    """The code is wrong, was used already, or there is no second factor to compare it with."""

    code = "code_needed"
    status = 401
    at = "code"
    sentence = gettext_lazy(
        "This account has two-step log-in. Send the current code from its app, or a recovery code."
    )


def is_set_up(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def is_lacking(user: User) -> bool:
    """Return whether a password alone opens the owner's account to the internet."""
    return user.is_superuser and not (settings.VENUE or is_set_up(user))


def pending_device(user: User) -> TOTPDevice | None:
    """Return the device that is being set up; None before `begin` and after `confirm`."""
    return TOTPDevice.objects.filter(user=user, confirmed=False).first()


def recovery_codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


@transaction.atomic
def begin(user: User) -> None:
    """Draw a new secret, which counts only after `confirm`. Does nothing if one counts already."""
    User.objects.select_for_update().get(pk=user.pk)
    if not is_set_up(user):
        TOTPDevice.objects.filter(user=user).delete()
        TOTPDevice.objects.create(user=user, name="app", confirmed=False)


@transaction.atomic
def confirm(user: User, code: str) -> list[str]:
    """Activate the device that shows this code; return new recovery codes, stored only as digests.

    Raises `WrongCode`.
    """
    User.objects.select_for_update().get(pk=user.pk)
    device = pending_device(user)
    if device is None or not device.verify_token(_letters(code)):
        raise WrongCode
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    codes = [
        "".join(secrets.choice(LETTERS) for _ in range(LETTERS_OF_A_CODE))
        for _ in range(RECOVERY_CODES)
    ]
    kept = StaticDevice.objects.create(user=user, name="recovery")
    StaticToken.objects.bulk_create(
        StaticToken(device=kept, token=_stored_recovery_code(each)) for each in codes
    )
    logger.warning("Second factor of account %s set up", user)
    return codes


@transaction.atomic
def remove(user: User) -> None:
    """Recovery codes are removed, too. Idempotent."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    logger.warning("Second factor of account %s removed", user)


def check(user: User, code: str, *, guesser: Guesser = UNKNOWN_GUESSER) -> None:
    """Use up a code of an account. Raises `WrongCode` and `guesses.TooManyGuesses`.

    The code is asked for only after the right password, so strangers cannot lock anybody out.
    """
    subject = f"second factor:{user.pk}"
    guess = Guess(guesser, [subject])
    guess.count(subject)
    with transaction.atomic():
        is_right = _use(user, _letters(code))
    if not is_right:
        raise WrongCode
    guess.mark_right(subject)


def _use(user: User, code: str) -> bool:
    """Return whether a code is right and was not used before; it counts as used then."""
    rows = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True)
    for device in rows:
        if code.isdecimal():
            return bool(device.verify_token(code))
        tokens = StaticToken.objects.filter(device__user=user, token=_stored_recovery_code(code))
        return bool(tokens.delete()[0])
    return False


def _letters(code: str) -> str:
    return "".join(code.split()).replace("-", "").lower()


def _stored_recovery_code(code: str) -> str:
    digest = salted_hmac("recovery code", code, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:DIGEST_BYTES]).decode()
