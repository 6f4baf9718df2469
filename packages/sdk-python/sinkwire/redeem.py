"""Redeeming a claim: the body's bytes from the claim check, verified."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from hashlib import sha256 as sha256_of
from http.client import HTTPException
from typing import Final
from urllib.parse import urlsplit

from .checks import check_count
from .claim_ref import parse_claim_ref
from .decode import is_sha256
from .errors import ClaimError, InvalidHookError
from .http_fetch import Fetch, FetchResponse, http_fetch
from .json_text import JsonTextError, parse_json
from .types import Message

DEFAULT_MAX_BYTES: Final = 8_000_000
"""The largest body that is read where its size is not known."""
DEFAULT_TIMEOUT_S: Final = 10.0
"""From connect to the last byte."""

_CHUNK_BYTES: Final = 65_536
_MAX_REFUSAL_BYTES: Final = 65_536
_SECONDS: Final = re.compile("[0-9]{1,9}")
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_URL: Final = re.compile(r"https?://[\x21-\x7e]+")

Headers = Mapping[str, str]


class ClaimCheckClient:
    """Redeems claims at one claim check, over HTTP."""

    def __init__(
        self,
        base_url: str,
        *,
        headers: Headers | Callable[[], Headers] | None = None,
        max_bytes: int | None = None,
        timeout_s: float | None = None,
        fetch: Fetch | None = None,
    ) -> None:
        """
        Args:
            base_url: where the claim check is, `http:` or `https:`; a path in it is kept.
            headers: what to send with every request, or a function that gives it (a fresh token).
            max_bytes: largest body that is read where its size is not known. Default 8,000,000.
            timeout_s: seconds from connect to the last byte. Default 10.
            fetch: sends the request. Default: `http.client`, one connection a request.

        Raises:
            InvalidHookError: an option cannot be used.
        """
        self._base_url = _check_base_url(base_url)
        self._headers = headers
        if not callable(headers):
            _check_headers(headers)
        self._max_bytes = check_count(max_bytes, "max_bytes", DEFAULT_MAX_BYTES)
        if timeout_s is not None and not (
            isinstance(timeout_s, (int, float)) and not isinstance(timeout_s, bool) and 0 < timeout_s < 1e9
        ):
            raise InvalidHookError("timeout_s", "it is not a number of seconds over 0")
        self._timeout_s = DEFAULT_TIMEOUT_S if timeout_s is None else timeout_s
        self._fetch = fetch or http_fetch

    def body(self, message: Message) -> bytes:
        """Give the body of a message, whichever form it has.

        Raises:
            ClaimError: as `redeem`.
        """
        if message.body is not None:
            return message.body
        return self.redeem(message.claim, message.sha256, size=message.size)  # type: ignore[arg-type]

    def redeem(self, ref: str, sha256: str, *, size: int | None = None) -> bytes:
        """Fetch the body of a claim and verify it.

        Args:
            ref: the claim reference.
            sha256: digest of the body, 64 lowercase hex digits.
            size: bytes of the body, where known: one more aborts the read. Default `max_bytes`.

        Raises:
            ClaimError: `invalid_claim_ref` before any request, `claim_not_found`, `claim_rejected`, `claim_integrity`,
                or, retryable, `claim_check_unavailable`.
            InvalidHookError: `size` or what the headers function gave cannot be used.
        """
        path = parse_claim_ref(ref).path
        if not is_sha256(sha256):
            raise ClaimError("invalid_claim_ref", "the digest is not 64 lowercase hex digits")
        cap = check_count(size, "size", self._max_bytes)
        headers = _check_headers(self._headers() if callable(self._headers) else self._headers)
        try:
            response = self._fetch(self._base_url + path, headers, self._timeout_s)
            try:
                data = _accepted(response, cap)
            finally:
                response.close()
        except (OSError, HTTPException, ValueError) as error:
            raise _unavailable(f"the claim check cannot be reached: {type(error).__name__}", cause=error) from error
        if data is None or sha256_of(data).hexdigest() != sha256:
            raise ClaimError("claim_integrity", "the claim check gave other bytes than were declared")
        return data


def _accepted(response: FetchResponse, cap: int) -> bytes | None:
    """The body of a 200, None when it is longer than the cap."""
    status = response.status
    if status == 404:
        raise ClaimError("claim_not_found", "the claim check has no such claim")
    if 400 <= status < 500 and status not in (408, 429):
        refused = ClaimError("claim_rejected", f"the claim check refused with status {status}")
        refused.status = status
        refused.body = _refusal(response)
        raise refused
    if status != 200:
        raise _unavailable(f"the claim check answered with status {status}", _retry_after_ms(response.headers))
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise _unavailable("the claim check compressed the body")
    return _read(response, cap)


def _read(response: FetchResponse, cap: int) -> bytes | None:
    data = bytearray()
    while len(data) <= cap and (chunk := response.read(min(_CHUNK_BYTES, cap + 1 - len(data)))):
        data += chunk
    return bytes(data) if len(data) <= cap else None


def _refusal(response: FetchResponse) -> object:
    data = bytearray()
    try:
        while len(data) < _MAX_REFUSAL_BYTES and (chunk := response.read(_MAX_REFUSAL_BYTES - len(data))):
            data += chunk
    except (OSError, HTTPException, ValueError):
        pass  # the status says enough
    try:
        return parse_json(bytes(data))
    except JsonTextError:
        return data.decode("utf-8", "replace")


def _unavailable(message: str, retry_after_ms: int | None = None, cause: BaseException | None = None) -> ClaimError:
    error = ClaimError("claim_check_unavailable", message, retryable=True, cause=cause)
    error.retry_after_ms = retry_after_ms
    return error


def _retry_after_ms(headers: Mapping[str, str]) -> int | None:
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return int(value) * 1000
    try:
        at = parsedate_to_datetime(value)
        if at.tzinfo is None:
            at = at.replace(tzinfo=timezone.utc)
        return max(0, int((at - datetime.now(timezone.utc)).total_seconds() * 1000))
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _check_base_url(base_url: object) -> str:
    if isinstance(base_url, str) and _URL.fullmatch(base_url):
        try:
            parts = urlsplit(base_url)
            usable = parts.hostname and parts.port != 0  # reading the port checks it
            if usable and not (parts.query or parts.fragment or "@" in parts.netloc):
                return base_url.rstrip("/")
        except ValueError:
            pass
    raise InvalidHookError("base_url", "it is no http: or https: URL of a claim check")


def _check_headers(headers: Headers | None) -> dict[str, str]:
    """The caller's headers and ours; none can be changed into another request."""
    sent: dict[str, str] = {}
    if headers is not None and not isinstance(headers, Mapping):
        raise InvalidHookError("headers", "it is not a mapping")
    for name, value in (headers or {}).items():
        if not (isinstance(name, str) and isinstance(value, str)):
            raise InvalidHookError("headers", "it does not map text to text")
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise InvalidHookError("headers", "it holds what no header can")
        if name.lower() not in ("accept-encoding", "host"):
            sent[name] = value
    sent["Accept-Encoding"] = "identity"
    return sent
