"""The conformance runner: one JSON request a line on stdin, one answer a line on stdout. Public entry points only."""

from __future__ import annotations

import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import sinkwire as sw

Input = dict[str, Any]


@dataclass(frozen=True)
class KeyInput:
    id: Any = None
    source_id: Any = None
    tenant_id: Any = None
    dedupe_key: Any = None
    replay_id: Any = None
    idempotency_key: Any = None


def text(data: bytes) -> str:
    return b64encode(data).decode()


def data_of(value: Any) -> Any:
    """Bytes of a canonical base64 text; what is none stays what it is, for the operation to refuse."""
    try:
        data = b64decode(value, validate=True) if isinstance(value, str) else None
    except ValueError:
        return value
    return value if data is None or text(data) != value else data


def record(kind: type, value: Any, **changed: Callable[[Any], Any]) -> Any:
    """A record of the names that it knows; what is no object stays what it is, for the operation to refuse."""
    if not isinstance(value, dict):
        return value
    known = {field.name: value.get(field.name) for field in fields(kind)}
    return kind(**{name: changed.get(name, lambda same: same)(item) for name, item in known.items()})


def verification(value: Any) -> Any:
    return record(sw.Verification, value)


def hook(given: Input) -> Any:
    value = given.get("hook")
    if isinstance(value, dict):
        value = {**value, "body": data_of(value.get("body_base64"))}
    return record(sw.Hook, value, verification=verification)


def published(given: Input) -> tuple[Any, Any, Any]:
    context, limits = record(sw.PublishContext, given.get("context")), record(sw.SizeLimits, given.get("limits"))
    return hook(given), context, limits


def options(given: Input) -> Any:
    value = given.get("options")
    return value if isinstance(value, dict) else {}


def metadata_value(value: Any) -> Any:
    if isinstance(value, list):
        return [metadata_value(element) for element in value]
    return b64decode(value["base64"]) if isinstance(value, dict) and set(value) == {"base64"} else value


def metadata_pairs(given: Input) -> Any:
    pairs = given.get("pairs")
    if not isinstance(pairs, list):
        return pairs
    return [(pair[0], metadata_value(pair[1])) if isinstance(pair, list) and len(pair) == 2 else pair for pair in pairs]


def names(value: Any, *skip: str) -> Input:
    return {field.name: getattr(value, field.name) for field in fields(value) if field.name not in skip}


def decode_message(given: Input) -> Input:
    message = sw.decode_message(b64decode(given["bytes_base64"]), max_bytes=given.get("max_bytes"))
    checked = message.verification and names(message.verification)
    body = None if message.body is None else text(message.body)
    return {**names(message, "body"), "verification": checked, "headers": dict(message.headers), "body_base64": body}


def encode_message(given: Input) -> Input:
    encoded = sw.encode_message(*published(given), record(sw.Claim, given.get("claim")))
    return {"message_base64": text(encoded.data), "form": encoded.form}


def serialize_message(given: Input) -> Input:
    return {"message_base64": text(sw.serialize_message(sw.decode_message(b64decode(given["bytes_base64"]))))}


def idempotency_key(given: Input) -> Input:
    message = record(KeyInput, given.get("message"))
    return {"key": sw.idempotency_key(message, include_replay=given.get("include_replay"))}  # type: ignore[arg-type]


def forward_headers(given: Input) -> Input:
    forwarded = sw.forward_headers(
        given.get("headers"),
        forward=given.get("forward"),
        max_headers=given.get("max_headers"),
        max_header_bytes=given.get("max_header_bytes"),
    )
    return {"headers": forwarded.headers, "dropped": names(forwarded.dropped)}


def parse_claim_ref(given: Input) -> Input:
    ref = sw.parse_claim_ref(given.get("ref"))  # type: ignore[arg-type]
    return {**names(ref), "path": ref.path}


def claim_id_parts(given: Input) -> Input:
    return names(sw.claim_id_parts(given.get("claim_id"), given.get("tenant_id")))  # type: ignore[arg-type]


def metadata_set(write: Callable[..., sw.types.Pairs], given: Input) -> Input:
    return {"pairs": write(hook(given), record(sw.PublishContext, given.get("context")))}


def read_metadata(given: Input) -> Input:
    metadata = sw.read_metadata(metadata_pairs(given))
    return {**names(metadata), "problems": [names(problem) for problem in metadata.problems]}


def read_delivery(given: Input) -> Input:
    data = given.get("bytes_base64")
    read = sw.read_delivery(metadata_pairs(given), None if data is None else b64decode(data))
    if isinstance(read, sw.InvalidRead):
        raise read.error
    return {"kind": "message", "id": read.message.id} if isinstance(read, sw.MessageRead) else {"kind": "tombstone"}


