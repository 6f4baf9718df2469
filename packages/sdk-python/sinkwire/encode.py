"""Hook to message: which form it takes, and its bytes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final, Literal

from .canonical import canonical_bytes
from .checks import check_context, check_count, check_hook, check_limits
from .claim_ref import claim_ref_tenant, is_claim_ref
from .decode import is_sha256
from .errors import ClaimError, InvalidHookError, MessageTooLargeError
from .headers import forward_headers
from .keys import computed_key
from .plain import plain_text
from .types import (
    MESSAGE_VERSION,
    Claim,
    DroppedHeaders,
    EncodedMessage,
    Hook,
    PublishContext,
    SizeLimits,
)

DEFAULT_INLINE_MAX_BYTES: Final = 65_536
"""The largest body that rides inline."""
DEFAULT_MAX_MESSAGE_BYTES: Final = 1_048_576
"""The largest message."""

_UNVERIFIED: Final = {"status": "skipped", "flagged": False}
_ANY_SHA256: Final = "0" * 64
_ANY_CLAIM_ID: Final = "0" * 26

Plan = Literal["inline", "claim", "too_large"]
Overhead = Callable[[Hook, PublishContext], int]
"""What a transport counts beside the message. Called once with the hook and the context, checked, before any size is
compared, so it may check options of its own."""


def encode_message(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    claim: Claim | None = None,
    *,
    overhead: Overhead | None = None,
    default_max_bytes: int = DEFAULT_MAX_MESSAGE_BYTES,
) -> EncodedMessage:
    """Encode a hook as a message: inline if it fits, else with the claim that was made of its body.

    Args:
        hook: the received webhook.
        context: where and how it is published.
        limits: size limits in bytes.
        claim: reference and digest of the body, if it was checked in.
        overhead: bytes that the transport counts beside the message, as a function of hook and context. Default none.
        default_max_bytes: the transport's limit, where `limits` gives none.

    Raises:
        InvalidHookError: a field of an argument cannot be used.
        MessageTooLargeError: no form brings it under the limit.
        ClaimError: `claim_required`, or the claim is malformed, of another body or of another tenant.
    """
    prepared = _Prepared(hook, context, limits, overhead, default_max_bytes)
    prepared.refuse_too_large_body()
    if prepared.body_is_inline:
        data = prepared.write(sha256(prepared.body).hexdigest(), body=prepared.body)
        size = len(data) + prepared.overhead
        if size <= prepared.max_bytes:
            return EncodedMessage(data, "inline", size, prepared.dropped)
    if claim is None:
        raise ClaimError("claim_required", "the body has to be checked in first")
    ref, digest = (plain_text(claim.ref), plain_text(claim.sha256)) if isinstance(claim, Claim) else (None, None)
    if ref is None or digest is None or not is_claim_ref(ref) or not is_sha256(digest):
        raise ClaimError("invalid_claim_ref", "the reference or the digest of the claim is malformed")
    if digest != sha256(prepared.body).hexdigest():
        raise ClaimError("claim_integrity", "the claim is of another body")
    if prepared.tenant_id is not None and prepared.tenant_id != claim_ref_tenant(ref):
        raise ClaimError("tenant_mismatch", "the claim belongs to another tenant")
    data = prepared.write(digest, claim=ref)
    size = len(data) + prepared.overhead
    if size > prepared.max_bytes:
        raise MessageTooLargeError(size, prepared.max_bytes)
    return EncodedMessage(data, "claim", size, prepared.dropped)


def plan_message(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    *,
    overhead: Overhead | None = None,
    default_max_bytes: int = DEFAULT_MAX_MESSAGE_BYTES,
) -> Plan:
    """Say which form `encode_message` would give, without building it; a claim counts as one of version 1.

    Raises:
        InvalidHookError: a field of an argument cannot be used.
    """
    prepared = _Prepared(hook, context, limits, overhead, default_max_bytes)
    try:
        prepared.refuse_too_large_body()
    except MessageTooLargeError:
        return "too_large"
    if prepared.body_is_inline:
        base64_size = (len(prepared.body) + 2) // 3 * 4
        if len(prepared.write(_ANY_SHA256, body=b"")) + base64_size + prepared.overhead <= prepared.max_bytes:
            return "inline"
    ref = f"urn:ankusa:claim:v1:{prepared.tenant_id or ''}:{_ANY_CLAIM_ID}"
    size = len(prepared.write(_ANY_SHA256, claim=ref)) + prepared.overhead
    return "claim" if size <= prepared.max_bytes else "too_large"


class _Prepared:
    """Checked input, and the message less its body."""

    def __init__(
        self,
        hook: Hook,
        context: PublishContext | None,
        limits: SizeLimits | None,
        overhead: Overhead | None,
        default_max_bytes: int,
    ) -> None:
        hook, context, limits = check_hook(hook), check_context(context), check_limits(limits)
        if overhead is not None and not callable(overhead):
            raise InvalidHookError("overhead", "it is not a function that counts bytes")
        self.overhead: Final = 0 if overhead is None else check_count(overhead(hook, context), "overhead", 0)
        self.body: Final = hook.body
        self.tenant_id: Final = hook.tenant_id
        default = check_count(default_max_bytes, "default_max_bytes", DEFAULT_MAX_MESSAGE_BYTES)
        self.max_bytes: Final = default if limits.max_bytes is None else limits.max_bytes
        inline_max_bytes = DEFAULT_INLINE_MAX_BYTES if limits.inline_max_bytes is None else limits.inline_max_bytes
        self.body_is_inline: Final = len(self.body) <= inline_max_bytes
        self._hook: Final = hook
        self._context: Final = context
        forwarded = forward_headers(
            hook.headers,
            forward=context.forward,
            max_headers=context.max_headers,
            max_header_bytes=context.max_header_bytes,
        )
        self._headers: Final = dict(forwarded.headers)
        self.dropped: Final[DroppedHeaders] = forwarded.dropped

    def refuse_too_large_body(self) -> None:
        if len(self.body) > self.max_bytes and self.body_is_inline:
            raise MessageTooLargeError(len(self.body), self.max_bytes, "body")

    def write(self, digest: str, *, body: bytes | None = None, claim: str | None = None) -> bytes:
        hook, context = self._hook, self._context
        verification = hook.verification
        fields = {
            "v": MESSAGE_VERSION,
            "id": hook.id,
            "source_id": hook.source_id,
            "tenant_id": hook.tenant_id,
            "received_at": hook.received_at,
            "content_type": hook.content_type,
            "size": len(self.body),
            "dedupe_key": hook.dedupe_key,
            "replay_id": context.replay_id,
            "idempotency_key": computed_key(hook.id, hook.source_id, hook.tenant_id, hook.dedupe_key),
            "verification": {"status": verification.status, "flagged": verification.flagged}
            if verification
            else _UNVERIFIED,
            "headers": self._headers,
            "traceparent": hook.traceparent,
            "tracestate": hook.tracestate,
            "instance": context.instance,
            "region": context.region,
            "ordering_key": context.ordering_key,
            "claim": claim,
            "sha256": digest,
        }
        return canonical_bytes(fields, body)
