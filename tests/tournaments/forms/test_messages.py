"""What a form says about a wrong value: our own words, in the language of the reader."""

from __future__ import annotations

import pytest
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import translation

import tournaments.forms  # noqa: F401  # replaces Django's messages


class ExampleForm(forms.Form):
    few = forms.IntegerField(min_value=1)
    many = forms.IntegerField(max_value=9)
    short = forms.CharField(min_length=8)
    long = forms.CharField(max_length=2)
    unchosen = forms.ChoiceField(choices=[("a", "A")])
    unknown = forms.ChoiceField(choices=[("a", "A")])


def test_messages_are_plain_japanese() -> None:
    values = {"few": "0", "many": "10", "short": "abc", "long": "abc", "unknown": "b"}
    with translation.override("ja"):
        errors = ExampleForm(values).errors
        assert {name: list(said) for name, said in errors.items()} == {
            "few": ["1以上にしてください。"],
            "many": ["9以下にしてください。"],
            "short": ["8文字以上にしてください。"],
            "long": ["2文字以内にしてください。"],
            "unchosen": ["選んでください。"],
            "unknown": ["表示されている中から選んでください。"],
        }


def test_weak_passwords_are_refused_in_our_words() -> None:
    with translation.override("ja"), pytest.raises(ValidationError) as refused:
        validate_password("123")
    assert refused.value.messages == [
        "パスワードが短すぎます。8文字以上にしてください。",
        "よく使われているパスワードなので、ほかのものにしてください。",
        "数字だけのパスワードは使えません。英字も使ってください。",
    ]
