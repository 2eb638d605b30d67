"""For the guides: names of buttons and links as the pages have them, and links between guides."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from tournaments.web.guides import Guide

register = template.Library()


@register.simple_tag
def press(message: str, context: str = "") -> SafeString:
    """`{% press "Seat list" %}`: the words of a button or link, by its message in the catalogue."""
    words = pgettext(context, message) if context else gettext(message)
    return format_html('<b class="press">{}</b>', words)


@register.simple_tag
def guide(name: str) -> SafeString:
    """`{% guide "office" %}`: a link to another guide."""
    other = Guide(name)
    return format_html('<a href="{}">{}</a>', reverse("guide", args=[name]), other.heading)
