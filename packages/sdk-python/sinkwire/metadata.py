"""What rides beside a message: the sets that producers write, and reading what arrives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from .checks import check_text, is_well_formed
from .errors import InvalidHookError
from .keys import computed_key
from .plain import plain_bytes, plain_list, plain_text
from .types import MESSAGE_VERSION, Hook, Pairs, PublishContext

CONTENT_TYPE: Final = "application/json"
"""The content type of every message."""

_HEADERS_ALWAYS: Final = 6
IDENTITY_NAMES: Final = ("ankusa_id", "ankusa_source_id", "ankusa_tenant_id", "ankusa_idempotency_key")
"""The names that can refuse a message."""

METADATA_NAMES: Final = frozenset(
    (
        *IDENTITY_NAMES,
        "ankusa_message_version",
        "content_type",
        "ankusa_dedupe_key",
        "ankusa_replay_id",
        "ankusa_ordering_key",
        "traceparent",
        "tracestate",
    )
)
"""The names that are read."""

ProblemKind = Literal["repeated", "conflict", "unreadable"]


@dataclass(frozen=True, slots=True)
class MetadataProblem:
    """Something odd about one name."""

    name: str
    problem: ProblemKind
    """`repeated`: different values, the last was taken. `conflict`: different values of an identity name, none was
    taken. `unreadable`: a value that is no text."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the metadata of a delivery says; None where it says nothing."""

    id: str | None
    source_id: str | None
    tenant_id: str | None
    message_version: str | None
    idempotency_key: str | None
    dedupe_key: str | None
    replay_id: str | None
    ordering_key: str | None
    traceparent: str | None
    tracestate: str | None
    problems: tuple[MetadataProblem, ...]
    """By first appearance of the name, each kind once a name."""


def headers_set(hook: Hook, context: PublishContext | None = None) -> Pairs:
    """Give the metadata of Kafka and NATS: six names always, then those that have a value.

    Raises:
        InvalidHookError: a field that is written cannot be used.
    """
    pairs = _pairs(hook, context, with_ordering_key=False)
    return pairs[:_HEADERS_ALWAYS] + _present(pairs[_HEADERS_ALWAYS:])


def attributes_set(hook: Hook, context: PublishContext | None = None) -> Pairs:
    """Give the metadata of SQS, Pub/Sub and RabbitMQ: the names that have a value.

    Raises:
        InvalidHookError: a field that is written cannot be used.
    """
    return _present(_pairs(hook, context, with_ordering_key=True))


def _pairs(hook: Hook, context: PublishContext | None, *, with_ordering_key: bool) -> Pairs:
    if not isinstance(hook, Hook):
        raise InvalidHookError("hook", "it is not a Hook")
    hook_id = check_text(hook.id, "id", required=True)
    source_id = check_text(hook.source_id, "source_id", required=True)
    tenant_id = check_text(hook.tenant_id, "tenant_id")
    dedupe_key = check_text(hook.dedupe_key, "dedupe_key")
    traceparent = check_text(hook.traceparent, "traceparent")
    tracestate = check_text(hook.tracestate, "tracestate")
    if context is None:
        context = PublishContext()
    if not isinstance(context, PublishContext):
        raise InvalidHookError("context", "it is not a PublishContext")
    replay_id = check_text(context.replay_id, "replay_id")
    ordering_key = check_text(context.ordering_key, "ordering_key") if with_ordering_key else None
    return (
        ("ankusa_id", hook_id),
        ("ankusa_source_id", source_id),
        ("ankusa_tenant_id", tenant_id or ""),
        ("ankusa_message_version", str(MESSAGE_VERSION)),
        ("ankusa_idempotency_key", computed_key(hook_id, source_id, tenant_id, dedupe_key)),
        ("content_type", CONTENT_TYPE),
        ("ankusa_dedupe_key", dedupe_key or ""),
        ("ankusa_replay_id", replay_id or ""),
        ("ankusa_ordering_key", ordering_key or ""),
        ("traceparent", traceparent or ""),
        ("tracestate", tracestate or ""),
    )


