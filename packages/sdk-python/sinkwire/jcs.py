"""RFC 8785 canonical JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Final

from .checks import is_well_formed
from .json_text import MAX_DEPTH

_STRINGS: Final = json.JSONEncoder(ensure_ascii=False)
_DECIMAL_MOST: Final = 21
"""Digits before the point up to which ECMAScript writes no exponent."""
_DECIMAL_LEAST: Final = -6
"""Zeros after the point up to which ECMAScript writes no exponent."""


def canonical_json(value: object) -> bytes | None:
    """Write a value as RFC 8785 JSON, or None for what JSON cannot hold or what nests deeper than `MAX_DEPTH`.

    Integers are written as the nearest IEEE double, as RFC 8785 reads them.
    """
    parts: list[str] = []
    pending: list[tuple[object, int]] = [(value, 1)]  # a depth of 0 marks text that is ready
    while pending:
        item, depth = pending.pop()
        if depth == 0:
            parts.append(str(item))
            continue
        if isinstance(item, (Mapping, list, tuple)):
            if depth > MAX_DEPTH:
                return None
            expanded = _expand(item, depth + 1)
            if expanded is None:
                return None
            pending.extend(reversed(expanded))
            continue
        text = _scalar(item)
        if text is None:
            return None
        parts.append(text)
    return "".join(parts).encode()


def _expand(
    item: Mapping[object, object] | list[object] | tuple[object, ...], depth: int
) -> list[tuple[object, int]] | None:
    expanded: list[tuple[object, int]] = []
    if not isinstance(item, Mapping):
        for element in item:
            expanded += ((",", 0), (element, depth))
        return [("[", 0), *expanded[1:], ("]", 0)]
    names: list[str] = []
    for name in item:
        if not isinstance(name, str) or not is_well_formed(name):
            return None
        names.append(name)
    for name in sorted(names, key=lambda text: text.encode("utf-16-be")):
        expanded += ((",", 0), (f"{_STRINGS.encode(name)}:", 0), (item[name], depth))
    return [("{", 0), *expanded[1:], ("}", 0)]


def _scalar(value: object) -> str | None:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _STRINGS.encode(value) if is_well_formed(value) else None
    if isinstance(value, (int, float)):
        try:
            number = float(value)
        except OverflowError:
            return None
        return _number(number) if math.isfinite(number) else None
    return None


def _number(value: float) -> str:
    """A number as ECMAScript writes it: the same shortest digits as `repr`, other places for the exponent."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)
    digits = digits.rstrip("0")
    if 0 < point <= _DECIMAL_MOST:
        padded = digits.ljust(point, "0")
        text = padded[:point] + (f".{padded[point:]}" if padded[point:] else "")
    elif _DECIMAL_LEAST < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        text = f"{digits[0]}{f'.{digits[1:]}' if digits[1:] else ''}e{point - 1:+d}"
    return sign + text
