"""The cases of the conformance suite that this package answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import runner

ROOT = Path(__file__).resolve().parents[3]
SUITES = ("message", "claim-refs", "metadata", "transports", "lane-id")


def load(suites: tuple[str, ...] = SUITES) -> list[dict[str, Any]]:
    files = [file for suite in suites for file in sorted((ROOT / "conformance/cases" / suite).glob("*/*.json"))]
    cases = [case for file in files for case in runner.parse(file.read_bytes())]
    return [case for case in cases if "retired" not in case]
