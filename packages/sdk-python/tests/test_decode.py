"""What vectors cannot say about a decoder: its types, its options, its memory."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from samples import data, hook

import sinkwire as sw


@pytest.mark.parametrize(
    "kind", [bytes, bytearray, memoryview, bytes.decode], ids=["bytes", "bytearray", "view", "str"]
)
def test_takes_bytes_and_text(kind: Any) -> None:
    assert sw.decode_message(kind(data())) == sw.decode_message(data())


def test_takes_a_view_that_is_not_contiguous() -> None:
    spread = bytes(byte for pair in zip(data(), data(), strict=True) for byte in pair)
    assert sw.decode_message(memoryview(spread)[::2]).id == "hook_1"


def released() -> memoryview:
    view = memoryview(data())
    view.release()
    return view


@pytest.mark.parametrize("value", [None, 1, 1.5, [], {}, object(), "\ud800", released()], ids=repr)
def test_refuses_anything_else(value: Any) -> None:
    result = sw.try_decode_message(value)
    assert isinstance(result, sw.InvalidMessageError)
    assert result.code == "invalid_json"


def test_the_limit_counts_bytes_of_a_text_too() -> None:
    text = data(source_id="é").decode().replace("\\u00e9", "é")
    size = len(text.encode())
    assert size == len(text) + 1
    assert sw.decode_message(text, max_bytes=size).source_id == "é"
    for form in (text, text.encode()):
        with pytest.raises(sw.InvalidMessageError, match="larger"):
            sw.decode_message(form, max_bytes=size - 1)


def test_the_body_is_no_view_of_the_input() -> None:
    source = bytearray(data())
    message = sw.decode_message(source)
    source[:] = b"\0" * len(source)
    assert message.body == hook().body


def test_a_message_is_frozen_and_can_be_copied_pickled_and_hashed() -> None:
    message = sw.decode_message(data())
    with pytest.raises(dataclasses.FrozenInstanceError):
        message.id = "other"  # type: ignore[misc]
    assert copy.deepcopy(message) == pickle.loads(pickle.dumps(message)) == message
    assert len({message, copy.copy(message)}) == 1


def test_a_zero_byte_names_schema_registry_framing() -> None:
    with pytest.raises(sw.InvalidMessageError, match="schema registry"):
        sw.decode_message(b"\0\0\0\0\x01" + data())
