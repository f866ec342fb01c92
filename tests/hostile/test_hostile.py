"""Every command that takes a file ends in time with status 0, 1 or 2 and printable lines, whatever the file holds.

`SLICEWRIGHT_FUZZ_INPUTS=1000` gives each command that many damaged files.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import slicewright

from tests.hostile import corpus
from tests.tidy.tree import ROOT

pytestmark = pytest.mark.slow

LONGEST_S = 30.0
"""After so long a command hangs; on a quiet machine the slowest takes two seconds."""

DAMAGED = int(os.environ.get("SLICEWRIGHT_FUZZ_INPUTS", "7"))
"""Damaged files of each kind of file: one for each kind of damage."""

QUICK = ["--set", "measure.interval=100 ms", "--set", "measure.intervals=1", "--set", "measure.warm_up=10 ms"]
ONCE = ["--assume", "measure.replications=2"]
KNOWN = ["--assume", "population=3", "--assume", "sharing=2%", "--assume", "redispatch=none"]

COMMANDS: dict[str, list[str]] = {
    "run": ["run", "{}", "--replications", "1", *QUICK, "--out", "{out}"],
    "explain": ["explain", "{}"],
    "screens": ["explain", "{}", "--screens"],
    "trace": ["trace", "{}", "--for", "0.001", "--out", "{out}.svg"],
    "advise": ["advise", "{}", *KNOWN, "--out", "{out}"],
    "pool listing": ["advise", str(ROOT / "published/hyperpav/device-reports/Y032180H.txt"), "--pool-listing", "{}"],
    "advise slices": ["advise", "slices", "{}", "--slices", "30 ms", "--share", "50%", *ONCE],
    "advise polarization": ["advise", "polarization", "{}", *ONCE],
    "advise yields": ["advise", "yields", "{}", *ONCE],
    "advise exits": ["advise", "exits", "{}", *ONCE],
    "advise limits": ["advise", "limits", "{}", "--limit", "500m", "--requests", "40/s", "--threads", "4"],
    "advise a fleet": ["advise", "limits", "{}", "--every", "60s", "--limit", "500m"],
    "read": ["read", "{}"],
    "report": ["report", "{}", "--page", "fcx108"],
    "checks": ["report", "{}", "--page", "checks"],
    "verify": ["report", "{}", "--verify"],
    "compare": ["compare", "{}", "{}"],
    "explain names": ["explain", "{}", "--qname", "SYSDSN", "--rname", "A.B"],
    "names differ": ["explain", "{}", "{}", "--qname", "SYSDSN", "--rname", "A.B"],
    "live show": ["live", "show", "{}"],
}
"""Every command that takes a file."""
OF_DIRECTORIES = {"report", "verify", "compare", "screens", "names differ"}
"""Commands that refuse a file whatever it holds, or read it as another one does: they are given fewer."""


@dataclass
class Outcome:
    """How a command ended: its status (or what it raised, or that it hung), its output, its errors."""

    status: object
    out: str
    errors: str


class Commands:
    """Command lines in a process of their own, which is begun anew when one hangs or ends it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None

    def call(self, words: Sequence[str]) -> Outcome:
        """Run one command; what takes longer than it may is ended."""
        process = self.process or self._begun()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(list(words)) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], LONGEST_S)
        line = process.stdout.readline() if ready else ""
        if line:
            return Outcome(*json.loads(line))
        self.close()
        return Outcome("ended the process" if ready else f"was not done after {LONGEST_S} s", "", "")

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _begun(self) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "SLICEWRIGHT_DEBUG": "0"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=self.folder,
            env=environment,
        )  # fmt: skip
        return self.process


@pytest.fixture
def commands(tmp_path: Path) -> Iterator[Commands]:
    """Command lines in a folder of their own."""
    made = Commands(tmp_path)
    yield made
    made.close()


def wrong(commands: Commands, command: str, file: str) -> list[str]:
    """The complaints about a command's reaction to a file."""
    target = commands.folder / "out"
    shutil.rmtree(target, ignore_errors=True)
    words = [word.replace("{}", file).replace("{out}", str(target)) for word in COMMANDS[command]]
    outcome = commands.call(words)
    complaints = []
    if outcome.status not in (0, 1, 2):
        complaints.append(f"status {outcome.status}")
    for sign in ("Traceback", "this is a bug", "panicked"):
        if sign in outcome.out + outcome.errors:
            complaints.append(f"says {sign}: {outcome.errors[:300]}")
    if not all(line.isprintable() for line in outcome.errors.split("\n")):
        complaints.append(f"prints what cannot be printed: {outcome.errors[:200]!r}")
    if outcome.status == 2 and not outcome.errors.strip() and command not in ("names differ", "verify"):
        complaints.append("refuses without a word")
    left = [path.name for path in commands.folder.iterdir() if path.name.startswith(".slicewright-")]
    if left or (outcome.status != 0 and target.exists()):
        complaints.append(f"leaves {left or 'out'}")
    return complaints


