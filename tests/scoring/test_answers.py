"""Answers to JSON text: any bytes are answered, in one line of JSON."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.answers import answer, as_line
from tests.scoring.expected import EXAMPLES
from tests.scoring.records import CODES, GOOD

NOT_JSON = [{"at": "", "code": "not_json", "message": answer(b"")["errors"][0]["message"]}]
RECORDS = [each["record"] for examples in EXAMPLES.values() for each in examples]


def assert_is_an_answer(text: bytes) -> dict[str, Any]:
    result = answer(text)
    line = as_line(result)
    assert b"\n" not in line
    assert json.loads(line) == result
    if not result["ok"]:
        assert set(result) - {"more"} == {"ok", "errors"}
        for error in result["errors"]:
            assert set(error) == {"at", "code", "message"}
            assert error["code"] in CODES | {"not_json", "key_twice"}
        assert result["errors"]
    return result


def codes_of(document: str) -> list[str]:
    return [error["code"] for error in assert_is_an_answer(document.encode())["errors"]]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.binary(max_size=200))
@example(b"\xff\xfe")
@example(b"\xef\xbb\xbf")
@example(b"{" * 10)
def test_any_bytes_are_answered(text: bytes) -> None:
    assert not assert_is_an_answer(text)["ok"]


@given(st.text(max_size=200), st.sampled_from(["utf-8", "utf-16", "utf-32", "cp932"]))
def test_any_text_is_answered(text: str, encoding: str) -> None:
    assert not assert_is_an_answer(text.encode(encoding, "replace"))["ok"]


@given(anything)
def test_any_json_is_answered(document: Any) -> None:
    assert not assert_is_an_answer(json.dumps(document).encode())["ok"]


@given(st.data())
def test_valid_record_with_one_change_is_answered(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(RECORDS))
    document = json.loads(json.dumps(record))  # a copy
    inner, key = data.draw(st.sampled_from(list(places(document))))
    what = data.draw(st.sampled_from(["replace", "remove", "repeat", "rename"]))
    if what == "replace":
        inner[key] = data.draw(anything | st.sampled_from(list(values(record))))
    elif what == "remove":
        del inner[key]
    elif what == "repeat" and isinstance(inner, list):
        inner.insert(key, inner[key])
    elif isinstance(inner, dict):
        inner[data.draw(st.text(max_size=5))] = inner.pop(key)
    assert_is_an_answer(json.dumps(document).encode())


def places(inner: Any) -> Any:
    """Every key of every object and every index of every list in a document, with where it is."""
    if isinstance(inner, dict | list):
        for key in range(len(inner)) if isinstance(inner, list) else list(inner):
            yield inner, key
            yield from places(inner[key])


def values(document: Any) -> Any:
    return (inner[key] for inner, key in places(document))


@given(st.sampled_from(RECORDS), st.integers(0, 3000), st.integers(0, 255))
def test_valid_record_with_one_changed_byte_is_answered(
    document: dict[str, Any], at: int, byte: int
) -> None:
    text = bytearray(json.dumps(document, ensure_ascii=False).encode())
    text[at % len(text)] = byte
    assert_is_an_answer(bytes(text))


@pytest.mark.parametrize("document", GOOD, ids=lambda document: document["ruleset"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_every_encoding_of_unicode_is_read_with_or_without_a_byte_order_mark(
    document: dict[str, Any], encoding: str
) -> None:
    assert assert_is_an_answer(json.dumps(document).encode(encoding))["ok"]


def test_text_that_is_not_json_is_refused() -> None:
    for text in (b"", b"\n", b"nonsense", b"{", b"{'players': []}", b"\xe9", b"[1,]", b"\x00"):
        assert answer(text) == {"ok": False, "errors": NOT_JSON}


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_nan_and_infinity_are_refused(constant: str) -> None:
    assert codes_of(f'{{"ruleset": {constant}}}') == ["not_json"]
    assert codes_of(f"[{constant}, {'1' * 5000}]") == ["not_json"]


@pytest.mark.parametrize("opening", ["[", '{"players":', '{"rounds":[', '[{"":'])
def test_deep_nesting_is_refused_as_such(opening: str) -> None:
    assert codes_of(opening * 100_000) == ["range"]
    closing = {"[": "]", '{"players":': "}", '{"rounds":[': "]}", '[{"":': "}]"}[opening]
    text = opening * 100_000 + "1" + closing * 100_000
    (error,) = assert_is_an_answer(text.encode())["errors"]
    assert (error["at"], error["code"]) == ("", "range")
    assert "nested too deeply" in error["message"]


@pytest.mark.parametrize("digits", [1, 20, 4300, 4301, 5000, 100_000])
@pytest.mark.parametrize("sign", ["", "-"])
def test_long_integer_is_out_of_range(digits: int, sign: str) -> None:
    text = json.dumps(GOOD[0]).replace('"kankei": 9', f'"kankei": {sign}{"9" * digits}', 1)
    good = digits == 1 and not sign
    result = assert_is_an_answer(text.encode())
    assert result["ok"] is good
    if not good:
        assert [error["code"] for error in result["errors"]] == ["range"]
        assert len(as_line(result)) < 300


def test_float_without_fraction_is_not_an_integer() -> None:
    for number in ("9.0", "9e0", "1e999", "-0.0"):
        text = json.dumps(GOOD[0]).replace('"kankei": 9', f'"kankei": {number}', 1)
        assert codes_of(text) == ["type"]


def test_lone_surrogate_is_returned_unchanged() -> None:
    text = json.dumps(GOOD[4]).replace('"A"', '"\\ud83c"').encode()
    result = assert_is_an_answer(text)
    assert result["ok"]
    assert "\ud83c" in result["totals"]
    assert b'"\\ud83c": 2' in as_line(result)


def test_names_are_returned_unchanged() -> None:
    document = json.dumps(GOOD[4], ensure_ascii=False)
    for name in ("一郎", "Zoë", '"', "\\", "a\nb", "a\u2028b", "🂡", "\x00"):
        text = document.replace('"A"', json.dumps(name, ensure_ascii=False)).encode()
        assert name in assert_is_an_answer(text)["totals"]


@pytest.mark.parametrize(
    ("twice", "key"),
    [
        ('{"ruleset": 1, "ruleset": "gouji", "players": [], "rounds": []}', "ruleset"),
        ('{"ruleset": "gouji", "rounds": [{"finish": [], "finish": []}]}', "finish"),
        ('{"ruleset": "gouji", "\\u0072uleset": "gouji"}', "ruleset"),
        ('[{"a": {"b": 1, "b": 1}}]', "b"),
        (f'{{"a": {"9" * 5000}, "a": 1}}', "a"),
        ('{"\\ud800": 1, "\\ud800": 1}', "\ud800"),
    ],
)
def test_duplicate_key_is_the_only_problem(twice: str, key: str) -> None:
    message = f"The key “{key}” appears twice in one object; remove one of the two."
    errors = assert_is_an_answer(twice.encode())["errors"]
    assert errors == [{"at": "", "code": "key_twice", "message": message}]


def test_syntax_error_is_reported_before_duplicate_key() -> None:
    assert codes_of('{"a": 1, "a": 1') == ["not_json"]
    assert codes_of('{"a": 1, "a": 1} "') == ["not_json"]


def test_answers_are_the_same_every_time() -> None:
    """Problems are in the order of the record, not in hash order."""
    keys = "".join(f'"{letter}": 0, ' for letter in "qwertyuiop")
    errors = answer(f'{{{keys} "ruleset": "gouji", "rounds": []}}'.encode())["errors"]
    assert [error["at"] for error in errors] == [*"qwertyuiop", "players"]
