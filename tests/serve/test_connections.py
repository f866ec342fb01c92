"""Do requests that do not go on end by themselves, without stopping others?"""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.serve.conftest import WITHIN_S, Served, end, start

BRISK = """
import slicewright.serve.admission as it
it.HEAD_S = it.BODY_S = 1.0
from slicewright.cli.main import main
main()
"""
"""A server that waits a second where others wait longer."""
HEADS = {
    "nothing at all": b"",
    "half a line": b"GET /state HT",
    "no empty line": b"GET /state HTTP/1.1\r\nHost: localhost\r\n",
    "a line that does not end": b"GET /state HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
}


@pytest.fixture(scope="module")
def brisk() -> Iterator[Served]:
    """A server that waits a second for requests."""
    found = start(program=("-c", BRISK))
    yield found
    end(found)


def _connected(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=WITHIN_S)


def _dripped(asked: socket.socket) -> bytes:
    """The bytes that come back while a byte is sent every fifth of a second, until the server ends it."""
    asked.settimeout(0.2)
    until = time.monotonic() + WITHIN_S
    answer = b""
    while time.monotonic() < until:
        try:
            part = asked.recv(4096)
            if not part:
                return answer
            answer += part
        except TimeoutError:
            pass
        except ConnectionError:
            return answer
        try:
            asked.send(b"x")
        except ConnectionError:
            return answer
    raise AssertionError("the connection was not ended")


@pytest.mark.parametrize("head", HEADS)
def test_a_head_that_does_not_go_on_or_goes_on_slowly_is_ended(brisk: Served, head: str) -> None:
    with closing(_connected(brisk)) as silent:
        silent.sendall(HEADS[head])
        assert b"408" in silent.recv(4096)
        assert silent.recv(4096) == b""
    with closing(_connected(brisk)) as slow:
        slow.sendall(HEADS[head])
        _dripped(slow)


def test_a_second_request_that_does_not_go_on_is_ended_too(brisk: Served) -> None:
    with closing(_connected(brisk)) as asked:
        asked.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"401" in asked.recv(4096)
        asked.sendall(b"GET /nothing HT")
        _dripped(asked)


def test_a_body_that_does_not_go_on_is_answered_and_leaves_no_file(brisk: Served) -> None:
    drop = brisk.drop({})
    allowed = f"Host: localhost\r\nAuthorization: Bearer {brisk.token}\r\nContent-Length: 1000\r\n\r\nhalf"
    for target in (f"PUT /drops/{drop}/half.txt", "POST /jobs"):
        with closing(_connected(brisk)) as asked:
            asked.sendall(f"{target} HTTP/1.1\r\n{allowed}".encode())
            assert b"408" in asked.recv(4096)
            _dripped(asked)
    (folder,) = Path(tempfile.gettempdir()).glob(f"slicewright-*/{drop}")
    assert list(folder.iterdir()) == []


def test_a_body_without_a_token_is_refused_at_once_and_ended(brisk: Served) -> None:
    with closing(_connected(brisk)) as asked:
        asked.sendall(b"POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nhalf")
        assert b"401" in asked.recv(4096)
        _dripped(asked)


def test_four_hundred_half_requests_stop_nobody_else(brisk: Served) -> None:
    with ExitStack() as all_of_them:
        for _ in range(400):
            all_of_them.enter_context(closing(_connected(brisk))).sendall(b"GET /state HT")
        began = time.monotonic()
        assert brisk.ask("GET", "/state").status == 200
        assert time.monotonic() - began < WITHIN_S / 4
    with closing(_connected(brisk)) as events:
        events.sendall(
            f"GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {brisk.token}\r\n\r\n".encode()
        )
        assert b"200" in events.recv(4096)
        time.sleep(3)  # events go on for as long as a page is open, whatever the time for a head is
        assert brisk.done("panels")["state"] == "done"
        assert b"panels" in events.recv(1 << 16)


def test_what_is_no_http_is_answered(brisk: Served) -> None:
    for bytes_ in (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"\0" * 100 + b"\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ):
        with closing(_connected(brisk)) as asked:
            asked.sendall(bytes_)
            assert b"HTTP/1.1 4" in asked.recv(4096)
    with closing(_connected(brisk)) as asked:
        asked.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * (3 << 20))
        assert b"HTTP/1.1 4" in asked.recv(4096)
    assert brisk.ask("GET", "/state").status == 200
