"""The runner as a driver sees it: bytes in, bytes out, one line each."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1]


def test_answers_every_line_and_ends_at_the_end() -> None:
    requests = [
        {"id": "a", "operation": "delivery_id", "input": {"id": "x\u2028y\r", "replay_id": "1"}},
        {"id": "b", "operation": "no_such_operation", "input": {}},
        {"id": "c", "operation": "delivery_id", "input": {"id": {"$utf16": [55296]}}},
        {"id": "d", "operation": "delivery_id", "input": {"id": {"$utf16": [55357, 56832]}}},
    ]
    lines = "".join(json.dumps(request, ensure_ascii=False) + "\n" for request in requests).encode()
    done = subprocess.run([sys.executable, "runner.py"], cwd=FOLDER, input=lines, capture_output=True, check=True)
    assert done.stderr == b""
    assert [json.loads(line) for line in done.stdout.split(b"\n")[:-1]] == [
        {"id": "a", "ok": {"delivery_id": "x\u2028y\r:replay:1"}},
        {"id": "b", "unsupported": True},
        {"id": "c", "error": {"code": "invalid_hook", "field": "id", "retryable": False}},
        {"id": "d", "ok": {"delivery_id": "\U0001f600"}},
    ]


def test_flushes_each_answer() -> None:
    command = [sys.executable, "runner.py"]
    with subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in ("1", "2"):
            process.stdin.write(json.dumps({"id": number, "operation": "x", "input": {}}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
    assert process.returncode == 0
