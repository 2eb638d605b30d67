"""The list of rule sets, and the page of each."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import get_language_info

import scoring
from scoring.rules import RuleSet
from tests.markup import tight
from tournaments.i18n.sentences import signed, translated
from tournaments.i18n.units import unit_words

by_slug = pytest.mark.parametrize("rule_set", scoring.RULE_SETS, ids=lambda found: found.slug)


def page_of(client: Client, rule_set: RuleSet) -> str:
    return client.get(reverse("rule-set", args=[rule_set.slug])).text


def test_all_are_listed(client: Client) -> None:
    page = client.get(reverse("rules")).text
    for rule_set in scoring.RULE_SETS:
        assert f'href="{reverse("rule-set", args=[rule_set.slug])}"' in page


def test_each_rule_set_has_its_own_description(client: Client) -> None:
    page = client.get(reverse("rules")).text
    told = {translated(rule_set.in_short) for rule_set in scoring.RULE_SETS}
    assert len(told) == len(scoring.RULE_SETS)
    assert all(escape(each) in page for each in told)


@by_slug
def test_a_source_is_named_by_its_title(client: Client, rule_set: RuleSet) -> None:
    page = page_of(client, rule_set)
    for text in rule_set.texts:
        assert f"<cite>{escape(text.cited)}</cite>" in page


@by_slug
@pytest.mark.parametrize("name", ["chart", "sheet"])
def test_printed_forms_open_in_each_language(client: Client, rule_set: RuleSet, name: str) -> None:
    address = reverse(name, args=[rule_set.slug])
    for code, language in settings.LANGUAGES:
        assert f'value="{code}"' in client.get(address).text
        chosen = {"language": code, "next": address}
        page = client.post(reverse("set-language"), chosen, follow=True).text
        shown = f'aria-current="true">{get_language_info(code)["name_local"]}<'
        assert shown in tight(page), language


@by_slug
def test_every_item_stands_there_with_its_points_and_source(
    client: Client, rule_set: RuleSet
) -> None:
    table = page_of(client, rule_set).partition('aria-labelledby="points-title"')[2]
    rows = table.partition("<tbody>")[2].partition("</tbody>")[0].split("<tr>")[1:]
    # Items that no round is given under the default options are left out.
    defaults = scoring.choose(rule_set).options
    stated = [rule for rule in rule_set.rules if not defaults.get(rule.unless)]
    for rule, row in zip(stated, rows, strict=True):
        assert tight(row).startswith(f"<td>{escape(translated(rule.meaning))}")
        assert escape(rule.source.words) in row
        assert escape(translated(rule.note)) in row
        if rule.lowest < rule.highest:
            assert f'<td class="num points">{signed(rule.points)}</td>' in tight(row)


@by_slug
def test_every_option_stands_there_with_its_source(client: Client, rule_set: RuleSet) -> None:
    shown = page_of(client, rule_set).split('<div class="option">')[1:]
    for option, part in zip(rule_set.options, shown, strict=True):
        assert (
            f"<strong>{escape(unit_words(option.meaning, scoring.choose(rule_set)))}</strong>"
            in part
        )
        assert escape(option.source.words) in part


@by_slug
def test_it_tells_who_deals_and_leads_with_the_source(client: Client, rule_set: RuleSet) -> None:
    listed = page_of(client, rule_set).partition('id="customs-title"')[2].partition("</ul>")[0]
    for custom, part in zip(rule_set.customs, listed.split("<li>")[1:], strict=True):
        assert part.startswith(escape(translated(custom.stated)))
        assert escape(custom.source.words) in part


@by_slug
def test_it_leads_to_what_was_decided_where_the_text_is_silent(
    client: Client, rule_set: RuleSet
) -> None:
    rulings = reverse("guide", args=["rulings"])
    assert f'href="{rulings}#{rule_set.slug}"' in page_of(client, rule_set)


@by_slug
def test_it_leads_to_paper_and_to_a_table(client: Client, rule_set: RuleSet) -> None:
    page = page_of(client, rule_set)
    for name in ("chart", "chart-pdf", "sheet", "sheet-pdf", "start-table"):
        assert f'href="{reverse(name, args=[rule_set.slug])}"' in page


@by_slug
def test_it_shows_the_fingerprint(client: Client, rule_set: RuleSet) -> None:
    assert scoring.choose(rule_set).fingerprint in page_of(client, rule_set)


def test_unknown_rules_are_not_found(client: Client) -> None:
    assert client.get(reverse("rule-set", args=["poker"])).status_code == 404
