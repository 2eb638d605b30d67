"""Refusals say what happened and what to do; over the API they speak of no page or button."""

import re

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation

from tournaments.api import refusals

CLAUSES = re.compile("[.:;,!?] |、|。|，|：|；")
DOES = (
    "Add|Ask|Begin|Call|Check|Choose|Compare|Confirm|Copy|Correct|Decide|Draw|Enter|Exchange|Finish"
    "|Get|Import|Install|Leave|Log|Make|Mark|Open|Print|Put|Read|Record|Reload|Remove|Reopen|Run"
    "|Save|Scan|Seat|See|Send|Set|Show|Start|Take|Tell|Try|Undo|Use|Wait"
)
TO_DO = {
    "en": re.compile(rf"(?:^|please |then |and |or )(?:{DOES})\b", re.IGNORECASE),
    "ja": re.compile("(?:ください|しましょう|お尋ね|お問い合わせ)"),
    "zh-hans": re.compile("请|可以"),
}
OF_A_PAGE = re.compile(r"\b(?:this page|press|tick|button)\b", re.IGNORECASE)
BROWSERS = {"csrf"}  # is answered to browsers alone


def sentences() -> dict[str, list[str]]:
    """By code, what pages say and what the API says."""
    said = {code: [sentence] for code, (_, sentence) in refusals.statuses_and_sentences().items()}
    for kind in refusals.kinds_of_refusals():
        said[kind.code].append(kind.sentence)
    return {code: [str(each) for each in texts] for code, texts in said.items()}


@pytest.mark.parametrize("language", TO_DO)
def test_refusals_say_what_to_do(language: str) -> None:
    with translation.override(language):
        silent = {
            code: text
            for code, texts in sentences().items()
            for text in texts
            if not any(TO_DO[language].search(clause) for clause in CLAUSES.split(text))
        }
    assert silent == {}


@pytest.mark.parametrize("language", TO_DO)
@pytest.mark.parametrize(
    ("field", "typed"),
    [
        (forms.IntegerField(), "x"),
        (forms.IntegerField(min_value=2), "1"),
        (forms.IntegerField(max_value=2), "3"),
        (forms.DateField(), "x"),
        (forms.CharField(max_length=2), "xxx"),
    ],
)
def test_refused_fields_say_what_to_do(field: forms.Field, typed: str, language: str) -> None:
    with translation.override(language), pytest.raises(ValidationError) as refused:
        field.clean(typed)
    with translation.override(language):
        (sentence,) = refused.value.messages
    assert any(TO_DO[language].search(clause) for clause in CLAUSES.split(sentence)), sentence


def test_refusals_say_what_happened() -> None:
    """An English sentence that begins with what to do has left out why."""
    begins = re.compile(rf"(?:{DOES})\b")
    with translation.override("en"):
        bare = {code: texts for code, texts in sentences().items() if begins.match(texts[-1])}
    assert bare == {}


def test_api_speaks_of_no_page() -> None:
    with translation.override("en"):
        answered = refusals.statuses_and_sentences()
        assert {
            code: str(sentence)
            for code, (_, sentence) in answered.items()
            if OF_A_PAGE.search(str(sentence)) and code not in BROWSERS
        } == {}
