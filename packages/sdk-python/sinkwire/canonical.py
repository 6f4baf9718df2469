"""Message to canonical bytes, the same in every language."""

from __future__ import annotations

import json
from typing import Final

from .base64_text import encode_base64
from .checks import is_well_formed
from .decode import field_error
from .errors import InvalidMessageError
from .types import Message

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


def serialize_message(message: Message) -> bytes:
    """Write a decoded message canonically, for bridges, redrive and dead-letter producers.

    Names that the decoder did not know are not kept. Serializing what was decoded from canonical bytes gives them back.

    Raises:
        InvalidMessageError: `message` was not decoded and holds what no message may hold.
    """
    if not isinstance(message, Message):
        raise InvalidMessageError("not_an_object", "it is not a Message")
    if message.body is None and message.claim is None:
        raise InvalidMessageError("missing_body", "the message holds neither a body nor a claim")
    if message.body is not None and message.claim is not None:
        raise InvalidMessageError("ambiguous_body", "the message holds both a body and a claim")
    wire = wire_object(message)
    error = field_error(wire)
    if error is not None:
        raise error
    data = canonical_bytes(wire)
    if data is None:
        raise InvalidMessageError("invalid_json", "a string of the message holds a surrogate")
    return data


def wire_object(message: Message) -> dict[str, object]:
    """Give a message as the JSON object that it is on the wire, names in order."""
    verification = message.verification
    wire: dict[str, object] = {
        "v": message.v,
        "id": message.id,
        "source_id": message.source_id,
        "tenant_id": message.tenant_id,
        "received_at": message.received_at,
        "content_type": message.content_type,
        "size": message.size,
        "dedupe_key": message.dedupe_key,
        "replay_id": message.replay_id,
        "idempotency_key": message.idempotency_key,
        "verification": verification and {"status": verification.status, "flagged": verification.flagged},
        "headers": dict(sorted(message.headers.items())),
        "traceparent": message.traceparent,
        "tracestate": message.tracestate,
        "instance": message.instance,
        "region": message.region,
    }
    if message.ordering_key:
        wire["ordering_key"] = message.ordering_key
    if message.claim is not None:
        wire["claim"] = message.claim
    if message.sha256 is not None:
        wire["sha256"] = message.sha256
    if message.body is not None:
        wire["body_base64"] = encode_base64(message.body)
    return wire


def canonical_bytes(wire: dict[str, object]) -> bytes | None:
    """Write the canonical bytes of a wire object, or None when a string of it is not well-formed."""
    text = _ENCODER.encode(wire)
    if not is_well_formed(text):
        return None
    if not text.isascii():
        text = text.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
    return text.encode()
