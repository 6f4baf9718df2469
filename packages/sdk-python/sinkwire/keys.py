"""Keys that consumers and brokers deduplicate on."""

from __future__ import annotations

from typing import Protocol

from .checks import check_text
from .errors import InvalidHookError
from .plain import plain_text


class KeyFields(Protocol):
    """The fields of a message that its idempotency key is made of."""

    @property
    def id(self) -> str: ...
    @property
    def source_id(self) -> str: ...
    @property
    def tenant_id(self) -> str | None: ...
    @property
    def dedupe_key(self) -> str | None: ...
    @property
    def replay_id(self) -> str | None: ...
    @property
    def idempotency_key(self) -> str | None: ...


def idempotency_key(message: KeyFields, *, include_replay: bool = False) -> str:
    """Give the key that a consumer deduplicates on: the shipped one, else computed from the message.

    Args:
        message: a message, or anything with the fields that the rule uses.
        include_replay: tell replays apart, by `#replay:<replay_id>` at the end. Default off.

    Raises:
        InvalidHookError: a field that the rule looks at is not well-formed text.
    """
    if not hasattr(message, "id"):
        raise InvalidHookError("message", "it is not a message")
    shipped = plain_text(getattr(message, "idempotency_key", None))
    if shipped:
        key = check_text(shipped, "idempotency_key", required=True)
    else:
        key = computed_key(
            getattr(message, "id", None),
            getattr(message, "source_id", None),
            getattr(message, "tenant_id", None),
            getattr(message, "dedupe_key", None),
        )
    if include_replay is not None and not isinstance(include_replay, bool):
        raise InvalidHookError("include_replay", "it is not a boolean")
    replay_id = check_text(getattr(message, "replay_id", None), "replay_id") if include_replay else None
    return f"{key}#replay:{replay_id}" if replay_id else key


def computed_key(id: object, source_id: object, tenant_id: object, dedupe_key: object) -> str:
    """Compute an idempotency key.

    Raises:
        InvalidHookError: one of the four is not well-formed text, used or not.
    """
    hook_id = check_text(id, "id", required=True)
    source = check_text(source_id, "source_id", required=True)
    tenant = check_text(tenant_id, "tenant_id")
    dedupe = check_text(dedupe_key, "dedupe_key")
    return f"{'default' if tenant is None else tenant}:{source}:{dedupe}" if dedupe else hook_id


def delivery_id(id: str, replay_id: str | None = None) -> str:
    """Give the id that a broker deduplicates one delivery on; a replay has one of its own.

    Raises:
        InvalidHookError: `id` or `replay_id` is not well-formed text, or `id` is empty.
    """
    hook_id, replay = check_text(id, "id", required=True), check_text(replay_id, "replay_id")
    return f"{hook_id}:replay:{replay}" if replay else hook_id
