"""Does another account on this machine get anything, and is anything written but in folders of the server's own?"""

from __future__ import annotations

import hashlib
import html
import http.client
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from slicewright.values.carried import study_folder

from tests.serve.conftest import WITHIN_MS, WITHIN_S, Served, end

FILE = study_folder("hyperpav") / "device-reports" / "Y032180H.txt"
NOBODY = 65534
PLACES = [
    "/",
    "/state",
    "/events",
    "/jobs/1",
    "/scenarios",
    "/schema.json",
    "/figures.js",
    "/page/app.js",
    "/style.css",
]


def _until(found: Callable[[], Any]) -> Any:
    until = time.monotonic() + WITHIN_S
    while not (value := found()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.05)
    return value


class Opened:
    """A server that opens a browser which only notes its command line and goes on running."""

    def __init__(self, folder: Path, *words: Path) -> None:
        self.noted = folder / "command-line"
        browser = folder / "browser"
        browser.write_text(
            f'#!/bin/sh\nprintf \'%s\\n\' "$0" "$@" > {self.noted}.part\nmv {self.noted}.part {self.noted}\nsleep 600\n'
        )
        browser.chmod(0o755)
        process = subprocess.Popen(
            [sys.executable, "-m", "slicewright", "serve", *map(str, words)], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, start_new_session=True,
            env=os.environ | {"BROWSER": f"{browser} %s &"},
        )  # fmt: skip
        assert process.stdout is not None
        self.served = Served(process, process.stdout.readline().split()[-1])

    @property
    def file(self) -> Path:
        """The file that the browser was given."""
        _until(self.noted.exists)
        (address,) = re.findall(r"file://(\S+)", self.noted.read_text())
        return Path(address)

    def end(self) -> None:
        """End the server and its browser."""
        os.killpg(self.served.process.pid, 15)
        end(self.served)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """A server with a browser."""
    found = Opened(tmp_path)
    yield found
    found.end()


