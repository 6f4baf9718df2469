"""Redis: an entry of a stream, or a message of a channel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..delivery import InvalidRead, Read, read_delivery
from ..encode import encode_message
from ..errors import InvalidMessageError
from ..metadata import read_metadata
from ..types import Claim, Form, Hook, PublishContext, SizeLimits

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
    """Read what redis-py gives: the fields of a stream entry (None for a deleted one), or the data of a channel."""
    if not isinstance(entry, Mapping):
        return read_delivery(None, entry)  # type: ignore[arg-type]
    data = entry.get(STREAM_FIELD.encode(), entry.get(STREAM_FIELD))
    if data is None:
        error = InvalidMessageError("invalid_json", f"the entry has no field {STREAM_FIELD!r}")
        return InvalidRead(error, read_metadata(None), entry)
    return read_delivery(None, data)
