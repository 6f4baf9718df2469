"""Hooks and messages that the tests share."""

from __future__ import annotations

import json
from typing import Any

import sinkwire as sw

REF = "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002"


def hook(**changed: Any) -> sw.Hook:
    fields: dict[str, Any] = {
        "id": "hook_1",
        "source_id": "stripe",
        "tenant_id": "acme",
        "received_at": 1_737_500_000_000,
        "content_type": "application/json",
        "body": b'{"id": "evt_1"}',
        "dedupe_key": "evt_1",
        "headers": [("X-GitHub-Event", "push"), ("Cookie", "secret")],
    }
    return sw.Hook(**{**fields, **changed})


def wire(**changed: Any) -> dict[str, Any]:
    """The wire object of `hook()`, some fields changed, those that are `...` left out."""
    fields = {**json.loads(sw.encode_message(hook()).data), **changed}
    return {name: value for name, value in fields.items() if value is not ...}


def data(**changed: Any) -> bytes:
    return json.dumps(wire(**changed)).encode()
