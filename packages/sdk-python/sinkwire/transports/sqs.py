"""SQS: an entry of a send, for standard and FIFO queues."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..checks import check_text
from ..delivery import MetadataMode, Read, read_delivery
from ..encode import encode_message
from ..errors import InvalidHookError
from ..json_text import JsonTextError, parse_json
from ..keys import delivery_id
from ..metadata import attributes_set
from ..types import Claim, Form, Hook, Pairs, PublishContext, SizeLimits
from .common import check_address, digest_form, ordering_key_of, pairs_size, replay_id_of, tenant_and_source

SQS_MAX_BYTES: Final = 1_048_576
"""Default limit of body and attributes: what SQS takes since August 2025."""

MAX_ATTRIBUTES: Final = 10
"""Attributes that SQS takes."""

_MOST_RESERVED: Final = 5
_TYPE: Final = "String"
_KEY: Final = re.compile(r"[\x21-\x7e]{1,128}")
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class SqsEntry:
    """One message to send."""

    body: str
    attributes: Pairs
    """All of the type `String`."""
    group_id: str | None
    deduplication_id: str | None
    size: int
    """Bytes of the body and of each attribute's name, type and value."""
    form: Form

    @property
    def message_attributes(self) -> dict[str, dict[str, str]]:
        """The attributes as boto3 takes them."""
        return {name: {"DataType": _TYPE, "StringValue": value} for name, value in self.attributes}


def sqs_entry(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    claim: Claim | None = None,
    *,
    queue_url: str,
    message_group_id: str | None = None,
    reserved_attributes: int | None = None,
) -> SqsEntry:
    """Map a hook to an SQS message.

    Args:
        hook, context, limits, claim: as for `encode_message`; the limit counts body and attributes.
        queue_url: a queue whose URL ends in `.fifo` is a FIFO queue.
        message_group_id: the group, where the context has no ordering key. Default for FIFO `<tenant>/<source>`.
        reserved_attributes: attributes to leave room for, 0 to 5. Default 0.

    Raises:
        InvalidHookError, MessageTooLargeError, ClaimError: as `encode_message`.
    """
    attributes: Pairs = ()
    group_id = deduplication_id = ""

    def overhead() -> int:
        nonlocal attributes, group_id, deduplication_id
        if not check_address(queue_url, "queue_url"):
            raise InvalidHookError("queue_url", "it is empty")
        group_id = check_text(message_group_id, "message_group_id") or ""
        if reserved_attributes is not None and not (
            type(reserved_attributes) is int and 0 <= reserved_attributes <= _MOST_RESERVED
        ):
            raise InvalidHookError("reserved_attributes", f"it is not an integer from 0 to {_MOST_RESERVED}")
        if queue_url.rstrip("/").endswith(".fifo"):
            group_id = ordering_key_of(context) or group_id or tenant_and_source(hook)
            deduplication_id = _carried_key(delivery_id(hook.id, replay_id_of(context)))
        group_id = _carried_key(group_id)
        carried = [pair for pair in attributes_set(hook, context) if not _NOT_XML.search(pair[1])]
        attributes = tuple(carried[: MAX_ATTRIBUTES - (reserved_attributes or 0)])
        return pairs_size(attributes, len(_TYPE))

    encoded = encode_message(hook, context, limits, claim, overhead=overhead, default_max_bytes=SQS_MAX_BYTES)
    body = encoded.data.decode()
    return SqsEntry(body, attributes, group_id or None, deduplication_id or None, encoded.size, encoded.form)


def _carried_key(key: str) -> str:
    return key if not key or _KEY.fullmatch(key) else digest_form(key)


def read_sqs(message: object, *, unwrap_sns: bool = False, mode: MetadataMode = "verify") -> Read:
    """Read a message of boto3. Ask for `MessageAttributeNames=["All"]` when receiving, or there is no metadata.

    Args:
        message: one element of `Messages`.
        unwrap_sns: the queue is subscribed to an SNS topic without raw delivery. Default off.
        mode: as for `read_delivery`.
    """
    if not isinstance(message, Mapping):
        return read_delivery(None, None, mode=mode)
    body, attributes = message.get("Body"), message.get("MessageAttributes")
    envelope = _sns_envelope(body) if unwrap_sns else None
    if envelope is not None:
        body, attributes = envelope["Message"], envelope.get("MessageAttributes")
    return read_delivery(attributes, body, mode=mode)


def _sns_envelope(body: object) -> Mapping[str, object] | None:
    try:
        value = parse_json(body.encode()) if isinstance(body, str) else None
    except (JsonTextError, UnicodeEncodeError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("Message"), str) else None
