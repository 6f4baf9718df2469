"""JSON texts from peers that are not trusted: rule 1.2-1 on top of the standard parser."""

from __future__ import annotations

import _thread
import codecs
import json
import re
from itertools import accumulate
from typing import Final, NoReturn

MAX_DEPTH: Final = 64
"""Levels of nesting that are read; the outermost value is level 1."""

TOO_DEEP: Final = f"it nests deeper than {MAX_DEPTH} levels"
NAME_TWICE: Final = "an object holds one name twice"

_ALWAYS_CHEAP_BYTES: Final = 65_536
_BYTES_PER_VALUE: Final = 400
"""The most that the standard parser takes for a value and its name: a tuple, two texts or an empty dict, two places."""
_CHUNK_BYTES: Final = 65_536

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
    _check_start(data)
    if _has_more(data, b"[{", MAX_DEPTH) and _is_too_deep(data):
        raise JsonTextError(TOO_DEEP)
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


def is_cheap(data: bytes) -> bool:
    """Tell whether `parse_json` takes little memory: a few MiB, or at most 8 times the text.

    A large text has to be ASCII without `\\u`, so that its strings take a byte a character, and to hold few values.
    """
    if len(data) <= _ALWAYS_CHEAP_BYTES:
        return True
    if not data.isascii() or (b"\\" in data and b"\\u" in data):  # the first search is the faster one
        return False
    return not _has_more(data, b",[{", len(data) * 4 // _BYTES_PER_VALUE)


def check_encoding(data: bytes) -> None:
    """Check what `parse_json` says of the encoding, in little memory.

    Raises:
        JsonTextError: not strict UTF-8, or another encoding's first bytes.
    """
    _check_start(data)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _CHUNK_BYTES):
            decoder.decode(data[start : start + _CHUNK_BYTES])
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        raise JsonTextError("it is not UTF-8") from None


def unescape(texts: list[bytes]) -> list[bytes]:
    """Give the UTF-8 that a few checked texts, without their quotes, stand for."""
    return [text.encode() for text in json.loads(b'["%b"]' % b'","'.join(texts))]


def _check_start(data: bytes) -> None:
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonTextError("it starts with a byte order mark")
    if data.startswith(b"\0"):
        raise JsonTextError("it starts with a zero byte, as schema registry framing does")


def _has_more(data: bytes, marks: bytes, most: int) -> bool:
    """Tell whether marks occur more often than that, strings included: mostly a few searches, faster than `count`."""
    for mark in marks:
        at = data.find(mark)
        while at >= 0:
            most -= 1
            if most < 0:
                return True
            at = data.find(mark, at + 1)
    return False


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
        raise JsonTextError(NAME_TWICE)
    return members


def _constant(name: str) -> NoReturn:
    raise JsonTextError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_int=float, parse_constant=_constant)
