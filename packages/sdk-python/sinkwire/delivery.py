"""Reading a delivery: what a consumer got, as one of three kinds, never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .decode import try_decode_message
from .errors import InvalidHookError, InvalidMessageError, MetadataMismatchError
from .keys import idempotency_key
from .metadata import Metadata, read_metadata
from .plain import plain_bytes, plain_text
from .types import Message

MetadataMode = Literal["verify", "ignore"]
"""Whether metadata that contradicts the message refuses it."""


@dataclass(frozen=True, slots=True)
class MessageRead:
    """A message."""

    message: Message
    metadata: Metadata
    data: bytes | str
    """The original message, as it came."""


@dataclass(frozen=True, slots=True)
class TombstoneRead:
    """A delivery without a body."""

    metadata: Metadata


@dataclass(frozen=True, slots=True)
class InvalidRead:
    """A delivery that is no message and never will be one: reject it, do not retry it."""

    error: InvalidMessageError | MetadataMismatchError
    metadata: Metadata
    data: bytes | str
    """The original bytes, as they came; `b""` where there were none."""


Read = MessageRead | TombstoneRead | InvalidRead


def read_delivery(metadata: object, data: object, *, mode: MetadataMode | None = None) -> Read:
    """Read one delivery of any broker. No delivery makes it raise.

    Args:
        metadata: headers or attributes as the client gives them, see `read_metadata`.
        data: the message, bytes or text; None for a tombstone; anything else is invalid.
        mode: `"verify"` (default) refuses a message that the identity metadata contradicts, `"ignore"` does not look.

    Raises:
        InvalidHookError: `mode` is neither of the two (field `metadata`).
    """
    if mode is not None and plain_text(mode) not in ("verify", "ignore"):
        raise InvalidHookError("metadata", 'it is neither "verify" nor "ignore"')
    read = read_metadata(metadata)
    if data is None:
        return TombstoneRead(read)
    text = plain_text(data)
    original = plain_bytes(data) if text is None else text
    if original is None:
        return InvalidRead(InvalidMessageError("invalid_json", "this is neither bytes nor text"), read, b"")
    result = try_decode_message(original)
    if isinstance(result, InvalidMessageError):
        return InvalidRead(result, read, original)
    mismatch = None if plain_text(mode) == "ignore" else _mismatch(result, read)
    if mismatch is not None:
        return InvalidRead(mismatch, read, original)
    return MessageRead(result, read, original)


def _mismatch(message: Message, metadata: Metadata) -> MetadataMismatchError | None:
    conflicts = {problem.name for problem in metadata.problems if problem.problem == "conflict"}
    for field, said, holds in (
        ("id", metadata.id, message.id),
        ("source_id", metadata.source_id, message.source_id),
        ("tenant_id", metadata.tenant_id, message.tenant_id),
        ("idempotency_key", metadata.idempotency_key, None),
    ):
        if f"ankusa_{field}" in conflicts:
            return MetadataMismatchError(field, f"the metadata holds different values of {field}")
        if said is not None and said != (idempotency_key(message) if field == "idempotency_key" else holds):
            return MetadataMismatchError(field, f"the metadata holds another {field} than the message")
    return None
