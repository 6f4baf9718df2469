"""JSON texts from peers that are not trusted: rule 1.2-1 on top of the standard parser."""

from __future__ import annotations

import _thread
import json
import re
from itertools import accumulate
from typing import Final, NoReturn

MAX_DEPTH: Final = 64
"""Levels of nesting that are read; the outermost value is level 1."""

_NOT_STRUCTURE: Final = bytes(byte for byte in range(256) if byte not in b'"[]{}')
_STEPS: Final = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_STRING: Final = re.compile(rb'"[^"]*"')
_LONE_SURROGATE: Final = re.compile(
    r"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]", re.DOTALL
)


class JsonTextError(ValueError):
    """Bytes that are not one JSON text; the message says why and quotes none of them."""


def parse_json(data: bytes) -> object:
    """Parse one JSON text. Every number comes out as a float: reading it takes linear time, however many digits it has.

    Uses a stack of at most `MAX_DEPTH` levels, its own where the caller's is nearly used up.

    Raises:
        JsonTextError: not strict UTF-8, not RFC 8259, a name twice in one object, a lone surrogate, too deep.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonTextError("it starts with a byte order mark")
    if data.startswith(b"\0"):
        raise JsonTextError("it starts with a zero byte, as schema registry framing does")
    if (_has_many(data, b"[") or _has_many(data, b"{")) and _is_too_deep(data):
        raise JsonTextError(f"it nests deeper than {MAX_DEPTH} levels")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonTextError(f"it is not UTF-8 at byte {error.start}") from None
    if "\\" in text and _LONE_SURROGATE.search(text.replace("\\\\", "__")):
        raise JsonTextError("a string holds a lone surrogate")
    try:
        return _load(text)
    except RecursionError:
        return _load_on_a_new_stack(text)


def _has_many(data: bytes, bracket: bytes) -> bool:
    """Tell whether a bracket occurs so often that the text might be too deep: mostly a search that finds nothing."""
    at = -1
    for _ in range(MAX_DEPTH // 2 + 1):
        at = data.find(bracket, at + 1)
        if at < 0:
            return False
    return True


def _is_too_deep(data: bytes) -> bool:
    """Tell whether a text passes `MAX_DEPTH`, exact up to the first place where it stops being JSON."""
    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _NOT_STRUCTURE)
    steps = _STRING.sub(b"", bare).replace(b'"', b"").translate(_STEPS)
    return any(map(MAX_DEPTH.__lt__, accumulate(memoryview(steps).cast("b"))))


def _load(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonTextError(f"{error.msg} at character {error.pos}") from None


def _load_on_a_new_stack(text: str) -> object:
    outcome: list[object] = []
    done = _thread.allocate_lock()
    done.acquire()

    def run() -> None:
        try:
            outcome.append(_load(text))
        except BaseException as error:  # handed over to the waiting thread
            outcome.append(error)
        finally:
            done.release()

    _thread.start_new_thread(run, ())
    done.acquire()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise JsonTextError("an object holds one name twice")
    return members


def _constant(name: str) -> NoReturn:
    raise JsonTextError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_int=float, parse_constant=_constant)