def transport(write: Callable[..., Any], rename: dict[str, str], *option_names: str) -> Callable[[Input], Input]:
    def operation(given: Input) -> Input:
        chosen = {name: options(given).get(name) for name in option_names}
        mapped = names(write(*published(given), record(sw.Claim, given.get("claim")), **chosen), "form")
        return {
            rename.get(name, name): text(value) if isinstance(value, bytes) else value for name, value in mapped.items()
        }

    return operation


def lane_id(given: Input) -> Input:
    wanted = ["scope", "adapter", "cluster", "resource", "topic", "partition", "profile", "capability", "ordering"]
    lane = sw.lane_id(**{name: given.get(name) for name in wanted})
    return {"tuple": lane.tuple_bytes.hex(), "lane_id": lane.lane_id}


def arguments(result: str | None, call: Callable[..., Any], *wanted: str) -> Callable[[Input], Input]:
    def operation(given: Input) -> Input:
        value = call(**{name: given.get(name) for name in wanted})
        return names(value) if result is None else {result: value}

    return operation


OPERATIONS: dict[str, Callable[[Input], Input]] = {
    "decode_message": decode_message,
    "encode_message": encode_message,
    "serialize_message": serialize_message,
    "plan_message": lambda given: {"form": sw.plan_message(*published(given))},
    "idempotency_key": idempotency_key,
    "delivery_id": arguments("delivery_id", sw.delivery_id, "id", "replay_id"),
    "forward_headers": forward_headers,
    "parse_claim_ref": parse_claim_ref,
    "format_claim_ref": lambda given: {"ref": sw.format_claim_ref(record(sw.ClaimRef, given))},
    "claim_id_parts": claim_id_parts,
    "headers_set": lambda given: metadata_set(sw.headers_set, given),
    "attributes_set": lambda given: metadata_set(sw.attributes_set, given),
    "read_metadata": read_metadata,
    "read_delivery": read_delivery,
    "kafka_record": transport(sw.kafka_record, {"value": "value_base64"}, "key"),
    "nats_message": transport(sw.nats_message, {"payload": "payload_base64"}, "subject"),
    "amqp_publish": transport(sw.amqp_publish, {"body": "body_base64"}, "exchange", "routing_key"),
    "redis_publish": transport(sw.redis_publish, {"payload": "payload_base64"}),
    "sqs_entry": transport(sw.sqs_entry, {}, "queue_url", "message_group_id", "reserved_attributes"),
    "pubsub_message": transport(sw.pubsub_message, {"data": "data_base64"}, "ordering_key"),
    "lane_id": lane_id,
    "tenant_scope": arguments("scope", sw.tenant_scope, "tenant_id"),
    "ordering_domain": arguments(
        "domain_hash", sw.ordering_domain, "scope", "profile_id", "profile_version", "ordering_key"
    ),
    "lane_bucket": arguments("bucket", sw.lane_bucket, "hook_id", "buckets"),
    "profile_hash": arguments("hash", sw.profile_hash, "id", "version", "fields"),
    "lane_shard": arguments("shard", sw.lane_shard, "lane_id", "shards"),
    "retry_delay": arguments(None, sw.retry_delay, "hook_id", "generation", "attempt", "initial_ms", "max_ms"),
}


def answer(operation: str, given: Input) -> Input:
    """Run one operation: `{"ok"}`, `{"error"}` or `{"unsupported"}`."""
    if operation not in OPERATIONS:
        return {"unsupported": True}
    try:
        return {"ok": OPERATIONS[operation](given)}
    except sw.SinkwireError as error:
        return {"error": {"code": error.code, "field": error.field, "retryable": error.retryable}}


def number(digits: str) -> int | float:
    """JSON has one kind of number: `1.0` is the integer 1."""
    value = float(digits)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def utf16(value: Input) -> Any:
    """`{"$utf16": [units]}` is a text that JSON cannot carry: surrogates in a str, paired ones joined."""
    if set(value) != {"$utf16"}:
        return value
    units = b"".join(unit.to_bytes(2, "big") for unit in value["$utf16"])
    return units.decode("utf-16-be", "surrogatepass")


def parse(line: bytes | str) -> Any:
    return json.loads(line, parse_int=number, parse_float=number, object_hook=utf16)


def main() -> None:
    for line in sys.stdin.buffer:
        request = parse(line)
        reply = {"id": request["id"], **answer(request["operation"], request["input"])}
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
