"""Values of the built-in types, past whatever a subclass overrides: what was checked is what is written."""

from __future__ import annotations

from typing import Any

from .types import MAX_SAFE_INTEGER


def plain_text(value: Any) -> str | None:
    """The str that a value is, or None for anything else."""
    kind = type(value)
    if kind is str:
        return str(value)
    return str.__str__(value) if issubclass(kind, str) else None


def plain_bytes(value: Any) -> bytes | None:
    """The bytes that a value holds, or None for anything else, a released memoryview too. What can change is copied."""
    kind = type(value)
    if issubclass(kind, bytes):
        return bytes.__getitem__(value, slice(None))
    if kind is bytearray or kind is memoryview:
        try:
            return bytes(value)
        except ValueError:
            return None
    return bytes(bytearray.__getitem__(value, slice(None))) if issubclass(kind, bytearray) else None


def plain_list(value: Any) -> list[Any] | tuple[Any, ...] | None:
    """The list or tuple that a value is, or None for anything else."""
    kind = type(value)
    if issubclass(kind, list):
        return list.__getitem__(value, slice(None))
    return tuple.__getitem__(value, slice(None)) if issubclass(kind, tuple) else None


def plain_integer(value: Any) -> int | None:
    """The integer that a number is: one whose nearest double is integral and at most 2**53 - 1 in magnitude."""
    kind = type(value)
    if issubclass(kind, float):
        number = float.__float__(value)
        integer = int(number) if number.is_integer() else None
    elif issubclass(kind, int) and kind is not bool:
        integer = int.__int__(value)
    else:
        return None
    return integer if integer is not None and abs(integer) <= MAX_SAFE_INTEGER else None
