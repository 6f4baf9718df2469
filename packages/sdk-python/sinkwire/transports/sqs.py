"""SQS: an entry of a send, for standard and FIFO queues."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..checks import check_count, check_text
from ..delivery import MetadataMode, Read, read_delivery
from ..encode import encode_message
from ..errors import InvalidHookError
from ..json_skim import Shape, skim_json
from ..json_text import JsonTextError
from ..keys import delivery_id
from ..metadata import METADATA_NAMES, attributes_set
from ..plain import plain_text
from ..types import Claim, Form, Hook, Pairs, PublishContext, SizeLimits
from .common import NO_BODY, check_address, digest_form, member_of, pairs_size, tenant_and_source

SQS_MAX_BYTES: Final = 1_048_576
"""Default limit of body and attributes: what SQS takes since August 2025."""

MAX_ATTRIBUTES: Final = 10
"""Attributes that SQS takes."""

_MOST_RESERVED: Final = 5
_TYPE: Final = "String"
_KEY: Final = re.compile(r"[\x21-\x7e]{1,128}")
_ENVELOPE: Final[Shape] = {
    b"Type": {},
    b"Message": {},
    b"MessageAttributes": {name.encode(): {b"Type": {}, b"Value": {}} for name in METADATA_NAMES},
}
"""What is read of a notification of SNS."""
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

    def overhead(hook: Hook, context: PublishContext) -> int:
        nonlocal attributes, group_id, deduplication_id
        address = check_address(queue_url, "queue_url")
        if not address:
            raise InvalidHookError("queue_url", "it is empty")
        group_id = check_text(message_group_id, "message_group_id") or ""
        reserved = check_count(reserved_attributes, "reserved_attributes", 0)
        if reserved > _MOST_RESERVED:
            raise InvalidHookError("reserved_attributes", f"it is not an integer from 0 to {_MOST_RESERVED}")
        if address.rstrip("/").endswith(".fifo"):
            group_id = context.ordering_key or group_id or tenant_and_source(hook)
            deduplication_id = _carried_key(delivery_id(hook.id, context.replay_id))
        group_id = _carried_key(group_id)
        carried = [pair for pair in attributes_set(hook, context) if not _NOT_XML.search(pair[1])]
        attributes = tuple(carried[: MAX_ATTRIBUTES - reserved])
        return pairs_size(attributes, len(_TYPE))

    encoded = encode_message(hook, context, limits, claim, overhead=overhead, default_max_bytes=SQS_MAX_BYTES)
    body = encoded.data.decode()
    return SqsEntry(body, attributes, group_id or None, deduplication_id or None, encoded.size, encoded.form)


def _carried_key(key: str) -> str:
    return key if not key or _KEY.fullmatch(key) else digest_form(key)


def read_sqs(message: object, *, unwrap_sns: bool | None = None, mode: MetadataMode | None = None) -> Read:
    """Read a message of boto3, or a record of a function trigger (AWS Lambda), which spells the same in lower case.

    Ask for `MessageAttributeNames=["All"]` when receiving, or there is no metadata. What has no body is invalid; a
    tombstone is a body of None.

    Args:
        message: one element of `Messages`, or of a trigger's `Records`.
        unwrap_sns: the queue is subscribed to an SNS topic without raw delivery; a body that is no notification is read
            as it is. Default off.
        mode: as for `read_delivery`.

    Raises:
        InvalidHookError: an option cannot be used.
    """
    if unwrap_sns is not None and not isinstance(unwrap_sns, bool):
        raise InvalidHookError("unwrap_sns", "it is not a boolean")
    body = member_of(message, "Body", "body")
    notification = _notification(body) if unwrap_sns else None
    if notification is not None:
        return read_delivery(notification.get("MessageAttributes"), notification["Message"], mode=mode)
    attributes = member_of(message, "MessageAttributes")
    if attributes is None or attributes is NO_BODY:
        attributes = _sdk_spelling(member_of(message, "messageAttributes"))
    return read_delivery(attributes, body, mode=mode)


def _sdk_spelling(attributes: object) -> Iterator[tuple[object, object]]:
    """The attributes of a record as boto3 spells them."""
    for name, attribute in attributes.items() if isinstance(attributes, Mapping) else ():
        text = {"DataType": member_of(attribute, "dataType"), "StringValue": member_of(attribute, "stringValue")}
        yield name, text


def _notification(body: object) -> dict[str, object] | None:
    text = plain_text(body)
    try:
        value = skim_json(text.encode(), _ENVELOPE) if text is not None else None
    except (JsonTextError, UnicodeEncodeError):
        return None
    is_one = isinstance(value, dict) and value.get("Type") == "Notification" and isinstance(value.get("Message"), str)
    return value if is_one else None  # type: ignore[return-value]
