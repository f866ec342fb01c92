"""A server of the page as users start it, and a browser that opens it; without a browser pytest skips its tests."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from slicewright.experiment.store import ENVIRONMENT

WITHIN_S = 120
"""After this time a test gives up: far more than a slow machine takes, as nothing is asserted about time."""
WITHIN_MS = 1000 * WITHIN_S


@dataclass
class Served:
    """A running server: its process, and the address that it printed."""

    process: subprocess.Popen[str]
    address: str

    @property
    def root(self) -> str:
        """The address without the token."""
        return self.address.partition("?")[0]

    @property
    def token(self) -> str:
        """The token in the address."""
        return self.address.partition("token=")[2]

    @property
    def port(self) -> int:
        """The port of the server."""
        found = urlsplit(self.address).port
        assert found is not None
        return found

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask with the token, or with other headers."""
        allowed = {"Authorization": f"Bearer {self.token}"} if headers is None else headers
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=WITHIN_S)) as asked:
            asked.request(method, path, body, dict(allowed))
            answer = asked.getresponse()
            return Answer(answer.status, answer.read())

    def drop(self, files: Mapping[str, bytes]) -> str:
        """The id of a drop of these files, by their names as they are in an address."""
        drop = str(self.ask("POST", "/drops").json["id"])
        for name, data in files.items():
            assert self.ask("PUT", f"/drops/{drop}/{name}", data).status == 201
        return drop

    def done(self, task: str, **arguments: Any) -> dict[str, Any]:
        """The job of a task when it has ended."""
        job = self.ask("POST", "/jobs", json.dumps({"task": task, "arguments": arguments}).encode()).json
        until = time.monotonic() + WITHIN_S
        while time.monotonic() < until:
            found: dict[str, Any] = self.ask("GET", f"/jobs/{job['job']}").json
            if found["state"] not in ("waiting", "running"):
                return found
            time.sleep(0.05)
        raise AssertionError("the job did not end")


@dataclass(frozen=True)
class Answer:
    """An answer of a server: its status, and its bytes."""

    status: int
    data: bytes

    @property
    def json(self) -> Any:
        """The answer as JSON."""
        return json.loads(self.data)


def start(*words: str | Path, program: tuple[str, str] = ("-m", "slicewright"), store: Path | None = None) -> Served:
    """Start a server and wait for its address."""
    command = [sys.executable, *program, "serve", "--no-browser", *map(str, words)]
    environment = os.environ if store is None else {**os.environ, ENVIRONMENT: str(store)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    assert process.stdout is not None
    return Served(process, process.stdout.readline().split()[-1])


def end(served: Served) -> None:
    """End a server, and wait until it has ended."""
    served.process.terminate()
    served.process.wait(WITHIN_S)
    if served.process.stdout is not None:
        served.process.stdout.close()


@pytest.fixture
def starting() -> Iterator[Callable[..., Served]]:
    """`start`, with an end to each server when the test has ended, well or not."""
    every: list[Served] = []

    def started(*words: str | Path, **how: Any) -> Served:
        every.append(start(*words, **how))
        return every[-1]

    yield started
    for each in every:
        end(each)


@pytest.fixture(scope="session")
def shared(session_folder: Path) -> Iterator[Served]:
    """A server for all tests, which simulates once: a worker's first picture takes four seconds of a processor."""
    found = start(store=session_folder / "served")
    yield found
    end(found)


@pytest.fixture(scope="module")
def served(shared: Served) -> Iterator[Served]:
    """The shared server; files and work that the tests of a module leave are removed."""
    yield shared
    left = shared.ask("GET", "/state").json
    for job in left["jobs"]:
        if job["state"] in ("waiting", "running"):
            shared.ask("POST", f"/jobs/{job['job']}/cancel")
    for drop in left["drops"]:
        shared.ask("DELETE", f"/drops/{drop['id']}")


@dataclass
class Visit:
    """A page of the browser, with everything that it asked for and every error that it met."""

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Visit]:
    """A page that is open at the server, in a window of its own."""
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WITHIN_MS)
    found = Visit(context.new_page())
    found.page.on("request", lambda request: found.requests.append(request.url))
    found.page.on("pageerror", lambda error: found.errors.append(str(error)))
    found.page.on("console", lambda line: found.errors.append(line.text) if line.type == "error" else None)
    found.page.goto(served.address)
    yield found
    context.close()
    assert not found.errors


LETTERS = """(selector) => Math.min(...[...document.querySelectorAll(selector)].map((text) => {
  const picture = text.ownerSVGElement, scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
  return parseFloat(getComputedStyle(text).fontSize) * scale;
}))"""
"""The size in pixels of the smallest letters of pictures, as they are seen."""


def until(page: Page, holds: str) -> None:
    """Wait until an expression of the page holds: its policy forbids that the browser waits for one itself."""
    ends = time.monotonic() + WITHIN_S
    while not page.evaluate(holds):
        assert time.monotonic() < ends, holds
        page.wait_for_timeout(50)
