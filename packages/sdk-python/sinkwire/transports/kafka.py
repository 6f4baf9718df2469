"""Kafka: a record of the message, keyed for order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..checks import check_text
from ..delivery import MetadataMode, Read, read_delivery
from ..encode import encode_message
from ..metadata import headers_set
from ..types import Claim, Form, Hook, Pairs, PublishContext, SizeLimits
from .common import NO_BODY, part_of, tenant_and_source, utf8_size

KAFKA_MAX_BYTES: Final = 1_000_000
"""Default limit of value and key: below `max.message.bytes` of Kafka 4 (1,048,588), which counts the batch."""


@dataclass(frozen=True, slots=True)
class KafkaRecord:
    """One record."""

    key: str
    value: bytes
    headers: Pairs
    timestamp: int | None
    """When the hook was received, Unix ms; None for a replay and before 1970, where the broker's clock decides."""
    size: int
    """Bytes of value and key."""
    form: Form


def kafka_record(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    claim: Claim | None = None,
    *,
    key: str | None = None,
) -> KafkaRecord:
    """Map a hook to a Kafka record.

    Args:
        hook, context, limits, claim: as for `encode_message`; the limit counts value and key.
        key: the record key, where the context has no ordering key. Default `<tenant>/<source>`.

    Raises:
        InvalidHookError, MessageTooLargeError, ClaimError: as `encode_message`.
    """
    record_key = ""
    timestamp: int | None = None

    def overhead(hook: Hook, context: PublishContext) -> int:
        nonlocal record_key, timestamp
        option = check_text(key, "key")
        record_key = context.ordering_key or option or tenant_and_source(hook)
        timestamp = None if hook.received_at < 0 or context.replay_id else hook.received_at
        return utf8_size(record_key)

    encoded = encode_message(hook, context, limits, claim, overhead=overhead, default_max_bytes=KAFKA_MAX_BYTES)
    return KafkaRecord(record_key, encoded.data, headers_set(hook, context), timestamp, encoded.size, encoded.form)


def read_kafka(record: object, *, mode: MetadataMode | None = None) -> Read:
    """Read a record of confluent-kafka (methods) or of kafka-python and aiokafka (attributes).

    What has no `value` is invalid; a tombstone is a value of None.
    """
    return read_delivery(part_of(record, "headers"), part_of(record, "value", NO_BODY), mode=mode)
