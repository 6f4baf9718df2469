"""What the transports share."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from ..checks import check_text
from ..errors import InvalidHookError
from ..types import Hook, Pairs

NO_BODY: Final = object()
"""Stands for the body of what is no record, which `read_delivery` refuses."""

MAX_ADDRESS_BYTES: Final = 255
"""The longest configured address, in bytes."""


def part_of(record: object, name: str, default: object = None) -> object:
    """Give an attribute of a client's record, called where it is a method; the default where it cannot be had."""
    try:
        part = getattr(record, name)
        return part() if callable(part) else part
    except Exception:  # whatever a record of others raises
        return default


def member_of(record: object, *names: str | bytes) -> object:
    """Give the first member that is there and not None; None where all that are there are, else `NO_BODY`."""
    found: object = NO_BODY
    try:
        if isinstance(record, Mapping):
            for name in names:
                value = record.get(name, NO_BODY)
                if value is not None and value is not NO_BODY:
                    return value
                found = found if value is NO_BODY else None
    except Exception:  # whatever a record of others raises
        return NO_BODY
    return found


def utf8_size(text: str) -> int:
    """Bytes of a text on the wire."""
    return len(text) if text.isascii() else len(text.encode())


def digest_form(text: str) -> str:
    """What stands for a key that a broker cannot carry."""
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def tenant_and_source(hook: Hook) -> str:
    """The key of a hook without one of its own."""
    return f"{hook.tenant_id or ''}/{hook.source_id}"


def check_address(value: object, field: str) -> str:
    """Give a configured address back: text of at most 255 bytes."""
    address = check_text(value, field, required=True)
    if utf8_size(address) > MAX_ADDRESS_BYTES:
        raise InvalidHookError(field, f"it takes more than {MAX_ADDRESS_BYTES} bytes")
    return address


def pairs_size(pairs: Pairs, each: int) -> int:
    """Bytes of names and values, and `each` more a pair."""
    return sum(utf8_size(name) + utf8_size(value) + each for name, value in pairs)
