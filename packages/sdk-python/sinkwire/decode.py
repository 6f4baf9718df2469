"""Bytes to message."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, Final

from .base64_text import decode_base64
from .checks import STATUSES, check_count
from .claim_ref import claim_ref_tenant, is_claim_ref
from .errors import InvalidMessageError
from .json_skim import Shape, read_json
from .json_text import JsonTextError
from .packed_texts import PackedTexts
from .plain import plain_bytes, plain_integer, plain_text
from .types import MAX_SUPPORTED_VERSION, MIN_SUPPORTED_VERSION, Message, Verification

DEFAULT_MAX_BYTES: Final = 64 * 1024 * 1024
"""The largest input that is looked at."""

_SHA256: Final = re.compile("[0-9a-f]{64}")
_NULLABLE_TEXTS: Final = (
    "tenant_id",
    "content_type",
    "dedupe_key",
    "replay_id",
    "idempotency_key",
    "traceparent",
    "tracestate",
    "instance",
    "region",
    "ordering_key",
)
TEXT_NAMES: Final = ("id", "source_id", *_NULLABLE_TEXTS)
"""Fields of free text, in the order of their checks."""
_SCALARS: Final = ("v", "received_at", "size", *TEXT_NAMES, "sha256", "body_base64", "claim")
_SHAPE: Final[Shape] = {
    **{name.encode(): {} for name in _SCALARS},
    b"verification": {b"status": {}, b"flagged": {}},
    b"headers": None,
}
_EMPTY: Final[dict[str, str]] = {}


def is_sha256(value: object) -> bool:
    """Tell whether a value is a digest as the wire writes it: 64 lowercase hex digits."""
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def decode_message(data: bytes | bytearray | memoryview | str, *, max_bytes: int | None = None) -> Message:
    """Decode a message and verify its body.

    Args:
        data: one JSON text, UTF-8 bytes or str.
        max_bytes: largest input that is looked at. Default 64 MiB.

    Raises:
        InvalidMessageError: the bytes are not a message; the same bytes never are.
        InvalidHookError: `max_bytes` cannot be used.
    """
    result = try_decode_message(data, max_bytes=max_bytes)
    if isinstance(result, Message):
        return result
    raise result


def try_decode_message(
    data: bytes | bytearray | memoryview | str, *, max_bytes: int | None = None
) -> Message | InvalidMessageError:
    """Decode as `decode_message` does, but give the refusal back instead of raising it.

    Raises:
        InvalidHookError: `max_bytes` cannot be used.
    """
    limit = check_count(max_bytes, "max_bytes", DEFAULT_MAX_BYTES)
    encoded = _as_bytes(data, limit)
    if isinstance(encoded, InvalidMessageError):
        return encoded
    try:
        value = read_json(encoded, _SHAPE)
    except JsonTextError as error:
        reason = str(error)
    else:
        return _message(value)
    return InvalidMessageError("invalid_json", f"this is not JSON: {reason}")


def _as_bytes(data: object, limit: int) -> bytes | InvalidMessageError:
    text = plain_text(data)
    if text is None:
        encoded = plain_bytes(data)
        if encoded is None:
            return InvalidMessageError("invalid_json", "this is neither bytes nor text")
    else:
        try:
            encoded = text[: limit + 1].encode()
        except UnicodeEncodeError:
            return InvalidMessageError("invalid_json", "this cannot be read as UTF-8")
    if len(encoded) > limit:
        return InvalidMessageError("invalid_json", f"the input is larger than {limit} bytes")
    return encoded


def _message(value: object) -> Message | InvalidMessageError:
    if type(value) is not dict:
        return InvalidMessageError("not_an_object", "the message is not a JSON object")
    wire: dict[str, Any] = value
    error = field_error(wire)
    if error is not None:
        return error
    get = wire.get
    claim, text = get("claim"), get("body_base64")
    body: bytes | None = None
    if claim is None:
        if text is None:
            return InvalidMessageError("missing_body", "the message holds neither a body nor a claim")
        body = decode_base64(text) if type(text) is str else None
        if body is None:
            return InvalidMessageError("invalid_body_base64", "the body is not canonical base64")
    elif text is not None:
        return InvalidMessageError("ambiguous_body", "the message holds both a body and a claim")
    error = body_error(wire, body)
    if error is not None:
        return error
    verification = get("verification")
    return Message(
        int(wire["v"]),
        wire["id"],
        wire["source_id"],
        get("tenant_id"),
        int(wire["received_at"]),
        get("content_type"),
        int(wire["size"]),
        get("dedupe_key"),
        get("replay_id"),
        get("idempotency_key"),
        None if verification is None else Verification(verification["status"], verification["flagged"]),
        get("headers", {}),
        get("traceparent"),
        get("tracestate"),
        get("instance"),
        get("region"),
        get("ordering_key"),
        get("sha256"),
        body,
        claim,
    )


def field_error(wire: dict[str, Any]) -> InvalidMessageError | None:
    """Say what is wrong with the fields of a message, its body apart: the first failure in the order of the rule."""
    get = wire.get
    version = plain_integer(get("v"))
    if version is None or not MIN_SUPPORTED_VERSION <= version <= MAX_SUPPORTED_VERSION:
        return InvalidMessageError("unsupported_version", "v is not an integer from 1 to 2")
    hook_id = get("id")
    if type(hook_id) is not str or not hook_id:
        return bad_field("id", "it is not text of at least one character")
    if type(get("source_id")) is not str:
        return bad_field("source_id", "it is not text")
    if plain_integer(get("received_at")) is None:
        return bad_field("received_at", "it is not an integer")
    size = plain_integer(get("size"))
    if size is None or size < 0:
        return bad_field("size", "it is not an integer of at least 0")
    for name in _NULLABLE_TEXTS:
        text = get(name)
        if text is not None and type(text) is not str:
            return bad_field(name, "it is neither text nor null")
    verification = get("verification")
    if verification is not None and not _is_verification(verification):
        return bad_field("verification", "it is not a status of the three and a boolean")
    headers = get("headers", _EMPTY)
    if type(headers) is not PackedTexts and not _is_texts(headers):
        return bad_field("headers", "it is not an object of texts")
    if "sha256" in wire and not is_sha256(wire["sha256"]):
        return bad_field("sha256", "it is not 64 lowercase hex digits")
    return None


def body_error(wire: dict[str, Any], body: bytes | None) -> InvalidMessageError | None:
    """Say what is wrong with a message whose fields were checked: with its body, or its claim where it has none."""
    digest = wire.get("sha256")
    if body is not None:
        if len(body) != wire["size"]:
            return InvalidMessageError("size_mismatch", f"the body has {len(body)} bytes, not {wire['size']:.0f}")
        if digest is not None and digest != sha256(body).hexdigest():
            return InvalidMessageError("integrity", "the digest is not the body's")
        return None
    claim, tenant = wire["claim"], wire.get("tenant_id")
    if not is_claim_ref(claim):
        return bad_field("claim", "it is not a claim reference")
    if digest is None:
        return bad_field("sha256", "a claim needs the digest of its body")
    if tenant is not None and tenant != claim_ref_tenant(claim):
        return InvalidMessageError("tenant_mismatch", "the claim belongs to another tenant")
    return None


def _is_texts(value: Any) -> bool:
    return type(value) is dict and all(type(text) is str for text in value.values())


def _is_verification(value: Any) -> bool:
    if type(value) is not dict:
        return False
    status = value.get("status")
    return type(status) is str and status in STATUSES and type(value.get("flagged")) is bool


def bad_field(field: str, message: str) -> InvalidMessageError:
    """Build the refusal of one field."""
    return InvalidMessageError("invalid_field", f"{field}: {message}", field=field)
