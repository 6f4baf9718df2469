"""The codes are those of the product's list, and errors survive a process boundary."""

from __future__ import annotations

import json
import pickle
from typing import get_args

from vectors import ROOT

import sinkwire as sw
from sinkwire.errors import ClaimErrorCode, DecodeErrorCode, ErrorCode

LISTED = {entry["code"]: entry for entry in json.loads((ROOT / "schemas/error-codes.json").read_text())["codes"]}


def flat(union: object) -> set[str]:
    return {code for part in get_args(union) for code in ({part} if isinstance(part, str) else flat(part))}


def test_every_code_is_listed() -> None:
    assert flat(ErrorCode) <= LISTED.keys()


def test_every_code_of_a_decode_is_known() -> None:
    decode = {code for code, entry in LISTED.items() if "decode_message" in entry["operations"]}
    assert decode - {"invalid_hook"} == flat(DecodeErrorCode)


def test_retry_flags_are_those_of_the_list() -> None:
    retryable = {code for code in flat(ErrorCode) if LISTED[code]["retryable"]}
    assert retryable == {"claim_check_unavailable"}
    assert "claim_check_unavailable" in flat(ClaimErrorCode)


def test_errors_can_be_pickled() -> None:
    rejected = sw.ClaimError("claim_rejected", "refused")
    rejected.status = 403
    for error in (
        sw.InvalidHookError("id", "it is empty"),
        sw.InvalidMessageError("invalid_field", "bad", field="v"),
        sw.MessageTooLargeError(5, 4),
        sw.MetadataMismatchError("id", "other"),
        sw.InvalidLaneTupleError("scope", "bad"),
        rejected,
    ):
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is type(error)
        assert (str(back), vars(back)) == (str(error), vars(error))


def test_an_error_links_to_its_page_and_keeps_its_cause() -> None:
    cause = OSError("reset")
    error = sw.SinkwireError("claim_check_unavailable", "gone", retryable=True, cause=cause)
    assert error.cause is cause
    assert error.docs.endswith("/docs/errors/claim_check_unavailable.md")
