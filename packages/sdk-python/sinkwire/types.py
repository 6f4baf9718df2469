"""The nouns of the wire format. Names are the wire's; absent and None are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

MESSAGE_VERSION: Final = 1
"""The version that `encode_message` writes."""
MIN_SUPPORTED_VERSION: Final = 1
"""The lowest `v` that decodes."""
MAX_SUPPORTED_VERSION: Final = 2
"""The highest `v` that decodes; 2 is version 1 plus fields that a decoder ignores."""

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest magnitude of an integer on the wire."""

VerificationStatus = Literal["ok", "failed", "skipped"]
Form = Literal["inline", "claim"]
Pairs = tuple[tuple[str, str], ...]
"""Names and values in order."""


@dataclass(frozen=True, slots=True)
class Verification:
    """How the producer verified a hook when it came in."""

    status: VerificationStatus
    flagged: bool
    """True when a failed check was let through: treat the hook as unverified."""


@dataclass(frozen=True, slots=True)
class Message:
    """A sink message. Exactly one of `body` and `claim` is not None."""

    v: int
    """Major version as the wire said it: 1 or 2."""
    id: str
    """The hook's id, never empty; the same on every redelivery and replay."""
    source_id: str
    """Any text, the empty string included."""
    tenant_id: str | None
    received_at: int
    """Unix milliseconds; may be negative."""
    content_type: str | None
    """The provider's content type of the body."""
    size: int
    """Body bytes, in both body forms."""
    dedupe_key: str | None
    replay_id: str | None
    idempotency_key: str | None
    """As shipped; the function `idempotency_key` computes it where it is missing."""
    verification: Verification | None
    headers: Mapping[str, str] = field(hash=False)
    """Forwarded provider headers, as they are on the wire."""
    traceparent: str | None
    """W3C trace context: carried, never parsed."""
    tracestate: str | None
    instance: str | None
    region: str | None
    ordering_key: str | None
    sha256: str | None
    """Digest of the body, 64 lowercase hex digits. None only for an inline message that carries none."""
    body: bytes | None
    """The body itself (inline form)."""
    claim: str | None
    """A reference to redeem the body with (claim form)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """A received webhook, as a producer hands it to `encode_message`, which checks it."""

    id: str
    source_id: str
    tenant_id: str | None = None
    received_at: int
    """Unix milliseconds, at most 2**53 - 1 in magnitude."""
    content_type: str | None = None
    body: bytes
    """The provider's bytes, untouched (bytearray and memoryview do too)."""
    dedupe_key: str | None = None
    headers: Sequence[Sequence[str]] | None = None
    """Request headers as (name, value) in order of arrival, repeated names as they came."""
    verification: Verification | None = None
    """None is written as `{"status":"skipped","flagged":false}`."""
    traceparent: str | None = None
    tracestate: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishContext:
    """Where and how a hook is published: what is not the provider's."""

    instance: str | None = None
    region: str | None = None
    replay_id: str | None = None
    """Set for a deliberate replay of a hook."""
    ordering_key: str | None = None
    """The ordering key; pass `<tenant>/<source>` for an ordered hook without a key of its own."""
    forward: Literal["default"] | Sequence[str] | None = None
    """`"default"`: every header but the never-forwarded ones; a list: only those; empty: none."""
    max_headers: int | None = None
    """Most names kept. Default 64."""
    max_header_bytes: int | None = None
    """Most bytes of kept names and values together. Default 16,384."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeLimits:
    """Size limits of a message, in bytes."""

    inline_max_bytes: int | None = None
    """Largest body that rides inline. Default 65,536."""
    max_bytes: int | None = None
    """Largest message, by the transport's own count. Default 1,048,576, or the transport's own."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A body that was checked in to a claim store."""

    ref: str
    sha256: str
    """Digest of the body, 64 lowercase hex digits."""


@dataclass(frozen=True, slots=True)
class DroppedHeaders:
    """How many header names the caps dropped."""

    count: int
    """By `max_headers`."""
    bytes: int
    """By `max_header_bytes`."""


@dataclass(frozen=True, slots=True)
class EncodedMessage:
    """An encoded message."""

    data: bytes
    """Canonical bytes."""
    form: Form
    size: int
    """What was compared with `max_bytes`: the message plus what the transport counts beside it."""
    dropped: DroppedHeaders
