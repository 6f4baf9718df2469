"""Identity of a destination lane, and what is derived from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from .checks import is_well_formed
from .errors import InvalidLaneTupleError
from .jcs import canonical_json

ADAPTERS: Final[Mapping[str, int]] = {
    "kafka": 1,
    "pulsar": 2,
    "rabbitmq": 16,
    "nats": 17,
    "redis": 18,
    "sqs": 19,
    "google_pubsub": 20,
    "http": 21,
}
"""Adapter kinds by name."""

_KAFKA: Final = 1
_PULSAR: Final = 2
_OTHER_RESOURCE: Final = 16
_U32_MAX: Final = 2**32 - 1
_U64_MAX: Final = 2**64 - 1
_MAX_ID_BYTES: Final = 256
_MAX_TOPIC_BYTES: Final = 1_024
_U64_TEXT: Final = re.compile("0|[1-9][0-9]{0,19}")
_CONTROLS: Final = re.compile("[\x00-\x1f]")


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane: the bytes that it is made of, and their digest."""

    tuple_bytes: bytes
    lane_id: str
    """64 lowercase hex digits."""


def lane_id(
    *,
    scope: object,
    adapter: object,
    cluster: object,
    resource: object,
    topic: object = None,
    partition: object,
    profile: object,
    capability: object,
    ordering: object,
) -> Lane:
    """Form the identity of a lane. Hashes and UUIDs are lowercase hex, 64-bit numbers decimal text.

    Args:
        scope: tenant routing scope, see `tenant_scope`.
        adapter: a name of `ADAPTERS`.
        cluster: id of the target cluster, 1 to 256 bytes.
        resource: `{"topic_uuid"}` for Kafka, `{"incarnation", "created_ms"}` for Pulsar, `{"token", "created_ms"}`
            for the others.
        topic: physical topic, 1 to 1,024 bytes; none for Kafka.
        partition: physical partition, 0 where there is none.
        profile: destination profile, `{"id", "version", "hash"}`.
        capability: delivery capability profile, the same.
        ordering: `{"domain_hash"}` or `{"bucket"}`.

    Raises:
        InvalidLaneTupleError: with the first faulty field, in this order.
    """
    scope_bytes = _hash(scope, "scope")
    kind = ADAPTERS.get(adapter) if isinstance(adapter, str) else None
    if kind is None:
        raise InvalidLaneTupleError("adapter", "it is no adapter kind")
    identity = b"".join(
        (
            scope_bytes,
            kind.to_bytes(1, "big"),
            _text(cluster, "cluster", _MAX_ID_BYTES),
            *_resource_and_topic(kind, resource, topic),
            _u32(partition, "partition"),
            _profile(profile, "profile"),
            _profile(capability, "capability"),
            _ordering(ordering),
        )
    )
    owner = "nereus-delay" if kind < _OTHER_RESOURCE else "sinkwire"
    return Lane(identity, _digest(f"{owner}-destination-lane-v1", identity).hex())


def tenant_scope(tenant_id: object) -> str:
    """Give the routing scope of a tenant; None and `""` are the same."""
    return _digest(
        "sinkwire-tenant-scope-v1", _lp32(_free_text("" if tenant_id is None else tenant_id, "tenant_id"))
    ).hex()


def ordering_domain(*, scope: object, profile_id: object, profile_version: object, ordering_key: object) -> str:
    """Give the hash of an ordering domain: one ordering key under one profile version of a tenant."""
    fields = (
        _hash(scope, "scope"),
        _text(profile_id, "profile_id", _MAX_ID_BYTES),
        _u64(profile_version, "profile_version", least=1),
        _lp32(_free_text(ordering_key, "ordering_key")),
    )
    return _digest("sinkwire-ordering-domain-v1", *fields).hex()


def lane_bucket(hook_id: object, buckets: object) -> int:
    """Give the bucket of an unordered hook, of a profile's count of buckets."""
    digest = _digest("sinkwire-lane-bucket-v1", _lp32(_free_text(hook_id, "hook_id", least=1)))
    return int.from_bytes(digest[:8], "big") % _count(buckets, "buckets")


def lane_shard(lane_id: object, shards: object) -> int:
    """Give the outbox shard of a lane."""
    digest = _digest("sinkwire-outbox-shard-v1", _hash(lane_id, "lane_id"))
    return int.from_bytes(digest[:4], "big") % _count(shards, "shards")


