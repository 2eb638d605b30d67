"""The layouts of imported lists of players, to read the next list with the same headings alike."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class ListLayout(models.Model):
    """Which sheet and columns were read of a list with some headings, by the reader.

    `headings` is a digest of the headings, `fields` the field of each column, "" if it is not read.
    Nothing of the players is stored.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="list_layouts")
    headings = models.CharField(max_length=64)
    sheet = models.CharField(max_length=100, blank=True)
    fields = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "headings"), name="one_layout_for_headings"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {', '.join(self.fields)}"
