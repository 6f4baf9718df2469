"""JSON texts of any shape in little memory: what is wanted of one is read, the rest is checked and left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NoReturn, Union

from .json_names import NameSet, check_distinct
from .json_text import MAX_DEPTH, NAME_TWICE, TOO_DEEP, JsonTextError, check_encoding, is_cheap, parse_json, unescape
from .packed_texts import PackedTexts

Shape = Mapping[bytes, Union["Shape", None]]
"""The members of an object that are wanted, by name. A scalar is read under any shape; None wants all texts of one."""

_RUN: Final = 64
"""Repeats of a group in one match: the memory of `re` grows with them, its speed hardly does."""


def _compile(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.replace("~", r"[ \t\n\r]*").encode())


_HEX: Final = "[0-9a-fA-F]"
_PLAIN: Final = r'[^"\\\x00-\x1f]'
_ESCAPE: Final = (
    rf'\\(?:["\\/bfnrt]|u(?:[0-9a-cA-CefEF]{_HEX}{{3}}|[dD][0-7]{_HEX}{{2}}'
    rf"|[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}))"
)
_SHORT: Final = rf"{_PLAIN}{{0,99}}(?:{_ESCAPE}{_PLAIN}{{0,99}}){{0,8}}"
_ATOM: Final = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null"
_SCALAR: Final = rf'(?:"{_SHORT}"|{_ATOM})'


def _simple(levels: int) -> str:
    """A pattern of values of so many levels whose names need no check: short arrays, objects of one member."""
    if levels == 0:
        return _SCALAR
    inner = _simple(levels - 1)
    return rf'(?:{_SCALAR}|\[~(?:{inner}~(?:,~(?!\])|(?=\]))){{0,8}}\]|{{~(?:"{_SHORT}"~:~{inner}~)?}})'


class _Runs:
    """Patterns of values of so many levels, each with the comma behind it, if it is not the last of its container."""

    def __init__(self, levels: int) -> None:
        follows = r"~(?:,|(?=[\]}]))"
        member = rf"~:~{_simple(levels)}{follows}"
        self.elements = _compile(rf"(?:~{_simple(levels)}{follows}){{0,{_RUN}}}")
        self.members = _compile(rf'(?:~"{_SHORT}"{member}){{0,{_RUN}}}')
        self.names = _compile(rf'~"({_SHORT})"{member}')
        small = rf'{{(?:~"{_SHORT}"~:~{_simple(levels - 1)}{follows}){{0,8}}(?<!,)}}' if levels else "(?!)"
        self.object = _compile(rf"~({small}){follows}")


_MOST_LEVELS: Final = 3
_runs: Final = cache(_Runs)
"""Compiled when the first text asks for them: it takes a while, and few processes ever meet one."""

_OPENING: Final = _compile(r"~(?:(\[(?:~\[){0,63})|({))~(?=([\]}]?))")
_NEXT: Final = _compile(r"~(,|}|\](?:~\]){0,63})")
_NAME: Final = _compile(rf'~"({_PLAIN}*)"~:')
_SCALAR_START: Final = _compile(rf'~(?:"|({_ATOM}))')
_QUOTE: Final = _compile('~"')
_COLON: Final = _compile("~:")
_PAIR: Final = _compile(rf'~"({_PLAIN}*)"~:~"({_PLAIN}*)"~[,}}]')
_TEXT_VALUE: Final = _compile('~:~"')
_END: Final = _compile(r"~\Z")
_TEXT_RUN: Final = _compile(rf"{_PLAIN}*(?:{_ESCAPE}{_PLAIN}*){{0,{_RUN}}}")
_PIECE: Final = _compile(rf"[^\\]+|(?:{_ESCAPE}){{1,{_RUN}}}")
_LITERALS: Final = {b"true": True, b"false": False, b"null": None}
_NOTHING: Final[Shape] = {}


class _Object(NameSet):
    """An open object."""

    __slots__ = ("kept", "name", "shape", "start")

    def __init__(self, shape: Shape | None, start: int) -> None:
        super().__init__()
        self.shape = shape
        self.start = start
        self.name = b""
        """Of the member that is read."""
        self.kept: dict[str, object] = {}

    def wants(self) -> bool:
        return bool(self.shape) and self.name in self.shape  # type: ignore[operator]

    def keep(self, value: object) -> None:
        self.kept[self.name.decode()] = value


def read_json(data: bytes, shape: Shape) -> object:
    """Read of one JSON text what `shape` wants: whole by the standard parser where that is cheap, else by `skim_json`.

    Raises:
        JsonTextError: as `parse_json`.
    """
    return parse_json(data) if is_cheap(data) else skim_json(data, shape)


def skim_json(data: bytes, shape: Shape) -> object:
    """Read of one JSON text what `shape` wants. Objects come out with the wanted members alone, arrays empty.

    An object of very many texts comes out as `PackedTexts`.

    Raises:
        JsonTextError: as `parse_json`.
    """
    check_encoding(data)
    root = _Object({b"": shape}, 0)  # stands for the text; its value is the member ""
    open: list[_Object | None] = [root]  # None is an array, of which nothing has to be known
    top: _Object | None = root
    at = 0
    while True:  # a value is due
        opening = _OPENING.match(data, at)
        if opening is None:
            at = _scalar(data, at, top)
        else:
            at = opening.end()
            if opening[1]:
                open += [None] * opening[1].count(b"[")
            else:
                wanted = top is not None and top.wants()
                open.append(_Object(top.shape[top.name] if wanted else _NOTHING, opening.start(2)))  # type: ignore
            if len(open) > MAX_DEPTH + 1:
                raise JsonTextError(TOO_DEEP)
            top = open[-1]
            if not opening[3]:
                at, due = _enter(data, at, top, len(open) - 1)
                if due:
                    continue
        while len(open) > 1:
            following = _must(_NEXT, data, at)
            at = following.end()
            if following[1] == b",":
                at, due = _enter(data, at, top, len(open) - 1)
                if due:
                    break
                continue
            value = _close(data, at, following[1], open)
            top = open[-1]
            if top is not None and top.wants():
                top.keep(value)
        else:
            _must(_END, data, at)
            return root.kept[""]


def _must(pattern: re.Pattern[bytes], data: bytes, at: int) -> re.Match[bytes]:
    return pattern.match(data, at) or _fail(at)


def _fail(at: int) -> NoReturn:
    raise JsonTextError(f"it is no JSON at byte {at}")


def _enter(data: bytes, at: int, top: _Object | None, depth: int) -> tuple[int, bool]:
    """Step over small values that are not wanted, and the name of the one behind them; tell whether there is one."""
    runs = _runs(min(MAX_DEPTH - depth, _MOST_LEVELS))
    end = _elements(data, at, runs) if top is None else _members(data, at, runs, top)
    if end > at and not data.startswith(b",", end - 1):
        return end, False
    return (end if top is None else _name(data, end, top)), True


def _elements(data: bytes, at: int, runs: _Runs) -> int:
    while True:
        at = _must(runs.elements, data, at).end()
        small = runs.object.match(data, at)
        if small is None:
            return at
        check_distinct(_names(data, small.start(1) + 1, small.end(1), runs))
        at = small.end()


def _members(data: bytes, at: int, runs: _Runs, top: _Object) -> int:
    end = _must(runs.members, data, at).end()
    if end == at:
        return at
    names = _names(data, at, end, runs)
    if top.shape and not top.shape.keys().isdisjoint(names):
        return at
    top.add(names)
    return end


def _names(data: bytes, at: int, end: int, runs: _Runs) -> list[bytes]:
    """The names of a run of members."""
    names: list[bytes] = runs.names.findall(data, at, end + 1)  # the last member looks ahead by one
    if data.find(b"\\", at, end) >= 0:
        return unescape(names)
    return names


def _name(data: bytes, at: int, top: _Object) -> int:
    """Step over the name of a member and its colon."""
    simple = _NAME.match(data, at)
    if simple is not None:
        top.name = simple[1]
        at = simple.end()
    else:
        start = _must(_QUOTE, data, at).end()
        end = _text_end(data, start)
        at = _must(_COLON, data, end + 1).end()
        top.name = bytes(_text(data, start, end))
    if top.wants() and top.name.decode() in top.kept:
        raise JsonTextError(NAME_TWICE)
    top.add((top.name,))
    return at


def _scalar(data: bytes, at: int, top: _Object | None) -> int:
    """Step over a scalar; read it where it is wanted."""
    match = _must(_SCALAR_START, data, at)
    wanted = top is not None and top.wants()
    if match[1] is None:
        start, end = match.end(), _text_end(data, match.end())
        if top is not None and wanted:
            top.keep(str(_text(data, start, end), "utf-8"))
        return end + 1
    if top is not None and wanted:
        top.keep(_LITERALS[match[1]] if match[1] in _LITERALS else float(match[1]))
    return match.end()


def _close(data: bytes, at: int, closers: bytes, open: list[_Object | None]) -> object:
    """Close the containers whose closers end at `at`, and give the outermost."""
    closed = open.pop()
    if closed is not None:
        if closers != b"}":
            _fail(at - len(closers))
        closed.check()
        return closed.kept if closed.shape is not None else _texts(data, closed.start, at)
    count = closers.count(b"]")
    arrays = open[len(open) - count + 1 :]
    if count == 0 or len(arrays) != count - 1 or any(arrays):
        _fail(at - len(closers))
    del open[len(open) - len(arrays) :]
    return []


def _texts(data: bytes, start: int, end: int) -> object:
    """Read an object that was checked, if all its values are texts."""
    if is_cheap(data[start:end]):
        return parse_json(data[start:end])
    texts = PackedTexts(end - start)
    at = start + 1
    while at < end:
        pair = _PAIR.match(data, at)
        if pair is not None:
            texts.add(pair[1], pair[2])
            at = pair.end()
            continue
        name_start = _must(_QUOTE, data, at).end()
        name_end = _text_end(data, name_start)
        value = _TEXT_VALUE.match(data, name_end + 1)
        if value is None:
            return []
        value_end = _text_end(data, value.end())
        texts.add(bytes(_text(data, name_start, name_end)), bytes(_text(data, value.end(), value_end)))
        at = _must(_NEXT, data, value_end + 1).end()
    return texts


def _text_end(data: bytes, at: int) -> int:
    """Step over a text behind its opening quote, and give where its closing one is."""
    start = -1
    while start < at:
        start, at = at, _must(_TEXT_RUN, data, at).end()
    return at if data.startswith(b'"', at) else _fail(at)


def _text(data: bytes, start: int, end: int) -> bytearray | memoryview:
    """The UTF-8 of a text that was checked, without its quotes."""
    if data.find(b"\\", start, end) < 0:
        return memoryview(data)[start:end]
    plain = bytearray()
    for piece in _PIECE.finditer(data, start, end):
        plain += unescape([piece[0]])[0] if piece[0].startswith(b"\\") else piece[0]
    return plain
