"""RabbitMQ: a publish to an exchange."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ..delivery import MetadataMode, Read, read_delivery
from ..encode import encode_message
from ..errors import InvalidHookError
from ..metadata import CONTENT_TYPE, attributes_set
from ..types import Claim, Form, Hook, Pairs, PublishContext, SizeLimits
from .common import MAX_ADDRESS_BYTES, check_address, part_of, utf8_size

AMQP_MAX_BYTES: Final = 1_048_576
"""Default limit of the body. RabbitMQ 4 takes 16 MiB; this one fits every transport."""

_PERSISTENT: Final = 2


@dataclass(frozen=True, slots=True)
class AmqpPublish:
    """One publish. It is mandatory, so that a message that no queue takes comes back."""

    exchange: str
    routing_key: str
    body: bytes
    message_id: str | None
    """The hook's id, where AMQP can carry it."""
    headers: Pairs
    size: int
    """Bytes of the body."""
    form: Form
    content_type: str = CONTENT_TYPE
    delivery_mode: int = _PERSISTENT
    mandatory: Literal[True] = True


def amqp_publish(
    hook: Hook,
    context: PublishContext | None = None,
    limits: SizeLimits | None = None,
    claim: Claim | None = None,
    *,
    exchange: str,
    routing_key: str | None = None,
) -> AmqpPublish:
    """Map a hook to an AMQP 0-9-1 publish.

    Args:
        hook, context, limits, claim: as for `encode_message`; the limit counts the body.
        exchange: a topic exchange.
        routing_key: used as it is, also when empty. Default `ankusa.<source_id>`.

    Raises:
        InvalidHookError, MessageTooLargeError, ClaimError: as `encode_message`.
    """
    address = route = ""
    message_id: str | None = None

    def overhead(hook: Hook, context: PublishContext) -> int:
        nonlocal address, route, message_id
        address = check_address(exchange, "exchange")
        if routing_key is not None:
            route = check_address(routing_key, "routing_key")
        else:
            route = f"ankusa.{hook.source_id}"
            if utf8_size(route) > MAX_ADDRESS_BYTES:
                raise InvalidHookError("source_id", f"the routing key takes more than {MAX_ADDRESS_BYTES} bytes")
        message_id = hook.id if utf8_size(hook.id) <= MAX_ADDRESS_BYTES else None
        return 0

    encoded = encode_message(hook, context, limits, claim, overhead=overhead, default_max_bytes=AMQP_MAX_BYTES)
    headers = attributes_set(hook, context)
    return AmqpPublish(address, route, encoded.data, message_id, headers, encoded.size, encoded.form)


def read_amqp(properties: object, body: object, *, mode: MetadataMode | None = None) -> Read:
    """Read a delivery of pika: the properties and the body of its callback. A tombstone is a body of None."""
    return read_delivery(part_of(properties, "headers"), body, mode=mode)
