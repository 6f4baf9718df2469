"""Canonical base64, RFC 4648 section 4."""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64


def decode_base64(text: str) -> bytes | None:
    """Decode canonical base64: standard alphabet, padded, nothing else in it, unused bits zero. Else None."""
    padding = 2 if text.endswith("==") else 1 if text.endswith("=") else 0
    if len(text) % 4 or not text.isascii():
        return None
    try:
        data = a2b_base64(text)
    except ValueError:
        return None
    # The standard decoder passes over what is not of the alphabet, so a text that holds any comes out short.
    if len(data) != len(text) // 4 * 3 - padding:
        return None
    if padding and encode_base64(data[padding - 3 :]) != text[-4:]:
        return None
    return data


def encode_base64(data: bytes) -> str:
    """Encode as canonical base64."""
    return b2a_base64(data, newline=False).decode("ascii")
