"""What the transports share."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from ..checks import check_text
from ..errors import InvalidHookError
from ..types import Hook, Pairs, PublishContext

MAX_ADDRESS_BYTES: Final = 255
"""The longest configured address, in bytes."""


def utf8_size(text: str) -> int:
    """Bytes of a text on the wire."""
    return len(text) if text.isascii() else len(text.encode())


def digest_form(text: str) -> str:
    """What stands for a key that a broker cannot carry."""
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def tenant_and_source(hook: Hook) -> str:
    """The key of a hook without one of its own."""
    return f"{hook.tenant_id or ''}/{hook.source_id}"


def ordering_key_of(context: PublishContext | None) -> str:
    """The ordering key, `""` without one."""
    return (context.ordering_key if context else None) or ""


def replay_id_of(context: PublishContext | None) -> str:
    """The replay id, `""` for what is no replay."""
    return (context.replay_id if context else None) or ""


def check_address(value: object, field: str) -> str:
    """Give a configured address back: text of at most 255 bytes."""
    address = check_text(value, field, required=True)
    if utf8_size(address) > MAX_ADDRESS_BYTES:
        raise InvalidHookError(field, f"it takes more than {MAX_ADDRESS_BYTES} bytes")
    return address


def pairs_size(pairs: Pairs, each: int) -> int:
    """Bytes of names and values, and `each` more a pair."""
    return sum(utf8_size(name) + utf8_size(value) + each for name, value in pairs)
