"""What holds for any input."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from samples import data, hook

import sinkwire as sw
from sinkwire.base64_text import decode_base64
from sinkwire.json_text import JsonTextError, parse_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ANY_TEXT = st.text(max_size=20)
MAYBE = st.none() | TEXT
INTEGER = st.integers(1 - 2**53, 2**53 - 1)
HEADERS = st.lists(
    st.tuples(TEXT, TEXT) | st.tuples(st.sampled_from(["X-A", "x-a", "Cookie", "X-Ankusa-B"]), TEXT), max_size=8
)
HOOKS = st.builds(
    sw.Hook,
    id=TEXT.filter(bool),
    source_id=TEXT,
    tenant_id=st.none() | st.just("acme") | TEXT,
    received_at=INTEGER,
    content_type=MAYBE,
    body=st.binary(max_size=300),
    dedupe_key=MAYBE,
    headers=HEADERS,
    verification=st.none() | st.builds(sw.Verification, st.sampled_from(["ok", "failed", "skipped"]), st.booleans()),
    traceparent=MAYBE,
    tracestate=MAYBE,
)
CONTEXTS = st.builds(
    sw.PublishContext,
    instance=MAYBE,
    region=MAYBE,
    replay_id=MAYBE,
    ordering_key=MAYBE,
    forward=st.none() | st.just("default") | st.lists(TEXT, max_size=3),
    max_headers=st.none() | st.integers(0, 4),
    max_header_bytes=st.none() | st.integers(0, 60),
)
LIMITS = st.builds(sw.SizeLimits, inline_max_bytes=st.integers(0, 400), max_bytes=st.integers(0, 1200))


@given(HOOKS, CONTEXTS)
def test_whatever_encodes_decodes_and_serializes_to_the_same_bytes(hook: sw.Hook, context: sw.PublishContext) -> None:
    encoded = sw.encode_message(hook, context)
    message = sw.decode_message(encoded.data)
    assert sw.serialize_message(message) == encoded.data
    assert message.body == hook.body
    assert (message.id, message.received_at, message.tenant_id) == (hook.id, hook.received_at, hook.tenant_id)


@given(HOOKS, CONTEXTS, LIMITS)
def test_plan_agrees_with_encode(hook: sw.Hook, context: sw.PublishContext, limits: sw.SizeLimits) -> None:
    plan = sw.plan_message(hook, context, limits)
    ref = f"urn:ankusa:claim:v1:{hook.tenant_id or 'acme'}:01M39VMD8RA3C5HR4RBV67Y002"
    try:
        form: str = sw.encode_message(hook, context, limits, sw.Claim(ref, sha256(hook.body).hexdigest())).form
    except sw.MessageTooLargeError:
        form = "too_large"
    except sw.ClaimError as error:
        assert error.code in ("invalid_claim_ref", "tenant_mismatch")
        assert plan in ("claim", "too_large")
        return
    assert form == plan or (not hook.tenant_id and {form, plan} == {"claim", "too_large"})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | st.binary(), st.lists, max_leaves=5
    )
)
def test_metadata_of_any_shape_is_read(value: Any) -> None:
    metadata = sw.read_metadata([("ankusa_id", value), ("traceparent", value)])
    assert metadata.id is None or metadata.id.encode()


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_a_decoder_gives_a_message_or_its_own_error(noise: bytes | str) -> None:
    assert isinstance(sw.try_decode_message(noise), (sw.Message, sw.InvalidMessageError))


VALID = data()


@settings(max_examples=400)
@given(st.data())
def test_a_mutated_message_is_decoded_or_refused_as_the_standard_parser_would(draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(VALID)))
    cut = draw.draw(st.integers(0, 6))
    inserted = draw.draw(
        st.sampled_from([b"", b'"', b"\\", b"{", b"}", b"[", b",", b":", b"1", b"null", b"\xff", b" ", b"\\ud800"])
    )
    text = VALID[:at] + inserted + VALID[at + cut :]
    result = sw.try_decode_message(text)
    try:
        json.loads(text)
    except ValueError:
        assert isinstance(result, sw.InvalidMessageError)
        assert result.code == "invalid_json"
    if isinstance(result, sw.Message):
        assert sw.decode_message(sw.serialize_message(result)) == result


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_json_parses_as_by_the_standard_parser(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert parse_json(text.encode()) == json.loads(text)


@given(ANY_TEXT)
def test_a_lone_surrogate_is_found_however_it_is_written(text: str) -> None:
    written = json.dumps([text]).encode()
    lone = any(0xD800 <= ord(character) < 0xE000 for character in json.loads(written)[0])
    try:
        parse_json(written)
    except JsonTextError:
        assert lone
    else:
        assert not lone


@given(st.text("ABwxz019+/=-_\n ", max_size=12) | st.binary(max_size=9).map(lambda body: b64encode(body).decode()))
def test_base64_is_canonical_or_refused(text: str) -> None:
    decoded = decode_base64(text)
    try:
        strict: bytes | None = b64decode(text, validate=True)
    except ValueError:
        strict = None
    canonical = strict is not None and b64encode(strict).decode() == text
    assert decoded == (strict if canonical else None)


@given(HEADERS, st.integers(0, 5), st.integers(0, 80))
def test_caps_of_headers_hold(headers: list[tuple[str, str]], most: int, most_bytes: int) -> None:
    result = sw.forward_headers(headers, max_headers=most, max_header_bytes=most_bytes)
    everything = sw.forward_headers(headers)
    assert len(result.headers) <= most
    assert sum(len(name.encode()) + len(value.encode()) for name, value in result.headers) <= most_bytes
    assert len(result.headers) + result.dropped.count + result.dropped.bytes == len(everything.headers)
    assert [pair for pair in everything.headers if pair in result.headers] == list(result.headers)
    assert not {"cookie", "x-ankusa-b"} & dict(result.headers).keys()


def test_the_sample_is_a_message() -> None:
    assert sw.decode_message(VALID).body == hook().body
