"""Google Pub/Sub: a message with attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..checks import check_text
from ..delivery import MetadataMode, Read, read_delivery
from ..encode import encode_message
from ..metadata import attributes_set
from ..types import Claim, Form, Hook, Pairs, PublishContext, SizeLimits
from .common import NO_BODY, digest_form, pairs_size, part_of, utf8_size

PUBSUB_MAX_BYTES: Final = 10_000_000
"""Default limit of data, attributes and ordering key: what the service takes."""

_MOST_BYTES: Final = 1_024


@dataclass(frozen=True, slots=True)
class PubsubMessage:
    """One message to publish."""

    data: bytes
    attributes: Pairs
    ordering_key: str | None
    size: int
    """Bytes of the data, of attribute names and values, and of the ordering key."""
    form: Form


def pubsub_message(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    claim: Claim | None = None,
    *,
    ordering_key: str | None = None,
) -> PubsubMessage:
    """Map a hook to a Pub/Sub message.

    Args:
        hook, context, limits, claim: as for `encode_message`; the limit counts data, attributes and ordering key.
        ordering_key: where the context has none. Default none.

    Raises:
        InvalidHookError, MessageTooLargeError, ClaimError: as `encode_message`.
    """
    attributes: Pairs = ()
    key = ""

    def overhead(hook: Hook, context: PublishContext) -> int:
        nonlocal attributes, key
        option = check_text(ordering_key, "ordering_key")
        key = context.ordering_key or option or ""
        key = digest_form(key) if utf8_size(key) > _MOST_BYTES else key
        attributes = tuple(pair for pair in attributes_set(hook, context) if utf8_size(pair[1]) <= _MOST_BYTES)
        return pairs_size(attributes, 0) + utf8_size(key)

    encoded = encode_message(hook, context, limits, claim, overhead=overhead, default_max_bytes=PUBSUB_MAX_BYTES)
    return PubsubMessage(encoded.data, attributes, key or None, encoded.size, encoded.form)


def read_pubsub(message: object, *, mode: MetadataMode | None = None) -> Read:
    """Read a message of google-cloud-pubsub. What has no `data` is invalid; a tombstone is data of None."""
    return read_delivery(part_of(message, "attributes"), part_of(message, "data", NO_BODY), mode=mode)
