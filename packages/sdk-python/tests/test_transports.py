"""Mappings of each transport, its limits, and the shapes that Python's clients give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pika
import pytest
from samples import REF, data, hook

import sinkwire as sw
from sinkwire.transports import (
    AMQP_MAX_BYTES,
    KAFKA_MAX_BYTES,
    NATS_MAX_BYTES,
    PUBSUB_MAX_BYTES,
    REDIS_MAX_BYTES,
    SQS_MAX_BYTES,
)

Map = Callable[..., Any]
QUEUE = "https://sqs.example/1/hooks"
MAPPINGS: dict[str, tuple[Map, int]] = {
    "kafka": (sw.kafka_record, KAFKA_MAX_BYTES),
    "nats": (lambda *given: sw.nats_message(*given, subject="hooks"), NATS_MAX_BYTES),
    "rabbitmq": (lambda *given: sw.amqp_publish(*given, exchange="hooks"), AMQP_MAX_BYTES),
    "redis": (sw.redis_publish, REDIS_MAX_BYTES),
    "sqs": (lambda *given: sw.sqs_entry(*given, queue_url=QUEUE), SQS_MAX_BYTES),
    "pubsub": (sw.pubsub_message, PUBSUB_MAX_BYTES),
}
ALL_FIELDS = {"traceparent": "00-aa", "tracestate": "b=c"}
ALL_CONTEXT = sw.PublishContext(replay_id="r1", ordering_key="k")


def claim_of(body: bytes) -> sw.Claim:
    return sw.Claim(REF, sha256(body).hexdigest())


def digest(text: str) -> str:
    return "sha256:" + sha256(text.encode()).hexdigest()


def carried(mapped: Any) -> bytes:
    """The message, under whatever name the transport has for it."""
    for name in ("value", "payload", "body", "data"):
        if hasattr(mapped, name):
            value = getattr(mapped, name)
            return bytes(value.encode() if isinstance(value, str) else value)
    raise AssertionError("no message")


@pytest.mark.parametrize("mapping, default", MAPPINGS.values(), ids=MAPPINGS.keys())
def test_limits_are_exact(mapping: Map, default: int) -> None:
    body = b"x" * 300
    inline = mapping(hook(body=body))
    assert sw.decode_message(carried(inline)).body == body
    size = inline.size
    assert mapping(hook(body=body), None, sw.SizeLimits(max_bytes=size)) == inline
    degraded = mapping(hook(body=body), None, sw.SizeLimits(max_bytes=size - 1), claim_of(body))
    assert (inline.form, degraded.form) == ("inline", "claim")
    smallest = sw.SizeLimits(max_bytes=degraded.size, inline_max_bytes=0)
    assert mapping(hook(body=body), None, smallest, claim_of(body)) == degraded
    with pytest.raises(sw.MessageTooLargeError) as caught:
        below = sw.SizeLimits(max_bytes=degraded.size - 1, inline_max_bytes=0)
        mapping(hook(body=body), None, below, claim_of(body))
    assert (caught.value.size, caught.value.limit) == (degraded.size, degraded.size - 1)


@pytest.mark.parametrize("mapping, default", MAPPINGS.values(), ids=MAPPINGS.keys())
def test_the_default_limit_is_the_transport_s(mapping: Map, default: int) -> None:
    limits = sw.SizeLimits(inline_max_bytes=default)
    overhead = mapping(hook(body=b"")).size
    room = (default - overhead - 6) // 4 * 3
    fits = mapping(hook(body=b"x" * room), None, limits)
    assert fits.form == "inline"
    assert default - 8 <= fits.size <= default
    with pytest.raises(sw.ClaimError, match="checked in"):
        mapping(hook(body=b"x" * (room + 6)), None, limits)


def test_kafka() -> None:
    record = sw.kafka_record(hook(), key="option")
    assert (record.key, record.timestamp) == ("option", hook().received_at)
    assert record.size == len(record.value) + len("option")
    assert record.headers == sw.headers_set(hook())
    assert sw.kafka_record(hook()).key == "acme/stripe"
    assert sw.kafka_record(hook(tenant_id=None), sw.PublishContext(ordering_key="")).key == "/stripe"
    replay = sw.kafka_record(hook(), ALL_CONTEXT, key="option")
    assert (replay.key, replay.timestamp) == ("k", None)
    assert sw.kafka_record(hook(received_at=-1)).timestamp is None
    assert sw.kafka_record(hook(received_at=0)).timestamp == 0


def test_nats() -> None:
    message = sw.nats_message(hook(), ALL_CONTEXT, subject="hooks.acme")
    assert message.headers[0] == ("Nats-Msg-Id", "hook_1:replay:r1")
    block = "NATS/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in message.headers) + "\r\n"
    assert message.size == len(message.payload) + len(block)


@pytest.mark.parametrize("bad", ["a\rb", "a\nb", "a\0b", " a", "a\t"])
def test_nats_leaves_out_what_a_header_cannot_carry(bad: str) -> None:
    message = sw.nats_message(hook(id=bad, traceparent=bad, tracestate="t s"), subject="hooks")
    headers = dict(message.headers)
    assert headers["Nats-Msg-Id"] == digest(bad)
    assert headers["tracestate"] == "t s"
    assert not {"ankusa_id", "traceparent"} & headers.keys()


@pytest.mark.parametrize("subject", ["", ".", "a..b", ".a", "a.", "a b", "a\tb", "a.*", ">", "a.>", "x" * 256, None, 5])
def test_nats_refuses_what_is_no_subject(subject: Any) -> None:
    with pytest.raises(sw.InvalidHookError) as caught:
        sw.nats_message(hook(body=b"x" * 10), None, sw.SizeLimits(max_bytes=1), subject=subject)
    assert caught.value.field == "subject"


def test_rabbitmq() -> None:
    publish = sw.amqp_publish(hook(), ALL_CONTEXT, exchange="hooks")
    assert (publish.routing_key, publish.message_id) == ("ankusa.stripe", "hook_1")
    assert (publish.content_type, publish.delivery_mode, publish.mandatory) == ("application/json", 2, True)
    assert publish.headers == sw.attributes_set(hook(), ALL_CONTEXT)
    assert publish.size == len(publish.body)
    assert sw.amqp_publish(hook(), exchange="hooks", routing_key="").routing_key == ""
    assert sw.amqp_publish(hook(source_id=""), exchange="").routing_key == "ankusa."


def test_rabbitmq_short_strings() -> None:
    assert sw.amqp_publish(hook(id="i" * 255), exchange="e").message_id == "i" * 255
    assert sw.amqp_publish(hook(id="é" * 128), exchange="e").message_id is None
    longest = "s" * (255 - len("ankusa."))
    assert len(sw.amqp_publish(hook(source_id=longest), exchange="e").routing_key) == 255
    for field, given in (
        ("source_id", {"hook": hook(source_id=longest + "s"), "exchange": "e"}),
        ("routing_key", {"hook": hook(), "exchange": "e", "routing_key": "r" * 256}),
        ("exchange", {"hook": hook(), "exchange": "e" * 256}),
    ):
        with pytest.raises(sw.InvalidHookError) as caught:
            sw.amqp_publish(**given)  # type: ignore[arg-type]
        assert caught.value.field == field


def test_redis() -> None:
    message = sw.redis_publish(hook())
    assert message.fields == {"message": message.payload}
    assert message.size == len(message.payload)


def test_sqs_standard_queue() -> None:
    entry = sw.sqs_entry(hook(), queue_url=QUEUE)
    assert (entry.group_id, entry.deduplication_id) == (None, None)
    assert sw.sqs_entry(hook(), ALL_CONTEXT, queue_url=QUEUE, message_group_id="g").group_id == "g"
    assert entry.size == len(entry.body) + sum(
        len(name) + len("String") + len(value) for name, value in entry.attributes
    )
    assert entry.message_attributes["ankusa_id"] == {"DataType": "String", "StringValue": "hook_1"}


def test_sqs_fifo_queue() -> None:
    fifo = f"{QUEUE}.fifo//"
    entry = sw.sqs_entry(hook(), ALL_CONTEXT, queue_url=fifo, message_group_id="g")
    assert (entry.group_id, entry.deduplication_id) == ("k", "hook_1:replay:r1")
    assert sw.sqs_entry(hook(), queue_url=fifo, message_group_id="g").group_id == "g"
    assert sw.sqs_entry(hook(), queue_url=fifo).group_id == "acme/stripe"


@pytest.mark.parametrize(
    "key, kept", [("~" * 128, True), ("~" * 129, False), ("a b", False), ("é", False), ("\x7f", False)]
)
def test_sqs_keys(key: str, kept: bool) -> None:
    entry = sw.sqs_entry(hook(id=key), queue_url=f"{QUEUE}.fifo", message_group_id=key)
    expected = key if kept else digest(key)
    assert (entry.group_id, entry.deduplication_id) == (expected, expected)


@pytest.mark.parametrize(
    "reserved, count, last", [(0, 10, "traceparent"), (1, 9, "ankusa_ordering_key"), (5, 5, "ankusa_idempotency_key")]
)
def test_sqs_takes_ten_attributes(reserved: int, count: int, last: str) -> None:
    entry = sw.sqs_entry(hook(**ALL_FIELDS), ALL_CONTEXT, queue_url=QUEUE, reserved_attributes=reserved)
    assert len(entry.attributes) == count
    assert entry.attributes[-1][0] == last


@pytest.mark.parametrize("reserved", [-1, 6, True, 1.5, "1"])
def test_sqs_reserves_at_most_five(reserved: Any) -> None:
    with pytest.raises(sw.InvalidHookError) as caught:
        sw.sqs_entry(hook(), queue_url=QUEUE, reserved_attributes=reserved)
    assert caught.value.field == "reserved_attributes"


@pytest.mark.parametrize("bad", ["\0", "\x0b", "\x1f", "\ufffe", "\uffff"])
def test_sqs_leaves_out_what_xml_cannot_carry(bad: str) -> None:
    names = dict(sw.sqs_entry(hook(traceparent=f"a{bad}", tracestate="\t\n\r\x7f"), queue_url=QUEUE).attributes)
    assert "traceparent" not in names
    assert names["tracestate"] == "\t\n\r\x7f"


def test_pubsub() -> None:
    message = sw.pubsub_message(hook(traceparent="é" * 512, tracestate="é" * 512 + "x"), ordering_key="option")
    assert "tracestate" not in dict(message.attributes)
    assert dict(message.attributes)["traceparent"] == "é" * 512
    counted = sum(len(name.encode()) + len(value.encode()) for name, value in message.attributes)
    assert message.size == len(message.data) + counted + len("option")
    assert sw.pubsub_message(hook(), ALL_CONTEXT, ordering_key="option").ordering_key == "k"
    assert sw.pubsub_message(hook()).ordering_key is None
    assert sw.pubsub_message(hook(), ordering_key="k" * 1024).ordering_key == "k" * 1024
    assert sw.pubsub_message(hook(), ordering_key="k" * 1025).ordering_key == digest("k" * 1025)


class ConfluentRecord:
    """As confluent-kafka gives it: methods, headers as pairs of text and bytes."""

    def __init__(self, value: bytes | None, headers: list[tuple[str, bytes]] | None) -> None:
        self._value, self._headers = value, headers

    def value(self) -> bytes | None:
        return self._value

    def headers(self) -> list[tuple[str, bytes]] | None:
        return self._headers


PAIRS = sw.headers_set(hook())
BYTE_PAIRS = [(name, value.encode()) for name, value in PAIRS]
ATTRIBUTES = {name: {"DataType": "String", "StringValue": value} for name, value in PAIRS}
RECORD = {
    "body": data().decode(),
    "messageAttributes": {name: {"dataType": "String", "stringValue": value} for name, value in PAIRS},
}
SNS = '{"Type": "Notification", "Message": %s, "MessageAttributes": {"ankusa_id": {"Type": "String", "Value": "%s"}}}'
RAW = data()


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


SHAPES: dict[str, Callable[[], sw.Read]] = {
    "confluent-kafka": lambda: sw.read_kafka(ConfluentRecord(RAW, BYTE_PAIRS)),
    "kafka-python, aiokafka": lambda: sw.read_kafka(SimpleNamespace(value=RAW, headers=tuple(BYTE_PAIRS))),
    "nats-py": lambda: sw.read_nats(SimpleNamespace(data=RAW, headers=dict(PAIRS))),
    "pika": lambda: sw.read_amqp(pika.BasicProperties(headers=dict(PAIRS)), RAW),
    "boto3": lambda: sw.read_sqs({"Body": RAW.decode(), "MessageAttributes": ATTRIBUTES}),
    "boto3, from SNS": lambda: sw.read_sqs({"Body": SNS % (quoted(RAW.decode()), "hook_1")}, unwrap_sns=True),
    "function trigger": lambda: sw.read_sqs(RECORD),
    "google-cloud-pubsub": lambda: sw.read_pubsub(SimpleNamespace(data=RAW, attributes=dict(PAIRS))),
}


@pytest.mark.parametrize("read", SHAPES.values(), ids=SHAPES.keys())
def test_shapes_of_clients(read: Callable[[], sw.Read]) -> None:
    delivery = read()
    assert isinstance(delivery, sw.MessageRead)
    assert delivery.message.id == delivery.metadata.id == "hook_1"
    assert delivery.metadata.problems == ()


REDIS: dict[str, Any] = {
    "fields": {b"message": RAW},
    "decoded fields": {"message": RAW.decode()},
    "data of a channel": RAW,
}


@pytest.mark.parametrize("entry", REDIS.values(), ids=REDIS.keys())
def test_shapes_of_redis(entry: Any) -> None:
    assert isinstance(sw.read_redis(entry), sw.MessageRead)


TOMBSTONES: dict[str, Callable[[], sw.Read]] = {
    "confluent-kafka": lambda: sw.read_kafka(ConfluentRecord(None, BYTE_PAIRS)),
    "kafka-python, aiokafka": lambda: sw.read_kafka(SimpleNamespace(value=None, headers=BYTE_PAIRS)),
    "nats-py": lambda: sw.read_nats(SimpleNamespace(data=None, headers=dict(PAIRS))),
    "pika": lambda: sw.read_amqp(pika.BasicProperties(headers=dict(PAIRS)), None),
    "boto3": lambda: sw.read_sqs({"Body": None, "MessageAttributes": ATTRIBUTES}),
    "function trigger": lambda: sw.read_sqs({"body": None, "messageAttributes": RECORD["messageAttributes"]}),
    "google-cloud-pubsub": lambda: sw.read_pubsub(SimpleNamespace(data=None, attributes=dict(PAIRS))),
}


@pytest.mark.parametrize("read", TOMBSTONES.values(), ids=TOMBSTONES.keys())
def test_a_body_of_none_is_a_tombstone(read: Callable[[], sw.Read]) -> None:
    delivery = read()
    assert isinstance(delivery, sw.TombstoneRead)
    assert delivery.metadata.id == "hook_1"


@pytest.mark.parametrize("entry", [None, {b"message": None}, {"message": None}], ids=repr)
def test_an_entry_that_was_deleted_is_a_tombstone(entry: Any) -> None:
    assert isinstance(sw.read_redis(entry), sw.TombstoneRead)


class Raising:
    """A record whose client raises, whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class RaisingMapping(Mapping[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


READERS: dict[str, Callable[[Any], sw.Read]] = {
    "kafka": sw.read_kafka,
    "nats": sw.read_nats,
    "pubsub": sw.read_pubsub,
    "sqs": sw.read_sqs,
    "redis": sw.read_redis,
    "amqp": lambda body: sw.read_amqp(pika.BasicProperties(), body),
    "delivery": lambda body: sw.read_delivery(None, body),
}
NO_RECORDS: list[Any] = [
    5, [], (), {}, {"other": RAW}, object(), Raising(), RaisingMapping(), SimpleNamespace(payload=RAW), True
]  # fmt: skip


@pytest.mark.parametrize("record", NO_RECORDS, ids=lambda record: type(record).__name__)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
def test_what_is_no_record_is_invalid_and_never_a_tombstone(read: Callable[[Any], sw.Read], record: Any) -> None:
    delivery = read(record)
    assert isinstance(delivery, sw.InvalidRead)
    assert (delivery.error.code, delivery.error.field, delivery.data) == ("invalid_json", None, b"")


@pytest.mark.parametrize("record", [None, "x", b"x"], ids=repr)
@pytest.mark.parametrize("transport", ["kafka", "nats", "pubsub", "sqs"])
def test_no_text_and_no_none_is_a_record(transport: str, record: Any) -> None:
    delivery = READERS[transport](record)
    assert isinstance(delivery, sw.InvalidRead)
    assert delivery.error.code == "invalid_json"


@pytest.mark.parametrize("data", [RAW, RAW.decode(), b"x", "x", bytearray(b"x"), memoryview(b"x")], ids=type)
def test_the_original_is_kept_and_owned(data: Any) -> None:
    delivery = sw.read_delivery(None, data)
    assert not isinstance(delivery, sw.TombstoneRead)
    assert delivery.data == (data if isinstance(data, str) else bytes(data))
    assert type(delivery.data) in (bytes, str)


ENVELOPES = ['{"Type": "Notification", "Message": null}', SNS.replace("Notification", "Other") % ('"x"', "hook_1")]


@pytest.mark.parametrize("body", ENVELOPES)
def test_what_is_no_notification_is_read_as_it_is(body: str) -> None:
    delivery = sw.read_sqs({"Body": body}, unwrap_sns=True)
    assert isinstance(delivery, sw.InvalidRead)
    assert (delivery.error.code, delivery.data) == ("unsupported_version", body)


def test_a_notification_is_not_unwrapped_unasked() -> None:
    wrapped = sw.read_sqs({"Body": SNS % (quoted(RAW.decode()), "hook_1")})
    assert isinstance(wrapped, sw.InvalidRead)
    assert wrapped.error.code == "unsupported_version"


def test_an_attribute_of_a_record_that_is_no_text_is_unreadable() -> None:
    attributes = {"ankusa_id": {"dataType": "Binary", "binaryValue": "aA=="}, "traceparent": 5}
    delivery = sw.read_sqs({"body": RAW.decode(), "messageAttributes": attributes})
    assert isinstance(delivery, sw.MessageRead)
    assert [(found.name, found.problem) for found in delivery.metadata.problems] == [
        ("ankusa_id", "unreadable"),
        ("traceparent", "unreadable"),
    ]


@pytest.mark.parametrize("mode", ["Verify", "", 5, True, [], b"verify"], ids=repr)
@pytest.mark.parametrize("data", [RAW, None, 5], ids=["message", "tombstone", "invalid"])
def test_an_unusable_mode_is_refused_whatever_was_delivered(mode: Any, data: Any) -> None:
    calls: list[Callable[[], sw.Read]] = [
        lambda: sw.read_delivery(None, data, mode=mode),
        lambda: sw.read_kafka(SimpleNamespace(value=data), mode=mode),
        lambda: sw.read_nats(SimpleNamespace(data=data), mode=mode),
        lambda: sw.read_amqp(None, data, mode=mode),
        lambda: sw.read_sqs({"Body": data}, mode=mode),
        lambda: sw.read_pubsub(SimpleNamespace(data=data), mode=mode),
    ]
    for call in calls:
        with pytest.raises(sw.InvalidHookError) as caught:
            call()
        assert caught.value.field == "metadata"


@pytest.mark.parametrize("unwrap", [1, "sns", []], ids=repr)
def test_an_unusable_unwrap_is_refused(unwrap: Any) -> None:
    with pytest.raises(sw.InvalidHookError) as caught:
        sw.read_sqs({"Body": None}, unwrap_sns=unwrap)
    assert caught.value.field == "unwrap_sns"


def test_metadata_that_contradicts_the_message_refuses_it_unless_ignored() -> None:
    record = ConfluentRecord(RAW, [("ankusa_id", b"other")])
    refused = sw.read_kafka(record)
    assert isinstance(refused, sw.InvalidRead)
    assert (refused.error.code, refused.error.field) == ("metadata_mismatch", "id")
    assert isinstance(sw.read_kafka(record, mode="ignore"), sw.MessageRead)


@pytest.mark.parametrize("container", [None, 5, "text", b"bytes", [1], [("a",)], [[]], {1: 2}, object()], ids=repr)
def test_no_container_breaks_the_reading(container: Any) -> None:
    assert sw.read_metadata(container) == sw.read_metadata({})
