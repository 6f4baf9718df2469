"""Errors of the product. The list of codes is `schemas/error-codes.json`; a test holds this file to it."""

from __future__ import annotations

from typing import Final, Literal

DecodeErrorCode = Literal[
    "invalid_json",
    "not_an_object",
    "unsupported_version",
    "invalid_field",
    "ambiguous_body",
    "missing_body",
    "invalid_body_base64",
    "size_mismatch",
    "integrity",
    "tenant_mismatch",
]
"""Why bytes are not a message."""

ClaimErrorCode = Literal[
    "claim_required",
    "invalid_claim_ref",
    "claim_not_found",
    "claim_rejected",
    "claim_integrity",
    "claim_check_unavailable",
    "tenant_mismatch",
]
"""What is wrong with a claim."""

ErrorCode = Literal[
    DecodeErrorCode, ClaimErrorCode, "invalid_hook", "message_too_large", "metadata_mismatch", "invalid_lane_tuple"
]
"""Every code that this package gives."""

_DOCS: Final = "https://github.com/sinkwire/sinkwire/blob/main/docs/errors/"


class SinkwireError(Exception):
    """Base of every error of this package."""

    code: ErrorCode
    """One of `schemas/error-codes.json`."""
    field: str | None
    """The top-level wire name at fault, where the code has one."""
    retryable: bool
    """Whether the same call may succeed later."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        field: str | None = None,
        retryable: bool = False,
        cause: BaseException | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.retryable = retryable
        self.__cause__ = cause

    @property
    def cause(self) -> BaseException | None:
        """The first cause, if there is one."""
        return self.__cause__

    @property
    def docs(self) -> str:
        """The page that says what to do about this code."""
        return f"{_DOCS}{self.code}.md"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), str(self)), self.__dict__


def _restore(kind: type[SinkwireError], message: str) -> SinkwireError:
    return kind.__new__(kind, message)


class InvalidMessageError(SinkwireError):
    """Bytes that are not a message. Permanent: the same bytes never decode."""

    code: DecodeErrorCode

    def __init__(self, code: DecodeErrorCode, message: str, *, field: str | None = None) -> None:
        super().__init__(code, message, field=field)


class InvalidHookError(SinkwireError):
    """A hook, context, limit or option that cannot be used; `field` names it as the wire does. Permanent."""

    code: Literal["invalid_hook"]
    field: str

    def __init__(self, field: str, message: str) -> None:
        super().__init__("invalid_hook", f"{field}: {message}", field=field)


class MessageTooLargeError(SinkwireError):
    """A body or message over a limit that no form can bring it under. Permanent."""

    code: Literal["message_too_large"]
    size: int
    """Bytes that were counted."""
    limit: int
    """Bytes that are allowed."""

    def __init__(self, size: int, limit: int, what: str = "message") -> None:
        super().__init__("message_too_large", f"the {what} takes {size} bytes and the limit is {limit}")
        self.size = size
        self.limit = limit


class ClaimError(SinkwireError):
    """A claim that is missing, malformed, foreign or cannot be redeemed."""

    code: ClaimErrorCode
    status: int | None = None
    """The HTTP status, for `claim_rejected`."""
    body: object = None
    """What the claim check said, for `claim_rejected`: parsed JSON (numbers as float), else text of at most 64 KiB."""
    retry_after_ms: int | None = None
    """For `claim_check_unavailable`: how long the claim check asks to wait, if it says so."""

    def __init__(
        self, code: ClaimErrorCode, message: str, *, retryable: bool = False, cause: BaseException | None = None
    ) -> None:
        super().__init__(code, message, retryable=retryable, cause=cause)


class MetadataMismatchError(SinkwireError):
    """Metadata that says something else than the message, or two things at once. Permanent."""

    code: Literal["metadata_mismatch"]
    field: str

    def __init__(self, field: str, message: str) -> None:
        super().__init__("metadata_mismatch", message, field=field)


class InvalidLaneTupleError(SinkwireError):
    """A lane identity that cannot be formed; `field` is the first faulty one. Permanent."""

    code: Literal["invalid_lane_tuple"]
    field: str

    def __init__(self, field: str, message: str) -> None:
        super().__init__("invalid_lane_tuple", f"{field}: {message}", field=field)
