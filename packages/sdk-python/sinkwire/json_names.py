"""The names of one object, told apart in little memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .json_text import NAME_TWICE, JsonTextError

_END: Final = b"\xff"
"""Ends a name: no UTF-8 holds it."""
_MOST_RECENT: Final = 1024
_PARTS: Final = 256


class NameSet:
    """Names of one object. Many are packed end to end, equal ones into one part; one part at a time is made a set."""

    __slots__ = ("_parts", "_recent")

    def __init__(self) -> None:
        self._recent: list[bytes] = []
        self._parts: list[bytearray] = []

    def add(self, names: Iterable[bytes]) -> None:
        """Take names in, as UTF-8 without escapes.

        Raises:
            JsonTextError: one is here already; most of those are found by `check` alone.
        """
        self._recent += names
        if len(self._recent) > _MOST_RECENT:
            self._pack()

    def check(self) -> None:
        """Tell all names apart.

        Raises:
            JsonTextError: one is here twice.
        """
        if not self._parts:
            check_distinct(self._recent)
            return
        self._pack()
        for part in self._parts:
            names = bytes(part).split(_END)
            names.pop()  # what follows the last end: nothing
            check_distinct(names)

    def _pack(self) -> None:
        check_distinct(self._recent)
        self._parts = self._parts or [bytearray() for _ in range(_PARTS)]
        for name in self._recent:
            part = self._parts[hash(name) % _PARTS]
            part += name
            part += _END
        self._recent = []


def check_distinct(names: list[bytes]) -> None:
    """Tell a few names apart.

    Raises:
        JsonTextError: one is there twice.
    """
    if len(set(names)) != len(names):
        raise JsonTextError(NAME_TWICE)
