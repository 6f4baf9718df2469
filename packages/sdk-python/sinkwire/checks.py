"""Checks of what a producer hands in. Each names the field at fault as the wire does."""

from __future__ import annotations

import re
from typing import Final, Literal, overload

from .errors import InvalidHookError
from .types import MAX_SAFE_INTEGER, Hook, PublishContext, SizeLimits, Verification

STATUSES: Final = ("ok", "failed", "skipped")

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def is_well_formed(text: str) -> bool:
    """Tell whether a str holds no surrogate, so that UTF-8 can carry it."""
    return text.isascii() or _SURROGATE.search(text) is None


@overload
def check_text(value: object, field: str, *, required: Literal[True]) -> str: ...
@overload
def check_text(value: object, field: str, *, required: bool = False) -> str | None: ...
def check_text(value: object, field: str, *, required: bool = False) -> str | None:
    """Give well-formed text back, or None where it may be absent. An `id` has at least one character."""
    if value is None and not required:
        return None
    if not isinstance(value, str):
        raise InvalidHookError(field, "it is not text")
    if not is_well_formed(value):
        raise InvalidHookError(field, "it holds a surrogate")
    if field == "id" and value == "":
        raise InvalidHookError(field, "it is empty")
    return value


def check_count(value: object, field: str, default: int) -> int:
    """Give an integer from 0 to 2**53 - 1 back, or the default for None."""
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_SAFE_INTEGER:
        raise InvalidHookError(field, "it is not an integer from 0 to 2**53 - 1")
    return value


def check_hook(hook: Hook) -> None:
    """Check every field of a hook, in the order of the conformance suite."""
    if not isinstance(hook, Hook):
        raise InvalidHookError("hook", "it is not a Hook")
    check_text(hook.id, "id", required=True)
    check_text(hook.source_id, "source_id", required=True)
    check_text(hook.tenant_id, "tenant_id")
    received_at = hook.received_at
    if not isinstance(received_at, int) or isinstance(received_at, bool) or abs(received_at) > MAX_SAFE_INTEGER:
        raise InvalidHookError("received_at", "it is not an integer of at most 2**53 - 1")
    check_text(hook.content_type, "content_type")
    if not isinstance(hook.body, (bytes, bytearray, memoryview)):
        raise InvalidHookError("body_base64", "the body is not bytes")
    check_text(hook.dedupe_key, "dedupe_key")
    check_headers(hook.headers)
    verification = hook.verification
    if verification is not None and not (
        isinstance(verification, Verification)
        and isinstance(verification.flagged, bool)
        and isinstance(verification.status, str)
        and verification.status in STATUSES
    ):
        raise InvalidHookError("verification", "it is not a status of the three and a boolean")
    check_text(hook.traceparent, "traceparent")
    check_text(hook.tracestate, "tracestate")


def check_headers(headers: object) -> None:
    """Check a list of header pairs."""
    if headers is None:
        return
    if not isinstance(headers, (list, tuple)):
        raise InvalidHookError("headers", "it is not a list of pairs")
    for pair in headers:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise InvalidHookError("headers", "it is not a list of pairs")
        check_text(pair[0], "headers", required=True)
        check_text(pair[1], "headers", required=True)


def check_context(context: PublishContext) -> None:
    """Check every field of a context, in the order of the conformance suite."""
    if not isinstance(context, PublishContext):
        raise InvalidHookError("context", "it is not a PublishContext")
    check_text(context.instance, "instance")
    check_text(context.region, "region")
    check_text(context.replay_id, "replay_id")
    check_text(context.ordering_key, "ordering_key")
    check_forward(context.forward)
    check_count(context.max_headers, "max_headers", 0)
    check_count(context.max_header_bytes, "max_header_bytes", 0)


def check_forward(forward: object) -> None:
    """Check a forwarding mode."""
    if forward is None or forward == "default":
        return
    if not isinstance(forward, (list, tuple)):
        raise InvalidHookError("forward", 'it is neither "default" nor a list of names')
    for name in forward:
        check_text(name, "forward", required=True)


def check_limits(limits: SizeLimits) -> None:
    """Check size limits."""
    if not isinstance(limits, SizeLimits):
        raise InvalidHookError("limits", "it is not a SizeLimits")
    check_count(limits.inline_max_bytes, "inline_max_bytes", 0)
    check_count(limits.max_bytes, "max_bytes", 0)
