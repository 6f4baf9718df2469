"""Reading takes little memory whatever the text, and reads the same in both of its ways."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import tracemalloc
from base64 import b64decode
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import data, wire
from vectors import load

import sinkwire as sw
from sinkwire import decode
from sinkwire.json_skim import skim_json
from sinkwire.json_text import MAX_DEPTH, JsonTextError, is_cheap, parse_json
from sinkwire.packed_texts import PackedTexts

MIB = 1024 * 1024
PROMISED_MULTIPLE = 8
"""As the README says."""


def filled(unit: bytes) -> bytes:
    return unit * (MIB // len(unit))


def array(unit: bytes) -> bytes:
    return b"[" + filled(unit + b",") + b"0]"


def members(member: str) -> bytes:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    names = map("".join, itertools.product(letters, repeat=4))
    return b"{" + ",".join(member % name for name in itertools.islice(names, MIB // len(member))).encode() + b"}"


def under(name: str, value: bytes) -> bytes:
    return json.dumps({**wire(), name: "HERE"}).encode().replace(b'"HERE"', value)


ASTRAL = "\u0416\U0001f600"
SHAPES: dict[str, Callable[[], bytes]] = {
    "arrays": lambda: array(b"[]"),
    "arrays under a known name": lambda: under("id", array(b"[]")),
    "arrays in the verification": lambda: under(
        "verification", b'{"status":"ok","flagged":true,"x":%b}' % array(b"[]")
    ),
    "arrays in the headers": lambda: under("headers", b'{"a":%b}' % array(b"[]")),
    "deep arrays": lambda: under("x", array(b"[" * 60 + b"]" * 60)),
    "mixed arrays": lambda: under("x", array(b"[1,[1,2],2]")),
    "objects": lambda: under("x", array(b"{}")),
    "objects of one member": lambda: under("x", array(b'{"a":1}')),
    "objects of two members": lambda: under("x", array(b'{"a":1,"b":2}')),
    "objects in objects": lambda: under("x", array(b'{"":{"":{"":{"":{"":[]}}}}}')),
    "numbers": lambda: under("x", array(b"1.5")),
    "texts": lambda: under("x", array(b'"ab"')),
    "a long number": lambda: under("size", b"1" * MIB),
    "escapes": lambda: under("id", b'"%b"' % filled(b"\\u0000")),
    "escapes in a name": lambda: b'{"%b":0}' % filled(b"\\n"),
    "pairs of escapes": lambda: under("id", b'"%b"' % filled(b"\\ud83d\\ude00")),
    "characters of 4 bytes": lambda: under("id", b'"%b"' % filled("\U0001f600".encode())),
    "one character of 4 bytes": lambda: under("id", b'"%b"' % (filled(b"a") + ASTRAL.encode())),
    "one escaped of 4 bytes": lambda: under("id", b'"%b"' % (filled(b"a") + json.dumps(ASTRAL)[1:-1].encode())),
    "a body with one of 4 bytes": lambda: under("body_base64", b'"%b"' % (filled(b"A") + ASTRAL.encode())),
    "a body": lambda: under("body_base64", b'"%b"' % filled(b"A")),
    "names": lambda: members('"%s":0'),
    "names of arrays": lambda: under("x", members('"%s":[[]]')),
    "escaped names": lambda: under("x", members('"\\n%s":0')),
    "headers": lambda: under("headers", members('"%s":""')),
    "headers of texts": lambda: under("headers", members('"%s":"ab"')),
    "white space": lambda: filled(b" ") + b"[]",
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_memory_is_a_small_multiple_of_the_input(shape: Callable[[], bytes]) -> None:
    text = shape()
    tracemalloc.start()
    try:
        sw.try_decode_message(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < PROMISED_MULTIPLE * len(text)


def test_an_envelope_of_which_little_is_read_takes_little_memory() -> None:
    envelope = json.dumps({"Type": "Notification", "Message": data().decode(), "MessageAttributes": "HERE"})
    attributes = b'{"ankusa_id":{"Type":"String","Value":"hook_1","x":%b},"y":{}}' % array(b"[]")
    text = envelope.encode().replace(b'"HERE"', attributes).decode()
    tracemalloc.start()
    try:
        read = sw.read_sqs({"Body": text}, unwrap_sns=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(read, sw.MessageRead)
    assert read.metadata.id == "hook_1"
    assert peak < PROMISED_MULTIPLE * len(text)


def outcome(read: Callable[[bytes], object], text: bytes) -> object:
    try:
        result = decode._message(read(text))
    except JsonTextError:
        return "invalid_json"
    return result if isinstance(result, sw.Message) else (result.code, result.field)


def skim(text: bytes) -> object:
    return skim_json(text, decode._SHAPE)


def assert_same(text: bytes) -> None:
    assert outcome(skim, text) == outcome(parse_json, text)


CASES = [case for case in load(("message",)) if case["operation"] == "decode_message"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_both_ways_read_every_vector_alike(case: dict[str, dict[str, str]]) -> None:
    assert_same(b64decode(case["input"]["bytes_base64"]))


VALID = data(x={"a": [1, [], {}, {"b": None, "c": ["\n", {"d": {}}]}], "e": "\u00e9\U0001f600"})
TOKENS = [
    *(bytes([byte]) for byte in b'"\\{}[],:1-. \n\t\0\xff'),
    *(b"[]", b"{}", b"null", b"true", b"1e5", b"01", b"NaN", b"\xed\xa0\x80", b"\xc3\xa9", b'"a":1,', b'"\\u0061":1,'),
    *(b"\\ud800", b"\\udc00", b"\\ud83d\\ude00", b"\\x", b'{"a":1,"a":2}', b'{"a":1,"b":{"c":[]}},', b'"id":"x",'),
    *(b"[1,[[2]],]", b"[" * 62, b"]" * 62, b"[" * 31 + b"]" * 31, b'{"x":' * 62 + b"1" + b"}" * 62),
]
STRUCTURE = [at for at, byte in enumerate(VALID) if byte in b'{}[],:"']


@settings(max_examples=1000)
@given(
    st.lists(
        st.tuples(st.sampled_from(STRUCTURE), st.integers(-1, 1), st.integers(0, 6), st.sampled_from(TOKENS)),
        min_size=1,
        max_size=4,
    )
)
def test_both_ways_read_a_mutated_message_alike(edits: list[tuple[int, int, int, bytes]]) -> None:
    text = VALID
    for near, offset, cut, token in edits:
        at = max(0, near + offset)
        text = text[:at] + token + text[at + cut :]
    assert_same(text)


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(TOKENS), max_size=10))
def test_both_ways_read_any_tokens_alike(tokens: list[bytes]) -> None:
    assert_same(b"".join(tokens))
    assert_same(b"[%b]" % b"".join(tokens))


LEAVES = st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5)


@given(
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.sampled_from("abcdefghijkl"), inner),
        max_leaves=60,
    ),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_both_ways_accept_any_json(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps({**wire(), "x": value}, indent=indent, ensure_ascii=ascii_only)
    if "Infinity" not in text:
        assert_same(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "inner", [b"[]", b"{}", b"1", b'{"a":1}', b'{"a":[]}', b"[[[]]]", b'{"a":1,"b":{}}', b"1,2,[]"]
)
@pytest.mark.parametrize("opener, closer", [(b"[", b"]"), (b'{"a":', b"}"), (b'{"a":0,"b":', b"}")])
def test_both_ways_find_the_deepest_level_alike(opener: bytes, closer: bytes, inner: bytes) -> None:
    for depth in range(MAX_DEPTH - 4, MAX_DEPTH + 2):
        assert_same(opener * depth + inner + closer * depth)


@pytest.mark.parametrize("between", [0, 100, 5_000])
@pytest.mark.parametrize("twice", ['"same":1', '"s\\u0061me":1', '"same":[[],{"x":{}}]'])
def test_a_name_is_found_twice_however_far_apart(between: int, twice: str) -> None:
    others = ",".join(f'"n{number}":[]' for number in range(between)) or '"n":0'
    for text in (f'{{"same":1,{others},{twice}}}', f'{{"id":"x","x":[{{"same":1,{others},{twice}}}]}}'):
        with pytest.raises(JsonTextError, match="twice"):
            skim(text.encode())
        skim(text.replace('"same":1', '"other":1', 1).encode())


HEADERS = {f"n{number}": f"\u00e9\n{number}" for number in range(20_000)}


def test_very_many_headers_are_read_and_written_like_a_few() -> None:
    text = data(headers=HEADERS)
    assert not is_cheap(text)
    message = sw.decode_message(text)
    headers = message.headers
    assert isinstance(headers, PackedTexts)
    assert (len(headers), dict(headers)) == (len(HEADERS), HEADERS)
    assert headers == HEADERS
    assert headers["n7"] == HEADERS["n7"]
    assert headers.get("N7") is headers.get("\ud800") is None
    assert "\ud800" not in headers
    assert copy.deepcopy(message) == pickle.loads(pickle.dumps(message)) == message
    assert sw.decode_message(sw.serialize_message(message)) == message


@pytest.mark.parametrize("value", [None, 1, [], {}, {"a": ""}])
def test_very_many_headers_are_texts(value: object) -> None:
    result = sw.try_decode_message(data(headers={**HEADERS, "last": value}))
    assert isinstance(result, sw.InvalidMessageError)
    assert (result.code, result.field) == ("invalid_field", "headers")
