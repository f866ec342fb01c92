"""What any Python test may ask for: a small scenario, the command line in this process, the studies reproduced."""

from __future__ import annotations

import faulthandler
import math
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from slicewright.cli import main
from slicewright.experiment.store import ENVIRONMENT, using

from tests.study.reproductions import Reproductions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The same examples every time, nothing remembered between runs, and no limit of time: a machine may be slow.
settings.register_profile(
    "slicewright", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("slicewright")

os.environ["SLICEWRIGHT_STORE"] = "off"  # a test that has a store says where

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SMALL = """\
name = "two volumes, two aliases"

[source]
document = "an example"

[[alias_pool]]
name = "POOL"
aliases = 2

[[volume]]
name = "VOL001"
device = "1000"
alias_pool = "POOL"
service = { pend = "0.2 ms", connect = { exponential = "1 ms" } }

[[volume]]
name = "VOL002"
device = "1001"
alias_pool = "POOL"
service = { pend = "0.2 ms", connect = { exponential = "1 ms" } }

[[guest]]
name = "GUEST"
count = 4
program = [ { think = "0.5 ms" }, { io = { uniform = ["VOL001", "VOL002"] } } ]

[measure]
interval = "2 s"
warm_up = "500 ms"
replications = 3
"""


@dataclass(frozen=True)
class Outcome:
    """How a command line ended: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


CommandLine = Callable[..., Outcome]


def pytest_configure() -> None:
    """Print what each thread does at the signal that `.ci/run` sends before it stops all: what hangs, or takes so long.

    Standard error is not yet captured here. The command line has other signals for itself.
    """
    faulthandler.register(signal.SIGUSR2, os.dup(2))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow files at the start of each half of the tests: one of two workers begins with each half.

    A worker that is done takes tests from the end of the other's half. So the last tests are quick, and no worker waits
    long.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    slow = {file for file, tests in files.items() if any(test.get_closest_marker("slow") for test in tests)}
    by_length = sorted(files, key=lambda file: file not in slow)
    items[:] = [test for start in (0, 1) for file in by_length[start::2] for test in files[file]]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The file of a small scenario."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def slicewright(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line: call it with the words after `slicewright`. It shows no progress on a slow machine."""
    monkeypatch.setattr("slicewright.values.console.EVERY_S", math.inf)

    def call(*words: str | Path) -> Outcome:
        capsys.readouterr()
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return Outcome(status, said.out, said.err)

    return call


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all workers of this session see, and no other session."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture
def simulated_once(session_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A store for this session: what a test simulates is not simulated again by the next that needs the same.

    No test has it that compares two simulations of the same scenario, or counts them.
    """
    folder = session_folder / "simulations"
    monkeypatch.setenv(ENVIRONMENT, str(folder))
    with using(folder):
        yield


@pytest.fixture(scope="session")
def reproductions(session_folder: Path) -> Reproductions:
    """The quick reproduction of each study, simulated once in this session, whichever worker asks first."""
    folder = session_folder / "reproductions"
    folder.mkdir(exist_ok=True)
    return Reproductions(folder)


@pytest.fixture
def reproduced(reproductions: Reproductions, monkeypatch: pytest.MonkeyPatch) -> Reproductions:
    """`slicewright reproduce --quick` in this process prints what was simulated once for all tests."""
    monkeypatch.setattr(import_module("slicewright.cli.study"), "named", reproductions.study)
    return reproductions


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of the distribution."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser: install one of {', '.join(BROWSERS)}")
    with sync_playwright() as player:
        found = player.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()