def _as_nobody(act: Callable[[], Any]) -> Any:
    """The result of an act in a process of another account."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os.write(writing, json.dumps(act()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        data = stream.read()
    os.waitpid(child, 0)
    return json.loads(data)


def _command_lines() -> str:
    """The command lines and environments of all processes that this account can read."""
    found = []
    for name in [*Path("/proc").glob("[0-9]*/cmdline"), *Path("/proc").glob("[0-9]*/environ")]:
        try:
            found.append(name.read_bytes().replace(b"\0", b" ").decode("latin-1"))
        except OSError:
            continue
    return "\n".join(found)


def _readable(paths: list[str]) -> list[str]:
    """The paths of which this account can read anything."""
    found = []
    for path in paths:
        try:
            if os.path.isdir(path):  # noqa: PTH112
                os.listdir(path)  # noqa: PTH208
            else:
                Path(path).read_bytes()
            found.append(path)
        except OSError:
            continue
    return found


def _statuses(port: int) -> list[int]:
    """The answers to requests without a token."""
    found = []
    for method, path in [
        *(("GET", path) for path in PLACES),
        ("POST", "/drops"),
        ("POST", "/example"),
        ("POST", "/jobs"),
    ]:
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN_S)
        asked.request(method, path)
        found.append(asked.getresponse().status)
    return found


def test_the_browser_is_opened_by_a_file_that_only_its_account_can_read(opened: Opened) -> None:
    file, token = opened.file, opened.served.token
    assert token not in opened.noted.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert opened.served.address in html.unescape(file.read_text())


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="command lines are listed in /proc")
def test_no_command_line_has_the_token(opened: Opened) -> None:
    _until(opened.noted.exists)
    assert str(opened.file) in _command_lines()
    assert opened.served.token not in _command_lines()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as another account")
def test_another_account_gets_nothing(opened: Opened) -> None:
    served = opened.served
    drop = served.drop({"mine.txt": FILE.read_bytes()})
    folder = opened.file.parent
    theirs = [str(path) for path in (folder, opened.file, folder / drop, folder / drop / "mine.txt")]
    assert _readable(theirs) == theirs
    assert _as_nobody(lambda: _readable(theirs)) == []
    seen = _as_nobody(_command_lines)
    assert "open.html" in seen
    assert served.token not in seen
    assert set(_as_nobody(lambda: _statuses(served.port))) == {401}


def test_a_browser_that_opens_the_file_is_let_in_once_the_token_is_out_of_its_address(
    opened: Opened, browser: Browser
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(WITHIN_MS)
    page.goto(opened.file.as_uri())
    page.wait_for_selector("text=Drop a report")
    assert "token" not in page.url
    page.reload()
    page.wait_for_selector("text=Drop a report")
    (cookie,) = context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    context.close()


def _sums(*folders: Path) -> dict[str, str]:
    """Each file below folders with its content, and where each link leads."""
    found = {}
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_symlink():
                found[str(path)] = str(path.readlink())
            elif path.is_file():
                found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


@pytest.fixture
def named(tmp_path: Path) -> Iterator[tuple[Served, Path]]:
    """A server that was given a report, a link, and a directory; and the folder around them."""
    from tests.serve.conftest import start

    home = tmp_path / "home"
    (home / "run").mkdir(parents=True)
    (home / "run" / "report.txt").write_bytes(FILE.read_bytes())
    (home / FILE.name).write_bytes(FILE.read_bytes())
    (home / "neighbour.txt").write_text("mine")
    (tmp_path / "elsewhere").write_text("also mine")
    (home / "link").symlink_to(tmp_path / "elsewhere")
    (home / "given.txt").symlink_to(tmp_path / "elsewhere")
    served = start(home / FILE.name, home / "given.txt", home / "run")
    yield served, tmp_path
    end(served)


NAMES = [FILE.name, "neighbour.txt", "link", "given.txt", "new.txt", "run%2Freport.txt", "run/report.txt", ".upload-x"]


def test_nothing_that_was_named_is_written_nor_its_neighbours(named: tuple[Served, Path]) -> None:
    served, folder = named
    example = served.ask("POST", "/example").json["id"]
    before = _sums(folder, study_folder("hyperpav"))
    drops = [drop["id"] for drop in served.ask("GET", "/state").json["drops"]]
    assert len(drops) == 4
    assert example in drops
    for drop in drops:
        for name in (*NAMES, "..%2Fhome%2Fneighbour.txt", "..", "%2Fetc%2Fpasswd"):
            answer = served.ask("PUT", f"/drops/{drop}/{name}", b"overwritten")
            assert answer.status in (404, 422), name
    known = ["population=3", "sharing=2%", "redispatch=none"]
    for drop in (drops[0], example):
        assert served.done("describe", drop=drop)["state"] == "done"
        asked = {"question": "aliases", "options": {"assume": known, "at": ["0"]}}
        assert served.done("ask", drop=drop, **asked)["state"] == "done"
    assert _sums(folder, study_folder("hyperpav")) == before


@pytest.mark.parametrize(
    "name",
    [
        "..", "../x",
        "%2e%2e%2fx", "%2E%2E/%2E%2E/x", "/etc/x", "%2Fetc%2Fx", "a//b", "a/./b", "a%00b", "a%0Ab", "a%1Bb",
        "a%C2%9Bb", "a%7Fb", "a%5Cb", "a%E2%80%AEb", "a%E2%80%A8b", "a/b/c/d/e", "x" * 300, "%20/../../x",
    ],
)  # fmt: skip
def test_a_name_that_is_none_is_refused_and_writes_nothing(served: Served, name: str) -> None:
    drop = served.drop({})
    answer = served.ask("PUT", f"/drops/{drop}/{name}", b"x")
    assert answer.status in (404, 422)
    (folder,) = Path(tempfile.gettempdir()).glob(f"slicewright-*/{drop}")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["-", "a%20b.txt", "B%C3%BCro.txt", "1%E2%80%AF2.txt", "--help", "%ED%A0%80", "%7E", "CON", "*", "$HOME"]
)
def test_any_other_name_is_one(served: Served, name: str) -> None:
    drop = served.drop({name: FILE.read_bytes()})
    assert served.done("describe", drop=drop)["state"] == "done"


def test_a_link_in_a_drop_is_not_followed(served: Served, tmp_path: Path) -> None:
    drop = served.drop({})
    (folder,) = Path(tempfile.gettempdir()).glob(f"slicewright-*/{drop}")
    (tmp_path / "victim").write_text("mine")
    (folder / "link").symlink_to(tmp_path / "victim")
    (folder / "out").symlink_to(tmp_path)
    for name in ("link", "out/victim", "out/new"):
        assert served.ask("PUT", f"/drops/{drop}/{name}", b"x").status == 422
    assert (tmp_path / "victim").read_text() == "mine"
    assert not (tmp_path / "new").exists()


def test_a_path_through_a_link_is_the_file_that_the_system_finds(
    starting: Callable[..., Served], tmp_path: Path
) -> None:
    (tmp_path / "deep" / "folder").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "folder")
    (tmp_path / "deep" / "x.txt").write_bytes(FILE.read_bytes())
    (tmp_path / "deep" / "folder" / "y.txt").write_bytes(FILE.read_bytes())
    (tmp_path / "z.txt").symlink_to(tmp_path / "deep" / "x.txt")
    served = starting(
        f"{tmp_path}/link/../x.txt", tmp_path / "link" / "y.txt", tmp_path / "z.txt", f"{tmp_path}/link/.."
    )
    drops = served.ask("GET", "/state").json["drops"]
    assert [drop["names"] for drop in drops] == [["x.txt"], ["y.txt"], ["z.txt"], ["deep"]]
    for drop in drops[:3]:
        assert served.done("describe", drop=drop["id"])["state"] == "done"
