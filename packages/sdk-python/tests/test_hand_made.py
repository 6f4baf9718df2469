"""Hooks and messages made by hand: what is written decodes, and what is refused is refused by an error of ours."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from enum import Enum, IntEnum
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import REF, data, hook

import sinkwire as sw

MESSAGE = sw.decode_message(data())
DIGEST = sha256(b"ab").hexdigest()
IN_CLAIM: dict[str, Any] = {"body": None, "claim": REF, "sha256": DIGEST}
TEXTS = [
    "id", "source_id", "tenant_id", "content_type", "dedupe_key", "replay_id", "idempotency_key", "traceparent",
    "tracestate", "instance", "region", "ordering_key",
]  # fmt: skip


class RaisingMapping(Mapping[str, str]):
    def __getitem__(self, key: str) -> str:
        raise RuntimeError

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


class RaisingText(str):
    __slots__ = ()

    def _raise(self, *given: object) -> Any:
        raise RuntimeError

    __eq__ = __ne__ = __len__ = __iter__ = __str__ = __format__ = __hash__ = _raise
    isascii = translate = startswith = rstrip = _raise
    encode = split = _raise  # type: ignore[assignment]


class LyingBytes(bytes):
    def __len__(self) -> int:
        return 7

    def __bytes__(self) -> bytes:
        return b"other"

    def __iter__(self) -> Iterator[int]:
        raise RuntimeError


class LyingBytearray(bytearray):
    def __len__(self) -> int:
        return 7

    def __bytes__(self) -> bytes:
        return b"other"


class LyingInt(int):
    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __str__(self) -> str:
        return "no number"

    __hash__ = int.__hash__
    __repr__ = __format__ = __index__ = __int__ = __abs__ = __lt__ = __str__  # type: ignore[assignment]


class LyingFloat(float):
    def is_integer(self) -> bool:
        raise RuntimeError

    def __int__(self) -> int:
        raise RuntimeError


class LyingList(list[Any]):
    def __len__(self) -> int:
        raise RuntimeError

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError


class Name(str, Enum):
    ACME = "acme"


class Count(IntEnum):
    ONE = 1


def released() -> memoryview:
    view = memoryview(b"ab")
    view.release()
    return view


def refusal(message: Any) -> tuple[str, str | None]:
    with pytest.raises(sw.InvalidMessageError) as caught:
        sw.serialize_message(message)
    assert not caught.value.retryable
    return caught.value.code, caught.value.field


REFUSED: dict[str, tuple[dict[str, Any], str, str | None]] = {
    "version": ({"v": 3}, "unsupported_version", None),
    "version true": ({"v": True}, "unsupported_version", None),
    "version 1.5": ({"v": 1.5}, "unsupported_version", None),
    "empty id": ({"id": ""}, "invalid_field", "id"),
    "nan": ({"received_at": float("nan")}, "invalid_field", "received_at"),
    "infinite": ({"received_at": float("inf")}, "invalid_field", "received_at"),
    "2**53": ({"received_at": 2**53}, "invalid_field", "received_at"),
    "time in text": ({"received_at": "1"}, "invalid_field", "received_at"),
    "negative size": ({"size": -1}, "invalid_field", "size"),
    "size true": ({"size": True}, "invalid_field", "size"),
    "another size": ({"size": 3}, "size_mismatch", None),
    "a size that lies": ({"size": LyingInt(3)}, "size_mismatch", None),
    "foreign digest": ({"sha256": "0" * 64}, "integrity", None),
    "digest in uppercase": ({"sha256": "A" * 64}, "invalid_field", "sha256"),
    "digest in bytes": ({"sha256": b"0" * 64}, "invalid_field", "sha256"),
    "claim without digest": ({**IN_CLAIM, "sha256": None}, "invalid_field", "sha256"),
    "claim of another tenant": ({**IN_CLAIM, "tenant_id": "other"}, "tenant_mismatch", None),
    "claim of an empty tenant": ({**IN_CLAIM, "tenant_id": ""}, "tenant_mismatch", None),
    "claim that is none": ({**IN_CLAIM, "claim": "x"}, "invalid_field", "claim"),
    "claim that is no text": ({**IN_CLAIM, "claim": 5}, "invalid_field", "claim"),
    "claim with a surrogate": ({**IN_CLAIM, "claim": "\ud800"}, "invalid_field", "claim"),
    "no body": ({"body": None}, "missing_body", None),
    "body in text": ({"body": "ab"}, "missing_body", None),
    "body in numbers": ({"body": [1]}, "missing_body", None),
    "body released": ({"body": released()}, "missing_body", None),
    "two bodies": ({"claim": REF}, "ambiguous_body", None),
    "two bodies, none usable": ({"claim": 5, "body": 5}, "ambiguous_body", None),
    "headers in a list": ({"headers": [("a", "b")]}, "invalid_field", "headers"),
    "headers in text": ({"headers": "a"}, "invalid_field", "headers"),
    "header name in bytes": ({"headers": {b"a": "b"}}, "invalid_field", "headers"),
    "header name a number": ({"headers": {1: "b"}}, "invalid_field", "headers"),
    "header name none": ({"headers": {None: "b"}}, "invalid_field", "headers"),
    "header names mixed": ({"headers": {"a": "b", 1: "b"}}, "invalid_field", "headers"),
    "header value none": ({"headers": {"a": None}}, "invalid_field", "headers"),
    "headers that raise": ({"headers": RaisingMapping()}, "invalid_field", "headers"),
    "surrogate in a header": ({"headers": {"\udfff": ""}}, "invalid_field", "headers"),
    "surrogate in a header's value": ({"headers": {"a": "\udfff"}}, "invalid_field", "headers"),
    "verification in a dict": ({"verification": {"status": "ok", "flagged": True}}, "invalid_field", "verification"),
    "empty verification": ({"verification": {}}, "invalid_field", "verification"),
    "verification false": ({"verification": False}, "invalid_field", "verification"),
    "flagged 1": ({"verification": sw.Verification("ok", 1)}, "invalid_field", "verification"),  # type: ignore[arg-type]
    "status": ({"verification": sw.Verification("no", True)}, "invalid_field", "verification"),  # type: ignore[arg-type]
    "status unhashable": ({"verification": sw.Verification([], True)}, "invalid_field", "verification"),  # type: ignore[arg-type]
    "fields before the body": ({"size": 3, "region": 5, "body": 5}, "invalid_field", "region"),
}


@pytest.mark.parametrize("changed, code, field", REFUSED.values(), ids=REFUSED.keys())
def test_serialize_refuses_what_no_decoder_gives(changed: dict[str, Any], code: str, field: str | None) -> None:
    assert refusal(dataclasses.replace(MESSAGE, **changed)) == (code, field)


@pytest.mark.parametrize("value", ["\ud800", 5, b"a", ["a"]], ids=repr)
@pytest.mark.parametrize("name", TEXTS)
def test_serialize_refuses_a_text_that_is_none(name: str, value: Any) -> None:
    assert refusal(dataclasses.replace(MESSAGE, **{name: value})) == ("invalid_field", name)


@pytest.mark.parametrize("value", [None, 5, "x", {}, data()], ids=type)
def test_serialize_refuses_what_is_no_message(value: Any) -> None:
    assert refusal(value) == ("not_an_object", None)


SAME: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "floats": ({"v": 1.0, "received_at": 1e3, "size": 15.0}, {"v": 1, "received_at": 1000}),
    "minus zero": ({"received_at": -0.0}, {"received_at": 0}),
    "integers of a subclass": ({"v": Count.ONE, "received_at": LyingInt(5)}, {"v": 1, "received_at": 5}),
    "floats of a subclass": ({"received_at": LyingFloat(5)}, {"received_at": 5}),
    "texts of a subclass": ({name: RaisingText("a") for name in TEXTS}, dict.fromkeys(TEXTS, "a")),
    "an enumeration of texts": ({"tenant_id": Name.ACME}, {"tenant_id": "acme"}),
    "bytes of a subclass": ({"body": LyingBytes(MESSAGE.body or b"")}, {}),
    "bytearray of a subclass": ({"body": LyingBytearray(MESSAGE.body or b"")}, {}),
    "a view": ({"body": memoryview(MESSAGE.body or b"")}, {}),
    "a claim of a subclass": (
        {**IN_CLAIM, "claim": RaisingText(REF), "sha256": RaisingText(DIGEST)},
        {**IN_CLAIM, "claim": REF},
    ),
    "no headers": ({"headers": None}, {"headers": {}}),
    "no digest": ({"sha256": None}, {"sha256": None}),
    "a proxy": ({"headers": MappingProxyType({"b": "1", "a": "2"})}, {"headers": {"a": "2", "b": "1"}}),
    "headers of a subclass": ({"headers": {"a": RaisingText("b")}}, {"headers": {"a": "b"}}),
    "a status of a subclass": (
        {"verification": sw.Verification(RaisingText("ok"), True)},  # type: ignore[arg-type]
        {"verification": sw.Verification("ok", True)},
    ),
}


@pytest.mark.parametrize("changed, plain", SAME.values(), ids=SAME.keys())
def test_serialize_writes_plain_values(changed: dict[str, Any], plain: dict[str, Any]) -> None:
    written = sw.serialize_message(dataclasses.replace(MESSAGE, **changed))
    expected = dataclasses.replace(MESSAGE, **plain)
    assert sw.decode_message(written) == expected
    assert written == sw.serialize_message(expected)


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 3), st.floats(), st.text(max_size=2), st.binary(max_size=2),
    st.sampled_from([15, "acme", "other", REF, MESSAGE.sha256, DIGEST, MESSAGE.body]),
    st.builds(released), st.builds(LyingBytes, st.just(b"ab")), st.lists(st.text(max_size=1), max_size=2),
    st.dictionaries(st.text(max_size=1) | st.integers(), st.text(max_size=1)),
    st.builds(sw.Verification, st.sampled_from(["ok", "no", 5]), st.sampled_from([True, 1, None])),
)  # fmt: skip


@given(st.dictionaries(st.sampled_from([field.name for field in dataclasses.fields(sw.Message)]), ANYTHING, max_size=4))
def test_whatever_serializes_decodes_and_the_rest_is_refused_by_an_error_of_ours(changed: dict[str, Any]) -> None:
    try:
        written = sw.serialize_message(dataclasses.replace(MESSAGE, **changed))
    except sw.InvalidMessageError:
        return
    assert sw.serialize_message(sw.decode_message(written)) == written


@given(st.dictionaries(st.sampled_from([field.name for field in dataclasses.fields(sw.Hook)]), ANYTHING, max_size=3))
def test_whatever_encodes_decodes_and_the_rest_is_refused_by_an_error_of_ours(changed: dict[str, Any]) -> None:
    try:
        written = sw.encode_message(hook(**changed)).data
    except sw.InvalidHookError:
        return
    assert sw.serialize_message(sw.decode_message(written)) == written


HOOKS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "float": ({"received_at": 1.0}, {"received_at": 1}),
    "integer of a subclass": ({"received_at": LyingInt(5)}, {"received_at": 5}),
    "texts": (
        {name: RaisingText("a") for name in ("id", "source_id", "tenant_id", "content_type", "dedupe_key")},
        dict.fromkeys(("id", "source_id", "tenant_id", "content_type", "dedupe_key"), "a"),
    ),
    "enumeration": ({"tenant_id": Name.ACME}, {"tenant_id": "acme"}),
    "bytes": ({"body": LyingBytes(b"ab")}, {"body": b"ab"}),
    "bytearray": ({"body": LyingBytearray(b"ab")}, {"body": b"ab"}),
    "headers": (
        {"headers": LyingList([LyingList([RaisingText("A"), RaisingText("b")])])},
        {"headers": [("A", "b")]},
    ),
    "status": (
        {"verification": sw.Verification(RaisingText("ok"), True)},  # type: ignore[arg-type]
        {"verification": sw.Verification("ok", True)},
    ),
}
MAPPINGS: dict[str, Any] = {
    "encode": sw.encode_message,
    "kafka": sw.kafka_record,
    "nats": lambda *given: sw.nats_message(*given, subject=RaisingText("hooks")),
    "rabbitmq": lambda *given: sw.amqp_publish(*given, exchange=RaisingText("hooks")),
    "redis": sw.redis_publish,
    "sqs": lambda *given: sw.sqs_entry(*given, queue_url=RaisingText("hooks.fifo"), reserved_attributes=Count.ONE),
    "pubsub": sw.pubsub_message,
}


@pytest.mark.parametrize("mapping", MAPPINGS.values(), ids=MAPPINGS.keys())
@pytest.mark.parametrize("changed, plain", HOOKS.values(), ids=HOOKS.keys())
def test_a_hook_is_read_past_what_a_subclass_overrides(changed: Any, plain: Any, mapping: Any) -> None:
    context = sw.PublishContext(ordering_key=RaisingText("k"), forward=LyingList(["a"]), max_headers=1.0)  # type: ignore[arg-type]
    same = sw.PublishContext(ordering_key="k", forward=["a"], max_headers=1)
    limits = sw.SizeLimits(max_bytes=LyingInt(5000))
    assert mapping(hook(**changed), context, limits) == mapping(hook(**plain), same, sw.SizeLimits(max_bytes=5000))


def test_a_claim_and_keys_are_read_past_what_a_subclass_overrides() -> None:
    limits, body = sw.SizeLimits(inline_max_bytes=0), b"ab"
    subclass = sw.encode_message(hook(body=body), None, limits, sw.Claim(RaisingText(REF), RaisingText(DIGEST)))
    assert subclass == sw.encode_message(hook(body=body), None, limits, sw.Claim(REF, DIGEST))
    assert sw.delivery_id(RaisingText("a"), RaisingText("b")) == "a:replay:b"
    assert sw.idempotency_key(dataclasses.replace(MESSAGE, idempotency_key=RaisingText("key"))) == "key"
    assert sw.forward_headers([("A", "b")], forward=RaisingText("default")).headers == (("a", "b"),)
    assert sw.decode_message(RaisingText(data().decode())) == sw.decode_message(LyingBytes(data())) == MESSAGE


BAD_HOOKS: dict[str, tuple[dict[str, Any], str]] = {
    "released": ({"body": released()}, "body_base64"),
    "time true": ({"received_at": True}, "received_at"),
    "time 1.5": ({"received_at": 1.5}, "received_at"),
    "time nan": ({"received_at": float("nan")}, "received_at"),
    "time 2.0**53": ({"received_at": 2.0**53}, "received_at"),
    "verification in a dict": ({"verification": {"status": "ok", "flagged": True}}, "verification"),
    "header name in bytes": ({"headers": [(b"a", "b")]}, "headers"),
    "headers in a dict": ({"headers": {"a": "b"}}, "headers"),
}


@pytest.mark.parametrize("mapping", MAPPINGS.values(), ids=MAPPINGS.keys())
@pytest.mark.parametrize("changed, field", BAD_HOOKS.values(), ids=BAD_HOOKS.keys())
def test_a_hook_that_cannot_be_used_is_refused(changed: dict[str, Any], field: str, mapping: Any) -> None:
    with pytest.raises(sw.InvalidHookError) as caught:
        mapping(hook(**changed))
    assert caught.value.field == field


@pytest.mark.parametrize("option", [{"overhead": 5}, {"overhead": lambda *_: "5"}, {"default_max_bytes": "5"}], ids=str)
def test_an_option_of_encode_that_cannot_be_used_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(sw.InvalidHookError) as caught:
        sw.encode_message(hook(), **option)
    assert caught.value.field in option
