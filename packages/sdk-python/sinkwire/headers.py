"""Which of a hook's request headers go into its message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final, Literal

from .checks import check_count, check_forward, check_headers
from .types import DroppedHeaders, Pairs

DEFAULT_MAX_HEADERS: Final = 64
DEFAULT_MAX_HEADER_BYTES: Final = 16_384
NEVER_FORWARDED: Final = frozenset(
    (
        "authorization",
        "proxy-authorization",
        "cookie",
        "x-api-key",
        "host",
        "content-length",
        "content-type",
        "connection",
        "keep-alive",
        "transfer-encoding",
        "te",
        "trailer",
        "upgrade",
        "expect",
    )
)
_PRODUCER_PREFIX: Final = "x-ankusa-"
_ASCII_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


@dataclass(frozen=True, slots=True)
class ForwardedHeaders:
    """The headers that were kept, in order of first arrival, and how many the caps dropped."""

    headers: Pairs
    dropped: DroppedHeaders


def forward_headers(
    headers: Sequence[Sequence[str]] | None,
    *,
    forward: Literal["default"] | Sequence[str] | None = None,
    max_headers: int | None = None,
    max_header_bytes: int | None = None,
) -> ForwardedHeaders:
    """Choose the headers of a message: lowercase the names, join repeated ones with `", "`, then apply the caps.

    Args:
        headers: (name, value) in order of arrival.
        forward: `"default"` for every header but the never-forwarded ones, a list for those alone, empty for none.
        max_headers: most names kept. Default 64.
        max_header_bytes: most UTF-8 bytes of kept names and values together. Default 16,384.

    Raises:
        InvalidHookError: an argument cannot be used.
    """
    pairs = check_headers(headers)
    names = check_forward(forward)
    most_names = check_count(max_headers, "max_headers", DEFAULT_MAX_HEADERS)
    bytes_left = check_count(max_header_bytes, "max_header_bytes", DEFAULT_MAX_HEADER_BYTES)
    wanted = None if names is None else {name.translate(_ASCII_LOWER) for name in names}
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        name = name.translate(_ASCII_LOWER)
        if name in NEVER_FORWARDED or name.startswith(_PRODUCER_PREFIX) or (wanted is not None and name not in wanted):
            continue
        values.setdefault(name, []).append(value)
    kept: list[tuple[str, str]] = []
    over_count = over_bytes = 0
    for name, arrived in values.items():
        value = ", ".join(arrived)
        size = len(name.encode()) + len(value.encode())
        if len(kept) >= most_names:
            over_count += 1
        elif size > bytes_left:
            over_bytes += 1
        else:
            kept.append((name, value))
            bytes_left -= size
    return ForwardedHeaders(tuple(kept), DroppedHeaders(over_count, over_bytes))
