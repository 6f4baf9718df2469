"""When an outbox tries again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .errors import InvalidLaneTupleError
from .lanes import retry_hash
from .types import MAX_SAFE_INTEGER

_MOST_DOUBLINGS: Final = MAX_SAFE_INTEGER.bit_length()


@dataclass(frozen=True, slots=True)
class RetryDelay:
    """A delay, drawn evenly from 0 to its cap."""

    cap_ms: int
    delay_ms: int


def retry_delay(*, hook_id: str, generation: int, attempt: int, initial_ms: int, max_ms: int) -> RetryDelay:
    """Give the delay after an attempt: the same for the same attempt of the same message.

    Args:
        hook_id: the hook's id.
        generation: 0, and one more with every replay.
        attempt: from 1.
        initial_ms: cap after the first attempt; it doubles with each.
        max_ms: where the cap stops.

    Raises:
        InvalidLaneTupleError: with the first argument that cannot be used.
    """
    first_u64 = int.from_bytes(retry_hash(hook_id, generation, attempt)[:8], "big")
    for field, value in (("initial_ms", initial_ms), ("max_ms", max_ms)):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_SAFE_INTEGER:
            raise InvalidLaneTupleError(field, "it is not an integer from 0 to 2**53 - 1")
    cap = min(max_ms, initial_ms << min(attempt - 1, _MOST_DOUBLINGS))
    return RetryDelay(cap, first_u64 * (cap + 1) >> 64)
