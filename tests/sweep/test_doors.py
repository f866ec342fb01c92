"""Does a process of another account get anything of a sweep on Dask's processes of this machine?"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cryptography
import dask
import pytest
import slicewright
from slicewright.explore import workers
from slicewright.explore.places import place
from slicewright.explore.workers import OnDask

NOBODY = 65534
PLANTED = """
import json, os, sys, threading
import distributed
securities = (("tcp", None), ("tls", distributed.Security.temporary()))
if (uid := int(sys.argv[1])) >= 0:
    os.setgroups([]), os.setgid(uid), os.setuid(uid)
got = []
def attack(scheme, port, security):
    try:
        with distributed.Client(f"{scheme}://127.0.0.1:{port}", security=security, timeout=1) as client:
            got.append(f"{scheme} {port}: {client.submit(os.getpid).result(timeout=5)}")
    except Exception as error:
        print(port, scheme, type(error).__name__, file=sys.stderr)
tries = [threading.Thread(target=attack, args=(scheme, port, security), daemon=True)
         for port in sys.argv[3:] for scheme, security in securities]
for each in tries:
    each.start()
for each in tries:  # Dask waits without end for what is no scheduler
    each.join(1.5)
try:
    got += os.listdir(sys.argv[2]) if uid >= 0 else []
except PermissionError:
    pass
print(json.dumps({"uid": os.getuid(), "got": got}))
os._exit(0)
"""
PAGES = ("/", "/status", "/info/main/workers.html", "/json/counts.json", "/metrics", "/health", "/api/v1/get_workers")


def _listening(pid: int) -> set[tuple[str, int]]:
    """Address and port of every socket on which a process listens."""
    mine = set()
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            mine.add(str(handle.readlink()))
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in mine:
                address, port = fields[1].split(":")
                found.add((address, int(port, 16)))
    return found


@pytest.fixture(scope="module")
def on() -> Iterator[OnDask]:
    with place("local:1") as made:
        assert isinstance(made, OnDask)
        yield made


@pytest.fixture(scope="module")
def ports(on: OnDask) -> set[int]:
    """The ports of scheduler, nanny and worker, all of them on the loopback interface alone."""
    worker = on.client.submit(os.getpid).result(timeout=60)
    found = _listening(os.getpid()) | _listening(worker)
    assert int(on.client.scheduler.address.rpartition(":")[2]) in {port for _, port in found}
    assert {address for address, _ in found} == {"0100007F"}
    return {port for _, port in found}


def test_certificates_are_made_by_a_library_that_the_extra_has() -> None:
    assert cryptography.__version__


def test_every_connection_is_encrypted(on: OnDask) -> None:
    assert on.client.scheduler.address.startswith("tls://127.0.0.1:")
    assert all(address.startswith("tls://127.0.0.1:") for address in on.client.nthreads())
    assert on.client.security.require_encryption


@pytest.mark.parametrize("uid", [-1, NOBODY])
def test_a_planted_client_gets_nothing(on: OnDask, ports: set[int], uid: int) -> None:
    if uid >= 0 and os.getuid() != 0:
        pytest.skip("only root can be another account")
    folder = Path(dask.config.get("temporary-directory"))
    assert folder.stat().st_mode & 0o777 == 0o700
    named = on.client.submit(lambda: __import__("dask").config.get("temporary-directory")).result(timeout=60)
    assert Path(named) == folder
    words = [sys.executable, "-c", PLANTED, str(uid), str(folder), *map(str, sorted(ports))]
    ended = subprocess.run(words, capture_output=True, text=True, cwd="/", timeout=300)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["uid"] == (uid if uid >= 0 else os.getuid())
    assert found["got"] == []


def test_no_port_has_a_page(ports: set[int]) -> None:
    answers = set()
    for port in ports:
        for page in PAGES:
            asked = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(asked):
                asked.request("GET", page)
                answers.add(asked.getresponse().status)
    assert answers <= {404}


def test_an_address_without_its_certificates_is_refused() -> None:
    with pytest.raises(slicewright.InputError, match="DASK_DISTRIBUTED__COMM__TLS__CA_FILE"):
        place("tls://127.0.0.1:9").__enter__()


def test_what_is_no_scheduler_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ANSWER_S", 0.5)
    monkeypatch.setattr(workers, "_GREETING_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(slicewright.InputError, match="does not answer as a scheduler does"):
            place(f"tcp://127.0.0.1:{port}").__enter__()


def test_without_cryptography_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(slicewright.InputError, match=r"pip install 'slicewright\[dask\]'"):
        place("local:1").__enter__()