def judged(commands: Commands, command: str, files: dict[str, bytes]) -> list[str]:
    """All complaints about files of these contents."""
    file = commands.folder / "given"
    complaints = []
    for name, data in files.items():
        file.write_bytes(data)
        complaints += [f"{name}: {complaint}" for complaint in wrong(commands, command, str(file))]
    return complaints


@pytest.mark.parametrize("command", COMMANDS)
def test_any_content_is_taken_or_refused(commands: Commands, command: str) -> None:
    every = 5 if command in OF_DIRECTORIES else 1
    assert judged(commands, command, dict(list(corpus.FILES.items())[::every])) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_any_name_is_taken_or_refused(
    commands: Commands, tmp_path_factory: pytest.TempPathFactory, command: str
) -> None:
    places = corpus.places(tmp_path_factory.mktemp("places"))
    complaints = [(name, complaint) for name, path in places.items() for complaint in wrong(commands, command, path)]
    assert complaints == []


def _shipped(path: str) -> bytes:
    return (ROOT / path).read_bytes()


def _rmf(kind: str) -> bytes:
    files = sorted(path for path in (ROOT / "tests/golden/rmf_pages").iterdir() if kind in path.name)
    return files[0].read_bytes()


SEEDS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "scenario": (corpus.SCENARIO.encode(), ("run", "explain", "trace")),
    "pool": (_shipped("scenarios/pool.toml"), ("run", "explain")),
    "control program": (_shipped("scenarios/zvm.toml"), ("explain",)),
    "domains": (_shipped("scenarios/two-domains.toml"), ("run", "screens")),
    "names": (_shipped("scenarios/enq-exits.toml"), ("run", "explain")),
    "own exits": (_shipped("scenarios/own-exits.toml"), ("run", "explain")),
    "threads": (_shipped("scenarios/container-limits.toml"), ("run", "explain")),
    "device page": (_shipped("published/hyperpav/device-reports/Y032180H.txt"), ("advise",)),
    "name lists": (_shipped("scenarios/name-lists/GRSRNL00.txt"), ("explain names", "names differ")),
    "counters": (corpus.CPU_STAT.encode(), ("advise limits",)),
    "range query": (corpus.RANGE_QUERY.encode(), ("advise a fleet", "read")),
    "scrapes": (corpus.SCRAPES.encode(), ("advise a fleet", "read")),
    "samples": (corpus.SAMPLES.encode(), ("advise a fleet", "read")),
    "snapshots": (corpus.SNAPSHOTS.encode(), ("advise a fleet", "read")),
    "rates": (corpus.RATES.encode(), ("advise exits",)),
    "pools": (corpus.POOLS.encode(), ("pool listing",)),
    "rmf checks": (_rmf(""), ("checks",)),
    "live": (corpus.LIVE.encode(), ("live show",)),
}
"""Shipped files, and the commands that read them."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_file_is_taken_or_refused(commands: Commands, seed: str) -> None:
    data, named = SEEDS[seed]
    files = {f"{seed} {at}": mutant for at, mutant in enumerate(corpus.mutants(data, len(seed), DAMAGED))}
    complaints = [f"{command}: {complaint}" for command in named for complaint in judged(commands, command, files)]
    assert complaints == []


def test_a_damaged_recording_is_taken_or_refused(commands: Commands) -> None:
    scenario = _shipped("scenarios/replay.toml").decode()
    csv = _shipped("scenarios/replay.csv")
    parquet = corpus.parquet()
    complaints = []
    (commands.folder / "given").write_text(scenario)
    recordings = [
        *list(corpus.FILES.values())[::3],
        *corpus.mutants(csv, 1, DAMAGED),
        *corpus.mutants(parquet, 2, DAMAGED),
    ]
    for at, data in enumerate(recordings):
        (commands.folder / "replay.csv").write_bytes(data)
        complaints += [
            f"{at}: {complaint}"
            for complaint in wrong(commands, "explain" if at % 3 else "run", str(commands.folder / "given"))
        ]
    assert complaints == []


def test_a_damaged_run_directory_is_refused(commands: Commands) -> None:
    run = commands.folder / "run"
    slicewright.run(corpus.SCENARIO, replications=2, out=run)
    complaints = []
    for name in ("manifest.json", "scenario.toml", "numbers.json", "raw/volumes.parquet", "volumes.parquet"):
        data = (run / name).read_bytes()
        for at, changed in enumerate([b"", *corpus.mutants(data, 3, DAMAGED)]):
            (run / name).write_bytes(changed)
            for command in ("report", "checks", "verify", "compare"):
                complaints += [
                    f"{name} {at} {command}: {complaint}" for complaint in wrong(commands, command, str(run))
                ]
                outcome = commands.call([word.replace("{}", str(run)) for word in COMMANDS[command]])
                if changed != data and outcome.status != 2:
                    complaints.append(f"{name} {at} {command}: is not noticed")
        (run / name).write_bytes(data)
    assert complaints == []
