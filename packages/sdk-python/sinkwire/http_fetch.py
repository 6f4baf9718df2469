"""One GET over the standard library, whole within a deadline."""

from __future__ import annotations

import http.client
import io
import queue
import socket
import ssl
import threading
from collections.abc import Mapping
from time import monotonic
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit


class FetchResponse(Protocol):
    """An answer whose body is still to be read."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""

    def read(self, size: int) -> bytes:
        """Give what has come of the body, at most `size` bytes, `b""` at its end; raise when it was cut off."""

    def close(self) -> None:
        """Give the connection up."""


class Fetch(Protocol):
    """Sends one GET, follows no redirect, and is done within `timeout_s` from connect to the last byte, or raises."""

    def __call__(self, url: str, headers: Mapping[str, str], timeout_s: float) -> FetchResponse: ...


def http_fetch(url: str, headers: Mapping[str, str], timeout_s: float) -> FetchResponse:
    """Send one GET over a connection of its own. Proxy variables of the environment are not looked at.

    Raises:
        OSError: no connection, or the time is over.
        http.client.HTTPException: the answer is not HTTP.
        ValueError: a header cannot be sent.
    """
    deadline = monotonic() + timeout_s
    parts = urlsplit(url)
    connection = _Connection(parts.hostname or "", parts.port, deadline, secure=parts.scheme == "https")
    try:
        target = urlunsplit(("", "", parts.path, parts.query, ""))
        connection.putrequest("GET", target, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = _Response(connection, connection.getresponse())
        if connection.stream.ended:  # http.client takes headers that are cut short for whole
            response.close()
            raise http.client.IncompleteRead(b"")
        return response
    except BaseException:
        connection.close()
        raise


class _Response:
    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self._unread = response.length
        self.status = response.status
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in response.getheaders()}

    def read(self, size: int) -> bytes:
        if self._unread is None:
            return self._response.read1(size)
        if self._unread == 0:
            return b""
        data = self._response.read1(min(size, self._unread))
        if not data:
            raise http.client.IncompleteRead(b"", self._unread)
        self._unread -= len(data)
        return data

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class _Connection(http.client.HTTPConnection):
    """A connection whose every wait ends at one deadline."""

    def __init__(self, host: str, port: int | None, deadline: float, *, secure: bool) -> None:
        super().__init__(host, port or (http.client.HTTPS_PORT if secure else http.client.HTTP_PORT))
        self.default_port = http.client.HTTPS_PORT if secure else http.client.HTTP_PORT
        self._deadline = deadline
        self._secure = secure

    def connect(self) -> None:
        raw = _connect(self.host, self.port, self._deadline)
        try:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._secure:
                raw.settimeout(_left(self._deadline))
                raw = ssl.create_default_context().wrap_socket(raw, server_hostname=self.host)
        except BaseException:
            raw.close()
            raise
        self.stream = _DeadlineSocket(raw, self._deadline)
        self.sock: Any = self.stream


class _DeadlineSocket:
    """The part of a socket that `http.client` uses; no series of slow reads outlives the deadline."""

    def __init__(self, raw: socket.socket, deadline: float) -> None:
        self.raw = raw
        self._deadline = deadline
        self.ended = False
        """Whether the other side has been seen to close."""

    def arm(self) -> None:
        """Give the next wait what is left of the time."""
        self.raw.settimeout(_left(self._deadline))

    def sendall(self, data: bytes) -> None:
        self.arm()
        self.raw.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_DeadlineReader(self))

    def close(self) -> None:
        self.raw.close()


class _DeadlineReader(io.RawIOBase):
    """Holds the socket open until it is closed itself, also when `http.client` is done with the connection."""

    def __init__(self, stream: _DeadlineSocket) -> None:
        self._stream = stream
        self._file = stream.raw.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._stream.arm()
        count = self._file.readinto(buffer)
        self._stream.ended = count == 0
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def _left(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError("the time is over")
    return left


def _connect(host: str, port: int, deadline: float) -> socket.socket:
    failure: OSError | None = None
    for family, kind, protocol, _, address in _resolve(host, port, deadline):
        candidate = socket.socket(family, kind, protocol)
        try:
            candidate.settimeout(_left(deadline))
            candidate.connect(address)
            return candidate
        except OSError as error:
            candidate.close()
            failure = failure or error
    raise failure or OSError("the host has no address")


def _resolve(host: str, port: int, deadline: float) -> list[Any]:
    """Look a host up; the resolver knows no deadline, so it waits in a thread that may be left behind."""
    outcome: queue.SimpleQueue[list[Any] | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            outcome.put(list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
        except Exception as error:
            outcome.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        answer = outcome.get(timeout=_left(deadline))
    except queue.Empty:
        raise TimeoutError("the host was not looked up in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer
