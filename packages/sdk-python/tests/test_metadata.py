"""Shapes of metadata that the vectors leave open."""

from __future__ import annotations

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
