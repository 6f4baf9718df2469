"""Shapes of metadata that the vectors leave open."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from samples import hook

import sinkwire as sw

UNREADABLE: dict[str, Any] = {
    "SQS binary": {"DataType": "Binary", "BinaryValue": b"hook_1"},
    "SQS binary with a label": {"DataType": "Binary.x", "StringValue": "hook_1"},
    "SNS binary, which is base64": {"Type": "Binary", "Value": "aG9va18x"},
    "SQS without a text": {"DataType": "String"},
    "SQS attribute in a list": [{"DataType": "String", "StringValue": "hook_1"}],
    "some object": object(),
}


@pytest.mark.parametrize("value", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_no_text_is_unreadable_and_counts_as_absent(value: Any) -> None:
    metadata = sw.read_metadata({"ankusa_id": value})
    assert metadata.id is None
    assert metadata.problems == (sw.MetadataProblem("ankusa_id", "unreadable"),)


@pytest.mark.parametrize("kind", ["String", "Number", "String.Array"])
def test_text_attributes_are_read_whatever_their_type(kind: str) -> None:
    for value in ({"DataType": kind, "StringValue": "1"}, {"Type": kind, "Value": "1"}):
        assert sw.read_metadata({"ankusa_id": value}).id == "1"


@pytest.mark.parametrize("container", [dict, list, tuple, iter], ids=lambda kind: kind.__name__)
def test_any_container_of_pairs(container: Any) -> None:
    pairs = sw.headers_set(hook())
    assert sw.read_metadata(container(pairs)) == sw.read_metadata(pairs)


def test_keys_are_of_anything_that_has_the_fields() -> None:
    row = SimpleNamespace(id="1", source_id="s", tenant_id=None, dedupe_key="d", replay_id="r", idempotency_key="")
    assert sw.idempotency_key(row, include_replay=True) == "default:s:d#replay:r"
    for nothing in (None, 5, {"id": "1"}):
        with pytest.raises(sw.InvalidHookError) as caught:
            sw.idempotency_key(nothing)  # type: ignore[arg-type]
        assert caught.value.field == "message"


class RaisingDict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError


class RaisingList(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError


class RaisingUserDict(UserDict[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise RuntimeError


class RaisingText(str):
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def isascii(self) -> bool:
        raise RuntimeError


class NoClass:
    @property
    def __class__(self) -> Any:
        raise RuntimeError

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise RuntimeError


def broken_off() -> Iterator[tuple[str, str]]:
    yield "ankusa_id", "hook_1"
    raise RuntimeError


def released() -> memoryview:
    view = memoryview(b"hook_1")
    view.release()
    return view


NOTHING = sw.read_metadata(None)


def test_a_container_that_raises_gives_what_it_gave_so_far() -> None:
    assert sw.read_metadata(broken_off()).id == "hook_1"
    for container in (RaisingDict(a="b"), RaisingList(["a"]), RaisingUserDict(ankusa_id="1"), NoClass()):
        assert sw.read_metadata(container) == NOTHING


@pytest.mark.parametrize(
    "value",
    [lambda: RaisingUserDict(DataType="a"), NoClass, released, lambda: [NoClass()]],
    ids=["mapping", "class", "view", "list"],
)
def test_a_value_that_raises_is_unreadable_and_the_rest_is_read(value: Any) -> None:
    metadata = sw.read_metadata([("ankusa_id", value()), ("traceparent", "00-aa")])
    assert (metadata.id, metadata.traceparent) == (None, "00-aa")
    assert sw.MetadataProblem("ankusa_id", "unreadable") in metadata.problems


def test_names_and_values_are_read_past_what_a_subclass_overrides() -> None:
    assert sw.read_metadata([(RaisingText("ankusa_id"), RaisingText("hook_1"))]).id == "hook_1"
    assert sw.read_metadata({"ankusa_id": RaisingList(["hook_1"])}).id == "hook_1"
    assert sw.read_metadata([RaisingList(["ankusa_id", "hook_1"])]).id == "hook_1"
