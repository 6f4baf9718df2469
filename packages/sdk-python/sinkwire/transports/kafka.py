"""Kafka: a record of the message, keyed for order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..checks import check_text
from ..delivery import MetadataMode, Read, read_delivery
from ..encode import encode_message
from ..metadata import headers_set
from ..types import Claim, Form, Hook, Pairs, PublishContext, SizeLimits
from .common import ordering_key_of, replay_id_of, tenant_and_source, utf8_size

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

    def overhead() -> int:
        nonlocal record_key
        option = check_text(key, "key")
        record_key = ordering_key_of(context) or option or tenant_and_source(hook)
        return utf8_size(record_key)

    encoded = encode_message(hook, context, limits, claim, overhead=overhead, default_max_bytes=KAFKA_MAX_BYTES)
    timestamp = None if hook.received_at < 0 or replay_id_of(context) else hook.received_at
    headers = headers_set(hook, context)
    return KafkaRecord(record_key, encoded.data, headers, timestamp, encoded.size, encoded.form)


def read_kafka(record: object, *, mode: MetadataMode = "verify") -> Read:
    """Read a record of confluent-kafka (methods) or of kafka-python and aiokafka (attributes)."""
    return read_delivery(_part(record, "headers"), _part(record, "value"), mode=mode)  # type: ignore[arg-type]


def _part(record: object, name: str) -> object:
    part = getattr(record, name, None)
    return part() if callable(part) else part
