"""Does the server go on, whatever is uploaded or broken off, and leave nothing behind when it is killed?"""

from __future__ import annotations

import http.client
import json
import random
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.serve.conftest import WITHIN_S, Served, end, start

FILE = Path(__file__).parents[2] / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"
ENDED = ("done", "refused", "failed", "cancelled")


def _ask(served: Served, method: str, path: str, body: bytes | None = None) -> Any:
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=WITHIN_S)) as asked:
        asked.request(method, path, body, {"Authorization": f"Bearer {served.token}"})
        answer = asked.getresponse()
        text = answer.read()
    return json.loads(text) if text else None


def _until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + WITHIN_S
    while not true():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def _described(served: Served, name: str, data: bytes) -> str:
    """The state in which the description of a file ends."""
    drop = _ask(served, "POST", "/drops")["id"]
    _ask(served, "PUT", f"/drops/{drop}/{name}", data)
    job = _ask(served, "POST", "/jobs", json.dumps({"task": "describe", "arguments": {"drop": drop}}).encode())["job"]
    while (state := _ask(served, "GET", f"/jobs/{job}")["state"]) not in ENDED:
        time.sleep(0.01)
    return str(state)


def _fuzzed(count: int) -> Iterator[tuple[str, bytes]]:
    """Reports, scenarios and binary data with bytes changed, cut and repeated."""
    draw = random.Random(19)
    seeds = [FILE.read_bytes(), b'[[volume]]\nname = "A"\n[[guest]]\ncount = 1\n', bytes(range(256)) * 8]
    for at in range(count):
        data = bytearray(seeds[at % len(seeds)])
        for _ in range(draw.randrange(1, 40)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        cut = data[: draw.randrange(1, len(data))]
        yield draw.choice(("a.txt", "a.toml", "a.monwrite", "a.gz")), bytes(cut)


def test_fuzzed_uploads_are_answered(served: Served) -> None:
    assert {_described(served, name, data) for name, data in _fuzzed(30)} <= {"done", "refused"}


@pytest.mark.slow
def test_a_thousand_fuzzed_uploads_leave_the_server_answering(served: Served) -> None:
    assert {_described(served, name, data) for name, data in _fuzzed(1000)} <= {"done", "refused"}
    assert _described(served, FILE.name, FILE.read_bytes()) == "done"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"null", b'{"task": "rm"}', b'{"task": ["ask"]}', b"[" * 100_000, b"\xff" * 5_000_000]
)
def test_requests_that_are_no_task_are_refused(served: Served, body: bytes) -> None:
    assert _ask(served, "POST", "/jobs", body)["problems"]


def test_an_upload_that_breaks_off_leaves_no_file(served: Served) -> None:
    drop = _ask(served, "POST", "/drops")["id"]
    head = (
        f"PUT /drops/{drop}/half.txt HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {served.token}\r\n"
        "Content-Length: 1000\r\n\r\nhalf"
    )
    with closing(socket.create_connection(("127.0.0.1", served.port))) as broken:
        broken.sendall(head.encode())
        (folder,) = Path(tempfile.gettempdir()).glob(f"slicewright-*/{drop}")
        _until(lambda: bool(list(folder.iterdir())))
    _until(lambda: not list(folder.iterdir()))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_an_ended_server_leaves_nothing_behind(tmp_path: Path, how: signal.Signals) -> None:
    given = tmp_path / FILE.name
    given.write_bytes(FILE.read_bytes())
    served = start(given)
    drop = _ask(served, "GET", "/state")["drops"][0]["id"]
    own = _ask(served, "POST", "/drops")["id"]
    task = {"task": "ask", "arguments": {"drop": drop, "question": "aliases", "options": {}}}
    job = _ask(served, "POST", "/jobs", json.dumps(task).encode())["job"]
    _until(lambda: _ask(served, "GET", f"/jobs/{job}")["share"] > 0)
    served.process.send_signal(how)
    served.process.wait(WITHIN_S)
    _until(lambda: not list(Path(tempfile.gettempdir()).glob(f"slicewright-*/{own}")))
    assert [path.name for path in tmp_path.iterdir()] == [FILE.name]
    end(served)


def test_behind_a_prefix_everything_is_there(tmp_path: Path) -> None:
    served = start("--prefix", "/tools/lab")
    assert served.root.endswith("/tools/lab/")
    assert _ask(served, "GET", "/tools/lab/state")["drops"] == []
    end(served)
