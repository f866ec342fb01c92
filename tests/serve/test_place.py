"""Does the command say the truth about where it listens, and refuse what it cannot serve, with exit status 2?"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from slicewright.serve.admission import LOOPBACK
from slicewright.serve.command import Place, _Reach

from tests.conftest import CommandLine
from tests.serve.conftest import WITHIN_S, Served


@contextmanager
def _serving(*words: str) -> Iterator[tuple[str, str]]:
    """A server with these options: the address that it printed, and what it said beside it."""
    command = [sys.executable, "-m", "slicewright", "serve", "--no-browser", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().split()[-1]
        try:
            said = process.stderr.readline()
            if not said.rstrip().endswith("ends it."):
                said += process.stderr.readline()
            yield address, said
        finally:
            process.terminate()
            process.wait(WITHIN_S)


def _status(address: str, **headers: str) -> int:
    """The status of the state, asked for at the address that was printed, with the token in it."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    token = address.partition("token=")[2]
    with closing(http.client.HTTPConnection(parts.hostname, parts.port, timeout=WITHIN_S)) as asked:
        path = f"{parts.path}state"
        asked.request("GET", path, headers={"Host": parts.netloc, "Authorization": f"Bearer {token}", **headers})
        return asked.getresponse().status


def _page(address: str) -> str:
    """The page as a browser gets it that was let in."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    with closing(http.client.HTTPConnection(parts.hostname, parts.port, timeout=WITHIN_S)) as asked:
        allowed = {"Host": parts.netloc, "Authorization": f"Bearer {address.partition('token=')[2]}"}
        asked.request("GET", parts.path, headers=allowed)
        return asked.getresponse().read().decode()


def _has(family: int, address: str) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        try:
            tried.bind((address, 0))
        except OSError:
            return False
    return True


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "0", "0x0"])
def test_every_address_of_the_machine_is_said_to_be_open_and_the_printed_one_works(address: str) -> None:
    if address == "::" and not _has(socket.AF_INET6, "::"):
        pytest.skip("this machine has no IPv6")
    with _serving("--address", address) as (printed, said):
        host = urlsplit(printed).hostname
        assert host not in ("0.0.0.0", "::", "0", "0x0", None)
        assert _status(printed) == 200
        assert "Every machine that can reach this one may try the token" in said
        assert "plain text" in said
        assert "Only" not in said
        assert "No data leave it" not in _page(printed)
        assert _status(printed, Host="evil.example") == 403
        assert _status(printed, Origin=f"http://{urlsplit(printed).netloc}") == 200
        assert _status(printed.replace(f"//{urlsplit(printed).netloc}", f"//localhost:{urlsplit(printed).port}")) == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "127.0.0.2", "::1"])
def test_an_address_that_no_other_machine_reaches_is_said_to_be_such(address: str) -> None:
    if address == "::1" and not _has(socket.AF_INET6, "::1"):
        pytest.skip("this machine has no IPv6")
    with _serving("--address", address) as (printed, said):
        assert _status(printed) == 200
        assert "Only this machine can reach it" in said
        assert "No data leave it" in _page(printed)


def test_an_address_of_this_machine_answers_under_itself() -> None:
    host = _Reach("0.0.0.0", "0.0.0.0").host
    with _serving("--address", host) as (printed, said):
        assert urlsplit(printed).hostname == host
        assert _status(printed) == 200
        assert ("Only" in said) == host.startswith("127.")


def test_a_machine_without_a_network_has_an_address_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slicewright.serve.command._ELSEWHERE", {})
    assert (_Reach("0.0.0.0", "0.0.0.0").host, _Reach("::", "::").host) == ("127.0.0.1", "[::1]")
    assert set(LOOPBACK) <= set(_Reach("0.0.0.0", "0.0.0.0").hosts)


WRONG = [
    ("--prefix", "lab"), ("--prefix", "/"), ("--prefix", "/lab/"), ("--prefix", "//evil.example"),
    ("--prefix", "/a//b"),
    ("--prefix", "/a/../b"), ("--prefix", "/."), ("--prefix", "/a b"), ("--prefix", "/a?b"), ("--prefix", "/a#b"),
    ("--prefix", "/{x}"), ("--prefix", "/a%2Fb"), ("--prefix", "/a\\b"), ("--prefix", "/a\nb"),
    ("--prefix", "/caf\u00e9"),
    ("--prefix", "http://localhost/lab"), ("--prefix", "/a;b"), ("--prefix", "/a\"b"), ("--port", "0"),
    ("--port", "65536"),
    ("--address", ""), ("--address", " "), ("--address", "a b"), ("--address", "256.1.1.1"), ("--address", "192.0.2.1"),
    ("--address", "no-such-host.invalid"), ("--address", "x" * 300), ("--allow-host", ""), ("--allow-host", "a:80"),
    ("--allow-host", "http://a"), ("--allow-host", "*"), ("--allow-host", "a/b"), ("--allow-host", "a b"),
]  # fmt: skip


@pytest.fixture
def never_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is started after all ends at once."""
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: pytest.fail("it serves"))


@pytest.mark.usefixtures("never_serves")
@pytest.mark.parametrize(("option", "value"), WRONG)
def test_a_wrong_option_is_refused_with_what_is_allowed(slicewright: CommandLine, option: str, value: str) -> None:
    found = slicewright("serve", "--no-browser", option, value)
    assert (found.status, found.out) == (2, "")
    assert option.strip("-") in found.err
    assert "help: " in found.err
    assert "Traceback" not in found.err


@pytest.mark.usefixtures("never_serves")
def test_a_path_that_cannot_be_shown_is_refused(slicewright: CommandLine, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("no/such/file", "-", str(tmp_path / "pipe"), "/dev/zero", "a\0b", "x" * 5000, os.fsdecode(b"caf\xe9")):
        found = slicewright("serve", "--no-browser", path)
        assert (found.status, found.out) == (2, "")
        assert "error: " in found.err


@pytest.mark.usefixtures("never_serves")
def test_a_port_that_is_taken_is_refused_by_its_number(slicewright: CommandLine, served: Served) -> None:
    found = slicewright("serve", "--no-browser", "--port", str(served.port))
    assert found.status == 2
    assert f"port {served.port}" in found.err


@pytest.mark.parametrize("prefix", ["/lab", "/tools/lab", "/~user/a.b-c_d", "/user/a1/proxy/8580"])
def test_behind_a_prefix_everything_is_there_and_nothing_else(starting: Callable[..., Served], prefix: str) -> None:
    served = starting("--prefix", prefix)
    assert served.ask("GET", f"{prefix}/state").json["drops"] == []
    entered = served.ask("GET", f"{prefix}/?token={served.token}", headers={})
    assert entered.status == 303
    for path in ("/state", "/", f"{prefix}x/state", f"{prefix}/nothing"):
        assert served.ask("GET", path).status == 404, path
    assert served.ask("GET", f"{prefix}/state", headers={}).status == 401


def test_places_without_a_problem_have_none() -> None:
    assert Place("::1", 8580, ["tools.example.com", "10.0.0.1", "::1"], "/a/b").check() == []
