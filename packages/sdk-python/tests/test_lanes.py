"""Known answers of lane identity, and the order in which faults are told."""

from __future__ import annotations

from typing import Any

import pytest

import sinkwire as sw
from sinkwire.jcs import canonical_json

ZERO = "00" * 32
BASE: dict[str, Any] = {
    "scope": ZERO,
    "adapter": "kafka",
    "cluster": "cluster-a",
    "resource": {"topic_uuid": "00" * 16},
    "topic": None,
    "partition": 3,
    "profile": {"id": "profile-a", "version": "1", "hash": ZERO},
    "capability": {"id": "baseline", "version": "1", "hash": ZERO},
    "ordering": {"bucket": 7},
}
BASE_ID = "9ab8f6eaf14154adb301ef83741ff236ae14a948c17ce4aefbdd72200a16a5fd"

KNOWN: list[tuple[dict[str, Any], str]] = [
    ({}, BASE_ID),
    ({"ordering": {"bucket": 8}}, "645de76516297d912c1db732b6fb1c1ed737dcab090304437d029ee5fbe3b772"),
    (
        {"profile": {**BASE["profile"], "version": str(2**64 - 1)}},
        "70df5464b8ca4dcaf4fd46a7c6db66058131d8f3abf75ba700af44a2bac2e933",
    ),
    ({"ordering": {"domain_hash": ZERO}}, "53d270a89f94b58ca477e491848d79cb6b2e843ef1a1642cf7bd6cd67a57d8d4"),
    (
        {"profile": {**BASE["profile"], "id": "profile-ab"}, "capability": {**BASE["capability"], "id": "aseline"}},
        "4994cbb22038a385f0696d31b2d8f7102a337dd4c3ea9cb4be47fdef616034ea",
    ),
]


@pytest.mark.parametrize("changed, expected", KNOWN)
def test_known_lanes(changed: dict[str, Any], expected: str) -> None:
    lane = sw.lane_id(**{**BASE, **changed})
    assert lane.lane_id == expected
    assert len(lane.tuple_bytes) == {"bucket": 197, "domain_hash": 225}[next(iter({**BASE, **changed}["ordering"]))]


FAULTS: list[tuple[str, list[Any]]] = [
    ("scope", [None, "", ZERO.upper().replace("0", "A"), ZERO + "\n", 5]),
    ("adapter", [None, "Kafka", [], "pulsar "]),
    ("cluster", [None, "", "  ", "a\n", "\ud800", "x" * 257]),
    ("resource", [None, {}, {"topic_uuid": "0" * 31}, {"token": "t", "created_ms": "0"}, []]),
    ("topic", ["events", ""]),
    ("partition", [None, -1, 2**32, True, 1.5, "1"]),
    ("profile", [None, {"id": "p", "version": "0", "hash": ZERO}, {"id": "p", "version": "01", "hash": ZERO}]),
    ("capability", [{"id": "p", "version": str(2**64), "hash": ZERO}, {"id": "p", "version": 1, "hash": ZERO}]),
    ("ordering", [None, {}, {"bucket": 1, "domain_hash": ZERO}, {"bucket": -1}, {"bucket": 2**32}]),
]


@pytest.mark.parametrize("field, value", [(field, value) for field, values in FAULTS for value in values])
def test_the_first_fault_in_table_order_is_told(field: str, value: Any) -> None:
    later = [name for name in BASE if list(BASE).index(name) > list(BASE).index(field) and name != "topic"]
    with pytest.raises(sw.InvalidLaneTupleError) as caught:
        sw.lane_id(**{**BASE, field: value, **dict.fromkeys(later)})
    assert caught.value.field == field


def test_every_adapter_has_a_resource_of_its_own() -> None:
    token = {"resource": {"token": "exchange", "created_ms": "0"}, "topic": "events"}
    ids = {sw.lane_id(**{**BASE, **token, "adapter": name}).lane_id for name in ("rabbitmq", "nats", "sqs", "http")}
    pulsar = {"adapter": "pulsar", "resource": {"incarnation": ZERO, "created_ms": "1"}, "topic": "events"}
    assert len(ids | {sw.lane_id(**{**BASE, **pulsar}).lane_id}) == 5
    with pytest.raises(sw.InvalidLaneTupleError, match="resource"):
        sw.lane_id(**{**BASE, **pulsar, "resource": {"incarnation": ZERO, "created_ms": "0"}})


def test_known_derived_hashes() -> None:
    scope = sw.tenant_scope("acme")
    assert scope == "10ff75c7b74782be2fd441c65a550a8084586d8ebdb9da004be9f37fc294db78"
    assert sw.tenant_scope(None) == sw.tenant_scope("")
    domain = sw.ordering_domain(scope=scope, profile_id="orders", profile_version="1", ordering_key="acme/cust-1")
    assert domain == "df311dd907a0ae269d16803ebbf0896a942703e0797d4c7abb2b80a99ba22d48"
    assert sw.lane_bucket("evt_1", 16) == 6
    assert sw.lane_shard(BASE_ID, 16) == 1


def test_known_retry_delays() -> None:
    delays = [
        sw.retry_delay(hook_id="evt_1", generation=0, attempt=attempt, initial_ms=100, max_ms=350)
        for attempt in (1, 2, 3, 4)
    ]
    assert [delay.delay_ms for delay in delays] == [25, 96, 280, 151]
    assert [delay.cap_ms for delay in delays] == [100, 200, 350, 350]


def test_doubling_saturates() -> None:
    delay = sw.retry_delay(hook_id="evt_1", generation=0, attempt=2**32 - 1, initial_ms=1, max_ms=2**53 - 1)
    assert delay.cap_ms == 2**53 - 1
    assert 0 <= delay.delay_ms <= delay.cap_ms
    assert sw.retry_delay(hook_id="e", generation=0, attempt=9, initial_ms=0, max_ms=5).cap_ms == 0


# RFC 8785, section 3.2.2 and appendix B
NUMBERS = {
    0.0: "0",
    5e-324: "5e-324",
    -1.7976931348623157e308: "-1.7976931348623157e+308",
    9007199254740992: "9007199254740992",
    295147905179352830000.0: "295147905179352830000",
    1e21: "1e+21",
    1e23: "1e+23",
    999999999999999900000.0: "999999999999999900000",
    0.000001: "0.000001",
    1e-7: "1e-7",
    333333333.33333329: "333333333.3333333",
    4.5: "4.5",
    0.002: "0.002",
    1e27: "1e+27",
    -1234.5: "-1234.5",
}


@pytest.mark.parametrize("value, expected", NUMBERS.items())
def test_numbers_of_canonical_json(value: float, expected: str) -> None:
    assert canonical_json(value) == expected.encode()


def test_canonical_json_sorts_names_by_utf_16() -> None:
    value = {"\ufb33": 1, "\U0001f600": 2, "\u20ac": 3, "1": [True, None, {"b": 1, "a": '\u000f\n"\\/'}], "\r": 4}
    expected = '{"\\r":4,"1":[true,null,{"a":"\\u000f\\n\\"\\\\/","b":1}],"€":3,"\U0001f600":2,"\ufb33":1}'
    assert canonical_json(value) == expected.encode()


def test_canonical_json_refuses_what_json_cannot_hold() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    loop: dict[str, Any] = {}
    loop["self"] = loop
    for value in (float("nan"), float("inf"), 10**400, "\ud800", {1: 2}, {"\ud800": 1}, b"", deep, loop):
        assert canonical_json(value) is None
    while deep:  # taken apart here: the interpreter would recurse
        deep = deep[0]