def profile_hash(id: object, version: object, fields: object) -> str:
    """Give the hash of a profile version: its fields as RFC 8785 JSON, all present, null for none."""
    id_bytes, version_bytes = _text(id, "id", _MAX_ID_BYTES), _u64(version, "version", least=1)
    json_bytes = canonical_json(fields) if isinstance(fields, Mapping) else None
    if json_bytes is None:
        raise InvalidLaneTupleError("fields", "it is not a JSON object")
    return _digest("sinkwire-profile-v1", id_bytes, version_bytes, _lp32(json_bytes)).hex()


def retry_hash(hook_id: object, generation: object, attempt: object) -> bytes:
    """Digest of the attempt that a retry delay is drawn from."""
    fields = (
        _lp32(_free_text(hook_id, "hook_id", least=1)),
        _u32(generation, "generation"),
        _u32(attempt, "attempt", least=1),
    )
    return _digest("sinkwire-retry-v1", *fields)


def _digest(domain: str, *fields: bytes) -> bytes:
    return sha256(b"".join((domain.encode(), b"\x01", *fields))).digest()


def _lp32(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _resource_and_topic(kind: int, resource: object, topic: object) -> tuple[bytes, ...]:
    if kind == _KAFKA:
        (uuid,) = _members(resource, "resource", "topic_uuid")
        uuid_bytes = _hex(uuid, "resource", 16)
        if topic is not None:
            raise InvalidLaneTupleError("topic", "Kafka's is its UUID, none is given")
        return b"\x01", uuid_bytes, _lp32(uuid_bytes)
    if kind == _PULSAR:
        incarnation, created = _members(resource, "resource", "incarnation", "created_ms")
        resource_bytes = b"\x02" + _hash(incarnation, "resource") + _u64(created, "resource", least=1)
    else:
        token, created = _members(resource, "resource", "token", "created_ms")
        resource_bytes = b"\x10" + _text(token, "resource", _MAX_ID_BYTES) + _u64(created, "resource")
    return resource_bytes, _text(topic, "topic", _MAX_TOPIC_BYTES)


def _profile(profile: object, field: str) -> bytes:
    id, version, digest = _members(profile, field, "id", "version", "hash")
    return _text(id, field, _MAX_ID_BYTES) + _u64(version, field, least=1) + _hash(digest, field)


def _ordering(ordering: object) -> bytes:
    if isinstance(ordering, Mapping) and ordering.get("bucket") is not None:
        (bucket,) = _members(ordering, "ordering", "bucket")
        return b"\x02" + _u32(bucket, "ordering")
    (domain_hash,) = _members(ordering, "ordering", "domain_hash")
    return b"\x01" + _hash(domain_hash, "ordering")


def _members(value: object, field: str, *names: str) -> tuple[object, ...]:
    """The members of an object that has these names and no others."""
    if not isinstance(value, Mapping) or {name for name in value if value[name] is not None} != set(names):
        raise InvalidLaneTupleError(field, f"it does not hold exactly {', '.join(names)}")
    return tuple(value[name] for name in names)


def _free_text(value: object, field: str, *, least: int = 0) -> bytes:
    """Any well-formed text."""
    if not isinstance(value, str) or not is_well_formed(value) or len(value) < least:
        raise InvalidLaneTupleError(field, "it is not well-formed text")
    return value.encode()


def _text(value: object, field: str, most: int) -> bytes:
    """A text of the tuple, with its length."""
    data = _free_text(value, field)
    if not 1 <= len(data) <= most or not data.strip(b" ") or _CONTROLS.search(data.decode()):
        raise InvalidLaneTupleError(field, f"it is not text of 1 to {most} bytes without control characters")
    return _lp32(data)


def _hash(value: object, field: str) -> bytes:
    return _hex(value, field, 32)


def _hex(value: object, field: str, size: int) -> bytes:
    if not isinstance(value, str) or re.fullmatch(f"[0-9a-f]{{{2 * size}}}", value) is None:
        raise InvalidLaneTupleError(field, f"it is not {size} bytes in lowercase hex")
    return bytes.fromhex(value)


def _u32(value: object, field: str, *, least: int = 0) -> bytes:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _U32_MAX:
        raise InvalidLaneTupleError(field, f"it is not an integer from {least} to 2**32 - 1")
    return value.to_bytes(4, "big")


def _count(value: object, field: str) -> int:
    return int.from_bytes(_u32(value, field, least=1), "big")


def _u64(value: object, field: str, *, least: int = 0) -> bytes:
    number = int(value) if isinstance(value, str) and _U64_TEXT.fullmatch(value) else -1
    if not least <= number <= _U64_MAX:
        raise InvalidLaneTupleError(field, f"it is not decimal text from {least} to 2**64 - 1")
    return number.to_bytes(8, "big")
