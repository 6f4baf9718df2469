"""Message to canonical bytes, the same in every language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from .base64_text import encode_base64
from .checks import is_well_formed
from .decode import TEXT_NAMES, bad_field, body_error, field_error
from .errors import InvalidMessageError
from .plain import plain_bytes, plain_integer, plain_text
from .types import Message, Verification

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
_ALWAYS: Final = (
    "v",
    "id",
    "source_id",
    "tenant_id",
    "received_at",
    "content_type",
    "size",
    "dedupe_key",
    "replay_id",
    "idempotency_key",
    "verification",
    "headers",
    "traceparent",
    "tracestate",
    "instance",
    "region",
)
_UNLESS_EMPTY: Final = ("ordering_key", "claim", "sha256")
_INTEGERS: Final = ("v", "received_at", "size")
_REFUSED: Final = object()
"""Stands for what JSON has no form of."""


def serialize_message(message: Message) -> bytes:
    """Write a message canonically, for bridges, redrive and dead-letter producers. Whatever it writes decodes.

    Names that the decoder did not know are not kept. Serializing what was decoded from canonical bytes gives them back.

    Args:
        message: a decoded message, or one that was made by hand: it is checked as the decoder would check it, but that
            None counts as absent for `headers` and `sha256` too.

    Raises:
        InvalidMessageError: what the decoder would say; `invalid_field` also for text that is not well-formed.
    """
    if not isinstance(message, Message):
        raise InvalidMessageError("not_an_object", "it is not a Message")
    fields = _fields(message)
    body = plain_bytes(message.body)
    error = field_error(fields) or _ill_formed(fields) or _form_error(fields, message.body, body)
    if error is not None:
        raise error
    return canonical_bytes({"sha256": None, **fields}, body)


def _fields(message: Message) -> dict[str, Any]:
    """A message as the wire has it, its body apart."""
    fields = {name: _plain(getattr(message, name)) for name in (*_ALWAYS, *_UNLESS_EMPTY)}
    fields |= {name: plain_integer(fields[name]) for name in _INTEGERS}
    fields["headers"] = _headers(message.headers)
    fields["verification"] = _verification(message.verification)
    if fields["sha256"] is None:
        del fields["sha256"]
    return fields


def _plain(value: object) -> object:
    text = plain_text(value)
    return value if text is None else text


def _headers(headers: object) -> object:
    if headers is None:
        return {}
    try:
        if isinstance(headers, Mapping):
            plain = {plain_text(name): _plain(value) for name, value in headers.items()}
            return _REFUSED if None in plain else plain
    except Exception:  # of a mapping that is not ours
        pass
    return _REFUSED


def _verification(verification: object) -> object:
    if verification is None:
        return None
    if not isinstance(verification, Verification):
        return _REFUSED
    return {"status": _plain(verification.status), "flagged": verification.flagged}


def _ill_formed(fields: dict[str, Any]) -> InvalidMessageError | None:
    for name in TEXT_NAMES:
        if fields[name] is not None and not is_well_formed(fields[name]):
            return bad_field(name, "it holds a surrogate")
    if not all(is_well_formed(name) and is_well_formed(value) for name, value in fields["headers"].items()):
        return bad_field("headers", "it holds a surrogate")
    return None


def _form_error(fields: dict[str, Any], given: object, body: bytes | None) -> InvalidMessageError | None:
    if given is not None and fields["claim"] is not None:
        return InvalidMessageError("ambiguous_body", "the message holds both a body and a claim")
    if body is None and fields["claim"] is None:
        return InvalidMessageError("missing_body", "the body is neither bytes nor a claim")
    return body_error(fields, body)


def canonical_bytes(fields: Mapping[str, Any], body: bytes | None) -> bytes:
    """Write the canonical bytes of checked, plain fields, `claim` and `sha256` among them, and a body."""
    wire = {name: fields[name] for name in _ALWAYS}
    wire["headers"] = dict(sorted(wire["headers"].items()))
    wire |= {name: fields[name] for name in _UNLESS_EMPTY if fields[name]}
    if body is not None:
        wire["body_base64"] = encode_base64(body)
    text = _ENCODER.encode(wire)
    if not text.isascii():
        text = text.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
    return text.encode()
