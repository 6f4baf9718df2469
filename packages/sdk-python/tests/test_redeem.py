"""The redeem client against real sockets."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest
from samples import REF, data, hook

import sinkwire as sw

BODY = b"the body of the hook"
DIGEST = sha256(BODY).hexdigest()
V2 = f"{REF.replace(':v1:', ':v2:')}:1893456000:{'A' * 43}"
Answer = Callable[[socket.socket], None]


class Server:
    """Answers each connection with given bytes or a function, and keeps the requests."""

    def __init__(self, answer: bytes | Answer) -> None:
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.stopped = threading.Event()
        self.requests: list[bytes] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection, contextlib.suppress(OSError):
                    request = b""
                    while b"\r\n\r\n" not in request and (more := connection.recv(65536)):
                        request += more
                    self.requests.append(request)
                    if isinstance(self._answer, bytes):
                        connection.sendall(self._answer)
                    else:
                        self._answer(connection)

    def close(self) -> None:
        self.stopped.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@contextlib.contextmanager
def serving(answer: bytes | Answer) -> Iterator[Server]:
    server = Server(answer)
    try:
        yield server
    finally:
        server.close()


def http(status: str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def chunked(*chunks: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


def failing(answer: bytes | Answer, *, size: int | None = len(BODY), timeout_s: float = 10) -> sw.ClaimError:
    with serving(answer) as server, pytest.raises(sw.ClaimError) as caught:
        sw.ClaimCheckClient(server.url, timeout_s=timeout_s).redeem(REF, DIGEST, size=size)
    return caught.value


@pytest.mark.parametrize(
    "answer",
    [
        http("200 OK", BODY),
        chunked(BODY[:5], BODY[5:]),
        b"HTTP/1.1 200 OK\r\n\r\n" + BODY,
        b"HTTP/1.0 200 OK\r\n\r\n" + BODY,
    ],
    ids=["length", "chunked", "until close", "HTTP/1.0"],
)
def test_gives_the_verified_body(answer: bytes) -> None:
    with serving(answer) as server:
        assert sw.ClaimCheckClient(server.url).redeem(REF, DIGEST, size=len(BODY)) == BODY


def test_sends_the_path_and_the_headers() -> None:
    tokens = iter(["one", "two"])
    with serving(http("200 OK", BODY, "Content-Encoding: identity")) as server:
        client = sw.ClaimCheckClient(
            f"{server.url}/gateway/", headers=lambda: {"Authorization": next(tokens), "Accept-Encoding": "gzip"}
        )
        assert client.redeem(REF, DIGEST) == client.redeem(V2, DIGEST) == BODY
    first, second = (request.decode().split("\r\n") for request in server.requests)
    assert first[0] == "GET /gateway/v1/claims/acme/01M39VMD8RA3C5HR4RBV67Y002 HTTP/1.1"
    assert second[0] == f"{first[0].split(' HTTP')[0]}?exp=1893456000&sig={'A' * 43} HTTP/1.1"
    assert "Authorization: one" in first
    assert "Authorization: two" in second
    assert [line for line in first if line.lower().startswith("accept-encoding")] == ["Accept-Encoding: identity"]


def test_body_serves_both_forms() -> None:
    claimed = sw.decode_message(data(body_base64=..., claim=REF, sha256=DIGEST, size=len(BODY)))
    with serving(http("200 OK", BODY)) as server:
        client = sw.ClaimCheckClient(server.url)
        assert client.body(claimed) == BODY
        assert client.body(sw.decode_message(data())) == hook().body
    assert len(server.requests) == 1


def test_an_empty_200_is_an_empty_body() -> None:
    with serving(http("200 OK")) as server:
        assert sw.ClaimCheckClient(server.url).redeem(REF, sha256(b"").hexdigest(), size=0) == b""


@pytest.mark.parametrize(
    "ref, digest", [("urn:x", DIGEST), (REF + "\n", DIGEST), (None, DIGEST), (REF, DIGEST.upper()), (REF, None)]
)
def test_sends_nothing_for_a_malformed_claim(ref: Any, digest: Any) -> None:
    with serving(http("200 OK", BODY)) as server, pytest.raises(sw.ClaimError) as caught:
        sw.ClaimCheckClient(server.url).redeem(ref, digest)
    assert caught.value.code == "invalid_claim_ref"
    assert server.requests == []


STATUSES: list[tuple[str, str, bool]] = [
    ("404 Not Found", "claim_not_found", False),
    ("400 Bad Request", "claim_rejected", False),
    ("403 Forbidden", "claim_rejected", False),
    ("410 Gone", "claim_rejected", False),
    ("408 Request Timeout", "claim_check_unavailable", True),
    ("429 Too Many Requests", "claim_check_unavailable", True),
    ("500 Internal Server Error", "claim_check_unavailable", True),
    ("503 Service Unavailable", "claim_check_unavailable", True),
    ("201 Created", "claim_check_unavailable", True),
    ("204 No Content", "claim_check_unavailable", True),
    ("206 Partial Content", "claim_check_unavailable", True),
    ("304 Not Modified", "claim_check_unavailable", True),
    ("999 What", "claim_check_unavailable", True),
]


@pytest.mark.parametrize("status, code, retryable", STATUSES, ids=[status for status, _, _ in STATUSES])
def test_every_status_has_its_error(status: str, code: str, retryable: bool) -> None:
    error = failing(http(status, BODY))
    assert (error.code, error.retryable) == (code, retryable)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_no_redirect_is_followed(status: str) -> None:
    with serving(http("200 OK", BODY)) as target:
        error = failing(http(status, b"", f"Location: {target.url}/v1/claims/acme/x"))
    assert error.code == "claim_check_unavailable"
    assert target.requests == []


@pytest.mark.parametrize(
    "sent, body",
    [
        (b'{"error": "gone"}', {"error": "gone"}),
        (b"no", "no"),
        (b"", ""),
        (b"\xff", "\ufffd"),
        (b"x" * 70_000, "x" * 65_536),
    ],
    ids=["json", "text", "empty", "not UTF-8", "long"],
)
def test_a_refusal_keeps_what_was_said(sent: bytes, body: object) -> None:
    error = failing(http("403 Forbidden", sent))
    assert (error.status, error.body) == (403, body)


@pytest.mark.parametrize(
    "value, expected", [("7", 7000), ("x", None), ("-1", None), ("9" * 40, None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0)]
)
def test_retry_after(value: str, expected: int | None) -> None:
    assert failing(http("503 Busy", b"", f"Retry-After: {value}")).retry_after_ms == expected


def test_other_bytes_are_refused() -> None:
    for body in (BODY[:-1] + b"X", BODY + b"X", b""):
        assert failing(http("200 OK", body)).code == "claim_integrity"


@pytest.mark.parametrize("encoding", ["gzip", "br", "identity, gzip", "zstd"])
def test_a_compressed_answer_is_refused(encoding: str) -> None:
    assert failing(http("200 OK", BODY, f"Content-Encoding: {encoding}")).code == "claim_check_unavailable"


def endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65536)


def test_one_byte_more_aborts_the_read_while_the_answer_goes_on() -> None:
    answer = dripping(b"HTTP/1.1 200 OK\r\n\r\n" + BODY + b"x", drip=b"")
    assert failing(answer).code == "claim_integrity"


@pytest.mark.parametrize("size", [len(BODY), None])
def test_an_endless_body_is_cut_off_at_the_cap(size: int | None) -> None:
    assert failing(endless, size=size).code == "claim_integrity"


BROKEN: dict[str, bytes] = {
    "nothing": b"",
    "no HTTP": b"SSH-2.0-x\r\n\r\n",
    "truncated": http("200 OK", BODY[:-3], length=len(BODY)),
    "truncated headers": b"HTTP/1.1 200 OK\r\nContent-Le",
    "truncated chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\nabc",
    "no last chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "bad chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
    "a header without an end": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000,
    "too many headers": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n",
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_answer_can_be_tried_again(answer: bytes) -> None:
    error = failing(answer)
    assert (error.code, error.retryable) == ("claim_check_unavailable", True)


@pytest.mark.parametrize("chunk_size", [b"-1", b"-ff", b"0x14", b"1_4"])
def test_a_chunk_size_that_only_python_reads_gets_no_further(chunk_size: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    error = failing(head + chunk_size + b"\r\n" + b"y" * 100_000)
    assert error.code in ("claim_check_unavailable", "claim_integrity")


def dripping(*parts: bytes, drip: bytes) -> Answer:
    def answer(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)
        connection.settimeout(0.02)
        while True:
            connection.sendall(drip)
            with contextlib.suppress(TimeoutError):
                if not connection.recv(1):
                    return

    return answer


SLOW: dict[str, Answer] = {
    "status line": dripping(drip=b"H"),
    "headers": dripping(b"HTTP/1.1 200 OK\r\nX: ", drip=b"x"),
    "body": dripping(http("200 OK", length=len(BODY) * 1000), drip=b"x"),
    "informational answers": dripping(drip=b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.parametrize("answer", SLOW.values(), ids=SLOW.keys())
def test_no_drip_outlives_the_timeout(answer: Answer) -> None:
    error = failing(answer, size=None, timeout_s=0.3)
    assert error.code == "claim_check_unavailable"
    assert isinstance(error.cause, TimeoutError)


def test_a_refusal_that_drips_is_still_a_refusal() -> None:
    error = failing(dripping(http("403 Forbidden", length=9999), drip=b"x"), timeout_s=0.3)
    assert (error.code, error.status) == ("claim_rejected", 403)
    assert set(str(error.body)) == {"x"}


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    with pytest.raises(sw.ClaimError) as caught:
        sw.ClaimCheckClient(url).redeem(REF, DIGEST)
    assert caught.value.retryable
    assert isinstance(caught.value.cause, ConnectionRefusedError)


def test_plain_http_behind_an_https_url() -> None:
    with serving(http("200 OK", BODY)) as server, pytest.raises(sw.ClaimError) as caught:
        sw.ClaimCheckClient(server.url.replace("http:", "https:"), timeout_s=0.5).redeem(REF, DIGEST)
    assert caught.value.code == "claim_check_unavailable"


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("base_url", {"base_url": "ftp://x"}),
    ("base_url", {"base_url": "http://"}),
    ("base_url", {"base_url": "http://user:secret@x"}),
    ("base_url", {"base_url": "http://x:99999"}),
    ("base_url", {"base_url": "http://x/ HTTP/1.1\r\nEvil: 1"}),
    ("base_url", {"base_url": "http://x?y=z"}),
    ("base_url", {"base_url": None}),
    ("headers", {"headers": {"X": "a\r\nEvil: 1"}}),
    ("headers", {"headers": {"X Y": "a"}}),
    ("headers", {"headers": {"X": 5}}),
    ("headers", {"headers": 5}),
    ("max_bytes", {"max_bytes": -1}),
    ("timeout_s", {"timeout_s": 0}),
    ("timeout_s", {"timeout_s": float("nan")}),
]


@pytest.mark.parametrize("field, option", OPTIONS)
def test_unusable_options(field: str, option: dict[str, Any]) -> None:
    with pytest.raises(sw.InvalidHookError) as caught:
        sw.ClaimCheckClient(**{"base_url": "http://127.0.0.1", **option})
    assert caught.value.field == field


def test_fetch_can_be_given() -> None:
    class Answered:
        def __init__(self) -> None:
            self.status = 200
            self.headers: Mapping[str, str] = {}
            self.parts = iter([BODY, b""])
            self.closed = False

        def read(self, size: int) -> bytes:
            return next(self.parts)

        def close(self) -> None:
            self.closed = True

    answered = Answered()
    asked: list[tuple[str, float]] = []

    def fetch(url: str, headers: Any, timeout_s: float) -> Answered:
        asked.append((url, timeout_s))
        return answered

    client = sw.ClaimCheckClient("https://claims.example", timeout_s=3, fetch=fetch)
    assert client.redeem(REF, DIGEST) == BODY
    assert asked == [("https://claims.example/v1/claims/acme/01M39VMD8RA3C5HR4RBV67Y002", 3)]
    assert answered.closed
