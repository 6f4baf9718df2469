"""Texts that break parsers: none raises anything but a refusal, recurses or hangs."""

from __future__ import annotations

import json
import sys

import pytest
from samples import data

import sinkwire as sw
from sinkwire.json_text import MAX_DEPTH, JsonTextError, parse_json

MIB = 1024 * 1024


def refused(text: bytes) -> str:
    with pytest.raises(JsonTextError) as caught:
        parse_json(text)
    return str(caught.value)


@pytest.mark.parametrize("opener, closer", [(b"[", b"]"), (b'{"a":', b"}")])
def test_the_deepest_level_is_exact(opener: bytes, closer: bytes) -> None:
    inner = b"1"
    assert parse_json(opener * MAX_DEPTH + inner + closer * MAX_DEPTH) is not None
    assert "deeper" in refused(opener * (MAX_DEPTH + 1) + inner + closer * (MAX_DEPTH + 1))


@pytest.mark.parametrize(
    "text",
    [
        b'["' + b"[" * 100 + b'"]',
        b'["\\"' + b"[" * 100 + b'"]',
        b'["\\\\", "' + b"{" * 100 + b'\\\\"]',
        b'["\\\\\\"' + b"[" * 100 + b'"]',
        b"[" + b"[]," * 100 + b"[]]",
        b"[" + b"{}," * 100 + b"{}]",
    ],
)
def test_brackets_in_strings_and_side_by_side_are_not_depth(text: bytes) -> None:
    assert parse_json(text) == json.loads(text)


@pytest.mark.parametrize("escape", [b'"\\\\"', b'"\\""', b'"\\\\\\""', b'"\\\\\\\\"'])
def test_no_escape_hides_depth(escape: bytes) -> None:
    assert "deeper" in refused(b"[" + escape + b"," + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"]")


HOSTILE = {
    "open brackets": b"[" * MIB,
    "open objects": b'{"":' * (MIB // 4),
    "unclosed string": b'"' + b"a" * MIB,
    "unclosed escapes": b'["' + b'\\"' * (MIB // 2),
    "backslashes": b'["' + b"\\" * MIB,
    "quotes": b'"' * MIB,
    "closers": b"]" * MIB,
    "digits and a letter": b"1" * MIB + b"x",
    "dots": b"[1." + b"." * MIB,
    "white space": b" " * MIB,
    "one name many times": b"{" + b'"a":1,' * (MIB // 6) + b'"a":1}',
    "surrogates": b'["' + b"\\ud800" * (MIB // 6) + b'"]',
    "zeros": b"\0" * MIB,
    "high bytes": b"\xff" * MIB,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_are_refused(text: bytes) -> None:
    assert refused(text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_refusal_quotes_nothing_and_keeps_nothing(text: bytes) -> None:
    result = sw.try_decode_message(text)
    assert isinstance(result, sw.InvalidMessageError)
    assert result.code == "invalid_json"
    assert len(str(result)) < 200
    assert result.__cause__ is None
    assert result.__context__ is None


NUMBERS = {
    "5000 digits": b"9" * 5000,
    "a million digits": b"9" * MIB,
    "a million decimals": b"0." + b"1" * MIB,
    "1e400": b"1e400",
    "-1e400": b"-1e400",
    "long exponent": b"1e" + b"9" * 5000,
    "long negative exponent": b"1e-" + b"9" * 5000,
}


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS.keys())
def test_any_number_is_fine_under_an_unknown_name_and_no_size(number: bytes) -> None:
    text = data().replace(b'"v": 1', b'"v": 1, "x": ' + number)
    assert sw.decode_message(text).id == "hook_1"
    result = sw.try_decode_message(data().replace(b'"size": 15', b'"size": ' + number))
    assert isinstance(result, sw.InvalidMessageError)
    assert result.code in ("invalid_field", "size_mismatch")


INTEGERS = {"1.0": 1, "1e3": 1000, "-0": 0, "1.0000000000000000001": 1, "1e-400": 0, "9007199254740991.4": 2**53 - 1}


@pytest.mark.parametrize("number, expected", INTEGERS.items())
def test_an_integer_is_an_int_however_it_is_written(number: str, expected: int) -> None:
    text = data().replace(b'"received_at": 1737500000000', b'"received_at": ' + number.encode())
    received_at = sw.decode_message(text).received_at
    assert (received_at, type(received_at)) == (expected, int)


@pytest.mark.parametrize(
    "number", ["1.5", "9007199254740992", "9007199254740993", "1e400", "-9007199254740992", "true"]
)
def test_other_numbers_are_no_integers(number: str) -> None:
    result = sw.try_decode_message(
        data().replace(b'"received_at": 1737500000000', b'"received_at": ' + number.encode())
    )
    assert isinstance(result, sw.InvalidMessageError)
    assert (result.code, result.field) == ("invalid_field", "received_at")


def test_python_s_own_json_extensions_are_refused() -> None:
    for text in (b"NaN", b"Infinity", b"-Infinity", b'["\t"]', b"[1,]", b"\x0b1", b"\xc2\xa01"):
        assert refused(text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"x": [], "deep": ' + b"[" * 60 + b"]" * 60 + b"}",
        b'{"x": [], "deep": ' + b'{"a":' * 60 + b"1" + b"}" * 60 + b"}",
    ],
)
def test_a_caller_close_to_its_recursion_limit_gets_the_same_answer(text: bytes) -> None:
    message = data()[:-1] + b", " + text[1:]
    frames_left = 30

    def descend(depth: int) -> sw.Message | sw.InvalidMessageError:
        return sw.try_decode_message(message) if depth == 0 else descend(depth - 1)

    here = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        here, frame = here + 1, frame.f_back
    result = descend(sys.getrecursionlimit() - here - frames_left)
    assert isinstance(result, sw.Message)
    assert result == sw.decode_message(message)
