"""For the guides: names of buttons and links as the pages have them, pictures, links to guides."""

import json
from functools import cache
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext

from tournaments.web.guides import SECTIONS, Guide

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


@register.simple_tag
def picture(name: str, seen: str) -> SafeString:
    """`{% picture "seats" "Table 4 …" %}`: a picture of a page in the present language.

    `seen` says what can be seen on it. `make screenshots` takes the pictures.
    """
    language = get_language() or settings.LANGUAGE_CODE
    width, height = pictures()[language][name]["size"]
    return format_html(
        '<img class="picture is-{}" src="{}" width="{}" height="{}" alt="{}" loading="lazy">',
        name,
        static(f"img/guides/{language}/{name}.webp"),
        *(width, height, seen),
    )


@cache
def pictures() -> dict[str, dict[str, Any]]:
    """Return page, size and visible words of each picture, by language and name."""
    path = settings.PAGES_DIR / "static" / "img" / "guides" / "pictures.json"
    known: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return known


@register.simple_tag(takes_context=True)
def guide_to_page(context: Context) -> str:
    """`{% guide_to_page as address %}`: of the section that explains the page, or empty.

    Empty for who is not logged in, too: the desk's guide would tell spectators nothing.
    """
    request = context.get("request")
    if request is None or not request.user.is_authenticated:
        return ""
    page = request.resolver_match.url_name if request.resolver_match else None
    if page not in SECTIONS:
        return ""
    name, section = SECTIONS[page]
    return f"{reverse('guide', args=[name])}#{section}"