def _present(pairs: Pairs) -> Pairs:
    return tuple(pair for pair in pairs if pair[1])


def read_metadata(container: object) -> Metadata:
    """Read the metadata of a delivery, as any client gives it. Never raises.

    A deduplicating consumer calls this first: nothing is parsed.

    Args:
        container: a mapping or (name, value) pairs, or None. A value is text, UTF-8 bytes, a list of those, a list of
            byte numbers (-128 to 255), SQS's `{"DataType", "StringValue"}` or SNS's `{"Type", "Value"}`. A container
            that raises gives what it gave so far; a value that does is unreadable.
    """
    seen: dict[str, _Seen] = {}
    try:
        for key, value in _entries(container):
            name = plain_text(key)
            if name in METADATA_NAMES:
                seen.setdefault(name, _Seen(name in IDENTITY_NAMES)).add_all(value)
    except Exception:  # whatever a container of others raises: the rest of it cannot be had
        pass

    def get(name: str) -> str | None:
        return seen[name].value if name in seen else None

    return Metadata(
        id=get("ankusa_id"),
        source_id=get("ankusa_source_id"),
        tenant_id=get("ankusa_tenant_id"),
        message_version=get("ankusa_message_version"),
        idempotency_key=get("ankusa_idempotency_key"),
        dedupe_key=get("ankusa_dedupe_key"),
        replay_id=get("ankusa_replay_id"),
        ordering_key=get("ankusa_ordering_key"),
        traceparent=get("traceparent"),
        tracestate=get("tracestate"),
        problems=tuple(MetadataProblem(name, kind) for name, entry in seen.items() for kind in entry.problems),
    )


class _Seen:
    """What was seen under one name so far."""

    __slots__ = ("_identity", "_last", "problems")

    def __init__(self, identity: bool) -> None:
        self._identity = identity
        self._last: str | None = None
        self.problems: dict[ProblemKind, None] = {}

    def add_all(self, value: object) -> None:
        try:
            for single in _values(value):
                self._add(_text(single))
        except Exception:  # whatever a value of others raises
            self._add(None)

    def _add(self, text: str | None) -> None:
        if text is None:
            self.problems["unreadable"] = None
        elif text:
            if self._last is not None and text != self._last:
                self.problems["conflict" if self._identity else "repeated"] = None
            self._last = text

    @property
    def value(self) -> str | None:
        return None if "conflict" in self.problems else self._last


def _entries(container: object) -> Iterator[tuple[object, object]]:
    if isinstance(container, Mapping):
        yield from container.items()
    elif isinstance(container, Iterable) and not isinstance(container, (str, bytes, bytearray, memoryview)):
        for item in container:
            pair = plain_list(item)
            if pair is not None and len(pair) == 2:
                yield pair[0], pair[1]


def _values(value: object) -> Iterable[object]:
    """One value, or each element of a list that is not a list of byte numbers."""
    values = plain_list(value)
    if values is None:
        return (_attribute_value(value) if isinstance(value, Mapping) else value,)
    if values and all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in values):
        in_range = all(isinstance(number, int) and -128 <= number <= 255 for number in values)
        return (bytes(number & 0xFF for number in values) if in_range else values,)
    return values


def _text(value: object) -> str | None:
    """The text of one value, `""` for an absent one, None for an unreadable one."""
    if value is None:
        return ""
    text = plain_text(value)
    if text is not None:
        return text if is_well_formed(text) else None
    try:
        data = plain_bytes(value)
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _attribute_value(attribute: Mapping[object, object]) -> object:
    """The text of an SQS or SNS attribute; the mapping itself, which is unreadable, where it is neither or binary."""
    for type_name, value_name in (("DataType", "StringValue"), ("Type", "Value")):
        kind, value = attribute.get(type_name), attribute.get(value_name)
        if isinstance(kind, str) and not kind.startswith("Binary") and isinstance(value, str):
            return value
    return attribute
