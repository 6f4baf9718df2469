"""A mapping of texts in little more memory than the texts: what a dict takes is many times short ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

_IS: Final = b"\xfe"
_END: Final = b"\xff"
"""No UTF-8 holds either."""
_PART_BYTES: Final = 2048
"""What a look-up searches, more or less."""


class PackedTexts(Mapping[str, str]):
    """Names and values, packed end to end; the hash of a name says in which part. In no particular order."""

    __slots__ = ("_count", "_parts")

    def __init__(self, size: int) -> None:
        """Make room for so many bytes of names and values."""
        self._parts = [bytearray(_END) for _ in range(size // _PART_BYTES + 1)]
        self._count = 0

    def add(self, name: bytes, value: bytes) -> None:
        """Add a name that is not here yet; both are UTF-8."""
        part = self._parts[hash(name) % len(self._parts)]
        part += b"%b%b%b%b" % (name, _IS, value, _END)
        self._count += 1

    def __getitem__(self, name: str) -> str:
        if isinstance(name, str):
            key = name.encode("utf-8", "surrogatepass")
            part = self._parts[hash(key) % len(self._parts)]
            at = part.find(b"%b%b%b" % (_END, key, _IS))
            if at >= 0:
                start = at + len(key) + 2
                return part[start : part.index(_END, start)].decode()
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for part in self._parts:
            for entry in part.split(_END)[1:-1]:
                yield entry[: entry.index(_IS)].decode()

    def __len__(self) -> int:
        return self._count

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (b"".join(part[1:] for part in self._parts),)


def _restore(packed: bytes) -> PackedTexts:
    """Pack again: another process hashes otherwise."""
    texts = PackedTexts(len(packed))
    at = 0
    while at < len(packed):
        middle = packed.index(_IS, at)
        end = packed.index(_END, middle)
        texts.add(packed[at:middle], packed[middle + 1 : end])
        at = end + 1
    return texts
