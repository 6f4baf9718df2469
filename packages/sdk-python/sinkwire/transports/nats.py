"""NATS JetStream: a message with headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..delivery import MetadataMode, Read, read_delivery
from ..encode import encode_message
from ..errors import InvalidHookError
from ..keys import delivery_id
from ..metadata import headers_set
from ..types import Claim, Form, Hook, Pairs, PublishContext, SizeLimits
from .common import NO_BODY, check_address, digest_form, pairs_size, part_of

NATS_MAX_BYTES: Final = 1_048_576
"""Default limit of payload and header block: `max_payload` of nats-server 2."""

_BLOCK_BYTES: Final = len("NATS/1.0\r\n" + "\r\n")
_LINE_BYTES: Final = len(": " + "\r\n")
_NOT_CARRIED: Final = re.compile(r"[\r\n\0]|\A[ \t]|[ \t]\Z")
_NOT_IN_A_SUBJECT: Final = re.compile(r"[\x00-\x20]|(?:\A|\.)[*>]?(?:\.|\Z)")


@dataclass(frozen=True, slots=True)
class NatsMessage:
    """One message to publish."""

    subject: str
    payload: bytes
    headers: Pairs
    """`Nats-Msg-Id` first."""
    size: int
    """Bytes of payload and header block."""
    form: Form


def nats_message(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    claim: Claim | None = None,
    *,
    subject: str,
) -> NatsMessage:
    """Map a hook to a JetStream message.

    Args:
        hook, context, limits, claim: as for `encode_message`; the limit counts payload and header block.
        subject: where it is published: tokens apart by `.`, no white space, no wildcard.

    Raises:
        InvalidHookError, MessageTooLargeError, ClaimError: as `encode_message`.
    """
    address = ""
    headers: Pairs = ()

    def overhead(hook: Hook, context: PublishContext) -> int:
        nonlocal address, headers
        address = check_address(subject, "subject")
        if _NOT_IN_A_SUBJECT.search(address):
            raise InvalidHookError("subject", "it is no subject to publish to")
        message_id = delivery_id(hook.id, context.replay_id)
        message_id = digest_form(message_id) if _NOT_CARRIED.search(message_id) else message_id
        carried = (pair for pair in headers_set(hook, context) if not _NOT_CARRIED.search(pair[1]))
        headers = (("Nats-Msg-Id", message_id), *carried)
        return _BLOCK_BYTES + pairs_size(headers, _LINE_BYTES)

    encoded = encode_message(hook, context, limits, claim, overhead=overhead, default_max_bytes=NATS_MAX_BYTES)
    return NatsMessage(address, encoded.data, headers, encoded.size, encoded.form)


def read_nats(message: object, *, mode: MetadataMode | None = None) -> Read:
    """Read a message of nats-py. What has no `data` is invalid; a tombstone is data of None."""
    return read_delivery(part_of(message, "headers"), part_of(message, "data", NO_BODY), mode=mode)
