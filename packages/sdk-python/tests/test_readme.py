"""The snippets of the README run. The loop with pika meets pika's own types; its broker is a recorder of answers, as no
broker runs here, so `consume` itself is compiled and not called."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pika
import pytest
from samples import REF, data, hook

import sinkwire as sw

README = (Path(__file__).parents[1] / "README.md").read_text()
DECODE, ENCODE, CONSUME = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run(snippet: str, **names: Any) -> dict[str, Any]:
    exec(compile(snippet, "README.md", "exec"), names)
    return names


def test_decode(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(DECODE, data=data())["message"].body == hook().body
    assert capsys.readouterr().out.splitlines()[:2] == ["hook_1 acme 1737500000000", "acme:stripe:evt_1"]


def test_encode() -> None:
    names = run(ENCODE)
    assert names["encoded"].form == "inline"
    assert names["record"].key == "acme/customer-1"


class Channel:
    def __init__(self) -> None:
        self.answers: list[tuple[Any, ...]] = []

    def basic_ack(self, tag: int) -> None:
        self.answers.append(("ack", tag))

    def basic_nack(self, tag: int, *, requeue: bool) -> None:
        self.answers.append(("nack", tag, requeue))


UNREACHABLE = data(body_base64=..., claim=REF)
DELIVERIES: list[tuple[bytes | None, dict[str, str] | None, tuple[Any, ...], int]] = [
    (data(), dict(sw.attributes_set(hook())), ("ack", 7), 1),
    (data(), None, ("ack", 7), 1),
    (b"{}", None, ("nack", 7, False), 0),
    (data(), {"ankusa_id": "other"}, ("nack", 7, False), 0),
    (None, None, ("ack", 7), 0),
    (UNREACHABLE, None, ("nack", 7, True), 0),
]


@pytest.mark.parametrize("body, headers, answer, handled", DELIVERIES)
def test_the_consumer_loop(
    body: bytes | None, headers: dict[str, str] | None, answer: tuple[Any, ...], handled: int
) -> None:
    calls: list[tuple[str, bytes]] = []
    names = run(CONSUME, handle=lambda key, body: calls.append((key, body)))
    names["claims"] = names["claims"].__class__("http://127.0.0.1:9")  # the discard port: nobody listens
    channel = Channel()
    names["on_delivery"](channel, pika.spec.Basic.Deliver(delivery_tag=7), pika.BasicProperties(headers=headers), body)
    assert channel.answers == [answer]
    assert calls == [("acme:stripe:evt_1", hook().body)] * handled


def test_the_error_table_lists_every_code() -> None:
    from test_errors import flat

    from sinkwire.errors import ErrorCode

    table = README.split("## Errors")[1].split("## Develop")[0]
    assert set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+|integrity)`", table)) >= flat(ErrorCode)
