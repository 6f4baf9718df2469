"""Claim references and claim ids."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from .errors import ClaimError

_TENANT: Final = r"[A-Za-z0-9_-]{1,64}"
_ULID: Final = r"[0-7][0-9A-HJKMNP-TV-Z]{25}"
_REF: Final = re.compile(
    rf"urn:ankusa:claim:(?:v1:({_TENANT}):({_ULID})|v2:({_TENANT}):({_ULID}):([1-9][0-9]{{0,11}}):([A-Za-z0-9_-]{{43}}))"
)
_CLAIM_ID: Final = re.compile(_ULID)
_CLAIM_TENANT: Final = re.compile(_TENANT)
_CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES: Final = {digit: value for value, digit in enumerate(_CROCKFORD)}
_DAY_MS: Final = 86_400_000
_GREGORIAN_CYCLE_DAYS: Final = 146_097
_GREGORIAN_CYCLE_YEARS: Final = 400
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class ClaimRef:
    """What a claim reference says. Version 2 is signed and expires; a consumer carries that and does not verify it."""

    version: int
    """1 or 2."""
    tenant_id: str
    claim_id: str
    """A ULID: 26 uppercase Crockford characters."""
    exp: str | None = None
    """Version 2 alone: the expiry as it is written."""
    sig: str | None = None
    """Version 2 alone: the signature, 43 base64url characters."""

    @property
    def path(self) -> str:
        """Path (and query) of the claim at a claim check."""
        path = f"/v1/claims/{self.tenant_id}/{self.claim_id}"
        return path if self.version == 1 else f"{path}?exp={self.exp}&sig={self.sig}"


@dataclass(frozen=True, slots=True)
class ClaimIdParts:
    """What a claim id says."""

    timestamp_ms: int
    """When it was checked in, Unix milliseconds."""
    position: int
    """Its place in the pack, 0 to 65,535."""
    pack_id: str
    """The claim id of position 0."""
    object_key: str
    """Where a store keeps the pack."""


def parse_claim_ref(ref: str) -> ClaimRef:
    """Parse a claim reference of version 1 or 2.

    Raises:
        ClaimError: `invalid_claim_ref` for anything else.
    """
    match = _REF.fullmatch(ref) if isinstance(ref, str) else None
    if match is None:
        raise ClaimError("invalid_claim_ref", "it is not a claim reference")
    tenant_v1, id_v1, tenant_v2, id_v2, exp, sig = match.groups()
    return ClaimRef(1, tenant_v1, id_v1) if exp is None else ClaimRef(2, tenant_v2, id_v2, exp, sig)


def format_claim_ref(ref: ClaimRef) -> str:
    """Write a claim reference.

    Raises:
        ClaimError: `invalid_claim_ref` when the text would not parse back to the same parts.
    """
    if isinstance(ref, ClaimRef) and all(
        part is None or isinstance(part, str) for part in (ref.tenant_id, ref.claim_id, ref.exp, ref.sig)
    ):
        signature = "" if ref.exp is None and ref.sig is None else f":{ref.exp}:{ref.sig}"
        text = f"urn:ankusa:claim:v{ref.version}:{ref.tenant_id}:{ref.claim_id}{signature}"
        if type(ref.version) is int and _REF.fullmatch(text) and parse_claim_ref(text) == ref:
            return text
    raise ClaimError("invalid_claim_ref", "these parts make no claim reference")


def is_claim_ref(value: object) -> bool:
    """Tell whether a value is a claim reference."""
    return isinstance(value, str) and _REF.fullmatch(value) is not None


def claim_ref_tenant(ref: str) -> str:
    """Give the tenant of a text that is a claim reference."""
    return ref.split(":", 5)[4]


def claim_id_parts(claim_id: str, tenant_id: str) -> ClaimIdParts:
    """Read a claim id and place its pack under a tenant.

    Raises:
        ClaimError: `invalid_claim_ref` for a claim id or tenant that no reference can hold.
    """
    if not isinstance(claim_id, str) or _CLAIM_ID.fullmatch(claim_id) is None:
        raise ClaimError("invalid_claim_ref", "the claim id is not a canonical ULID")
    if not isinstance(tenant_id, str) or _CLAIM_TENANT.fullmatch(tenant_id) is None:
        raise ClaimError("invalid_claim_ref", "the tenant cannot be in a claim reference")
    value = 0
    for digit in claim_id:
        value = value << 5 | _VALUES[digit]
    timestamp_ms, position, pack = value >> 80, value & 0xFFFF, value & ~0xFFFF
    pack_id = "".join(_CROCKFORD[pack >> shift & 31] for shift in range(125, -1, -5))
    object_key = f"claims/tenant={tenant_id}/dt={_utc_date(timestamp_ms)}/{pack_id}"
    return ClaimIdParts(timestamp_ms, position, pack_id, object_key)


def _utc_date(timestamp_ms: int) -> str:
    """The date, also past the year 9999, where `datetime` ends: the calendar repeats every 400 years."""
    cycles, day = divmod(timestamp_ms // _DAY_MS, _GREGORIAN_CYCLE_DAYS)
    within = date.fromordinal(_EPOCH_DAY + day)
    return f"{within.year + cycles * _GREGORIAN_CYCLE_YEARS:04}-{within.month:02}-{within.day:02}"
