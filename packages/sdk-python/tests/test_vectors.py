"""One test per case of the conformance suite."""

from __future__ import annotations

import json
from typing import Any

import pytest
from vectors import load

import runner

CASES = load()


def test_the_suites_that_stand_are_loaded() -> None:
    assert {"message", "claim-refs", "metadata"} <= {case["suite"] for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    answered = json.loads(json.dumps(runner.answer(case["operation"], case["input"])))
    assert answered == case["expect"], f"{case['rule']}: {case['comment']}"
