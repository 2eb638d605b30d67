"""The form that chooses a disk for standby copies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.standby import disks

SHORTEST_PASSPHRASE = 8


class StandbyForm(forms.Form):
    """A disk of this computer, or the path of a folder; and a passphrase if one is wanted."""

    disk = forms.ChoiceField(required=False)
    path = forms.CharField(
        label=gettext_lazy("or the path of a folder on another disk"),
        max_length=500,
        required=False,
    )
    passphrase = forms.CharField(
        label=gettext_lazy("Passphrase"),
        help_text=gettext_lazy(
            "With a passphrase the copies are encrypted. Without one, anyone who finds the stick "
            "has all the data and can log in as any of the staff. Write it down: it cannot be "
            "looked up later. Use 8 letters and digits or more: it is not shown as you type it on "
            "the other computer."
        ),
        min_length=SHORTEST_PASSPHRASE,
        max_length=200,
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offers the disks that are there now."""
        super().__init__(*args, **kwargs)
        found = disks.other_disks(settings.DATA_DIR)
        free = _("%(name)s (%(free)s free)")
        offered = [("", _("– none –") if found else _("– no other disk found –"))]
        for each in found:
            words = free % {"name": each.name, "free": filesizeformat(each.free)}
            offered.append((str(each.path), words))
        self.fields["disk"] = forms.ChoiceField(
            label=_("Disk or stick"),
            choices=offered,
            required=False,
            error_messages={
                "invalid_choice": _(
                    "%(value)s is no longer connected. Connect it again, or choose another disk."
                )
            },
        )

    def clean(self) -> dict[str, Any]:
        """Set `folder`, a `Path` that exists on another disk and can be written."""
        typed = self.cleaned_data.get("path") or self.cleaned_data.get("disk")
        field = "path" if self.cleaned_data.get("path") else "disk"
        if not typed:
            if "disk" not in self.errors:
                self.add_error("disk", _("Choose a disk, or type the path of a folder."))
            return self.cleaned_data
        folder = Path(typed)
        if not (folder.is_absolute() and folder.is_dir() and os.access(folder, os.W_OK)):
            self.add_error(field, _("There is no folder here that can be written to."))
        elif not disks.is_elsewhere(folder, settings.DATA_DIR):
            self.add_error(
                field,
                _("This is on the same disk as the database. Choose another disk or a stick."),
            )
        self.cleaned_data["folder"] = folder
        return self.cleaned_data
