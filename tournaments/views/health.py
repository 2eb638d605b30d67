"""Whether results can be stored right now, for supervisors and load balancers."""

from django.contrib.sessions.models import Session
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 only when the database can be written: by writing to it, and taking that back."""
    try:
        with transaction.atomic():
            Session.objects.create(session_key=get_random_string(32), expire_date=timezone.now())
            transaction.set_rollback(True)
    except DatabaseError:
        return HttpResponse("The database cannot be written.", "text/plain", status=503)
    return HttpResponse("ok", "text/plain")
