"""Redis: an entry of a stream, or a message of a channel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..delivery import Read, read_delivery
from ..encode import encode_message
from ..types import Claim, Form, Hook, PublishContext, SizeLimits
from .common import member_of

REDIS_MAX_BYTES: Final = 1_048_576
"""Default limit of the payload. Redis takes 512 MiB; this one fits every transport."""

STREAM_FIELD: Final = "message"
"""The field of a stream entry that holds the message."""


@dataclass(frozen=True, slots=True)
class RedisPublish:
    """One message, for `XADD` or `PUBLISH`. Redis carries no metadata."""

    payload: bytes
    size: int
    """Bytes of the payload."""
    form: Form

    @property
    def fields(self) -> dict[str, bytes]:
        """The fields of a stream entry."""
        return {STREAM_FIELD: self.payload}


def redis_publish(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    claim: Claim | None = None,
) -> RedisPublish:
    """Map a hook to a Redis message.

    Raises:
        InvalidHookError, MessageTooLargeError, ClaimError: as `encode_message`.
    """
    encoded = encode_message(hook, context, limits, claim, default_max_bytes=REDIS_MAX_BYTES)
    return RedisPublish(encoded.data, encoded.size, encoded.form)


def read_redis(entry: object) -> Read:
    """Read what redis-py gives: the fields of a stream entry, or the data of a channel.

    A tombstone is an entry that was deleted, whose fields are None; one without the field `message` is invalid.
    """
    if isinstance(entry, Mapping):
        return read_delivery(None, member_of(entry, STREAM_FIELD.encode(), STREAM_FIELD))
    return read_delivery(None, entry)
