"""Checks of what a producer hands in. Each names the field at fault as the wire does, and gives plain values back."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeVar, overload

from .errors import InvalidHookError
from .plain import plain_bytes, plain_integer, plain_list, plain_text
from .types import Hook, Pairs, PublishContext, SizeLimits, Verification

STATUSES: Final = ("ok", "failed", "skipped")

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_Default = TypeVar("_Default")


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
    text = plain_text(value)
    if text is None:
        raise InvalidHookError(field, "it is not text")
    if not is_well_formed(text):
        raise InvalidHookError(field, "it holds a surrogate")
    if field == "id" and text == "":
        raise InvalidHookError(field, "it is empty")
    return text


def check_count(value: object, field: str, default: _Default) -> int | _Default:
    """Give an integer from 0 to 2**53 - 1 back, or the default for None."""
    if value is None:
        return default
    count = plain_integer(value)
    if count is None or count < 0:
        raise InvalidHookError(field, "it is not an integer from 0 to 2**53 - 1")
    return count


def check_hook(hook: Hook) -> Hook:
    """Check every field of a hook, in the order of the conformance suite."""
    if not isinstance(hook, Hook):
        raise InvalidHookError("hook", "it is not a Hook")
    return Hook(
        id=check_text(hook.id, "id", required=True),
        source_id=check_text(hook.source_id, "source_id", required=True),
        tenant_id=check_text(hook.tenant_id, "tenant_id"),
        received_at=_check_time(hook.received_at),
        content_type=check_text(hook.content_type, "content_type"),
        body=_check_body(hook.body),
        dedupe_key=check_text(hook.dedupe_key, "dedupe_key"),
        headers=check_headers(hook.headers),
        verification=_check_verification(hook.verification),
        traceparent=check_text(hook.traceparent, "traceparent"),
        tracestate=check_text(hook.tracestate, "tracestate"),
    )


def _check_time(value: object) -> int:
    time = plain_integer(value)
    if time is None:
        raise InvalidHookError("received_at", "it is not an integer of at most 2**53 - 1")
    return time


def _check_body(value: object) -> bytes:
    body = plain_bytes(value)
    if body is None:
        raise InvalidHookError("body_base64", "the body is not bytes")
    return body


def _check_verification(value: object) -> Verification | None:
    if value is None:
        return None
    if isinstance(value, Verification) and type(value.flagged) is bool:
        status = plain_text(value.status)
        if status in STATUSES:
            return Verification(status, value.flagged)  # type: ignore[arg-type]
    raise InvalidHookError("verification", "it is not a status of the three and a boolean")


def check_headers(headers: object) -> Pairs:
    """Check a list of header pairs; None is an empty one."""
    if headers is None:
        return ()
    pairs = plain_list(headers)
    if pairs is None:
        raise InvalidHookError("headers", "it is not a list of pairs")
    return tuple(map(_check_pair, pairs))


def _check_pair(value: object) -> tuple[str, str]:
    pair = plain_list(value)
    if pair is None or len(pair) != 2:
        raise InvalidHookError("headers", "it is not a list of pairs")
    return check_text(pair[0], "headers", required=True), check_text(pair[1], "headers", required=True)


def check_context(context: PublishContext | None) -> PublishContext:
    """Check every field of a context, in the order of the conformance suite; None is an empty one."""
    if context is None:
        return PublishContext()
    if not isinstance(context, PublishContext):
        raise InvalidHookError("context", "it is not a PublishContext")
    return PublishContext(
        instance=check_text(context.instance, "instance"),
        region=check_text(context.region, "region"),
        replay_id=check_text(context.replay_id, "replay_id"),
        ordering_key=check_text(context.ordering_key, "ordering_key"),
        forward=check_forward(context.forward),
        max_headers=check_count(context.max_headers, "max_headers", None),
        max_header_bytes=check_count(context.max_header_bytes, "max_header_bytes", None),
    )


def check_forward(forward: object) -> tuple[str, ...] | None:
    """Check a forwarding mode: a list of names, or None for `"default"`."""
    if forward is None or plain_text(forward) == "default":
        return None
    names = plain_list(forward)
    if names is None:
        raise InvalidHookError("forward", 'it is neither "default" nor a list of names')
    return tuple(check_text(name, "forward", required=True) for name in names)


def check_limits(limits: SizeLimits | None) -> SizeLimits:
    """Check size limits; None is none."""
    if limits is None:
        return SizeLimits()
    if not isinstance(limits, SizeLimits):
        raise InvalidHookError("limits", "it is not a SizeLimits")
    return SizeLimits(
        inline_max_bytes=check_count(limits.inline_max_bytes, "inline_max_bytes", None),
        max_bytes=check_count(limits.max_bytes, "max_bytes", None),
    )
