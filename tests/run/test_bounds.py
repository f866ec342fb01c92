"""Is what would take too much memory refused before it is tried, with the key that helps?"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import slicewright as sw
from slicewright import InputError
from slicewright.advise.aliases.evidence import read_pools
from slicewright.run.damage import check_tables
from slicewright.scenario.replay import _read_records
from slicewright.scenario.source import read_scenario
from slicewright.serialization.enq import Resource, Service, Task
from slicewright.values.carried import study_folder

TOO_LITTLE = 400 << 20
"""Bytes of address space with which the allocators of polars end the process now and then."""


def _problem(raised: pytest.ExceptionInfo[InputError]) -> dict[str, Any]:
    (problem,) = raised.value.problems
    return dict(problem)


def test_results_beyond_memory_are_refused_before_anything_is_simulated(small: Path) -> None:
    with pytest.raises(InputError) as raised:
        sw.run(small, replications=10_000, set={"measure.intervals": 10_000})
    problem = _problem(raised)
    assert problem["key"] == "measure.intervals"
    assert problem["what"] == "10000 intervals in each of 10000 replications"
    assert "4 GiB" in problem["why"]


def test_as_many_replications_as_are_allowed_are_simulated(small: Path) -> None:
    ready = read_scenario(small, {"measure.intervals": 10_000})
    most = ready.most_replications()
    ready.refuse_beyond_memory(most)
    with pytest.raises(InputError, match=f"up to {most} replications"):
        ready.refuse_beyond_memory(most + 1)


def test_the_table_of_blockers_grows_with_the_waiters_and_not_with_their_square() -> None:
    service = Service()
    for number in range(8_000):
        service.enq(Task(number), Resource("Q", "R"))
    tracemalloc.start()
    waits = service.waits()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [len(wait.blockers) for wait in waits] == list(range(1, 8_000))
    assert peak < 20e6


def test_a_parquet_dictionary_of_gigabytes_is_refused() -> None:
    rows, buffer = 12_000, io.BytesIO()
    volume = pl.Series("volume", ["A" * 100_000]).new_from_index(0, rows)
    pl.DataFrame({"time_s": pl.zeros(rows, eager=True), "volume": volume}).write_parquet(buffer, statistics=False)
    assert len(buffer.getvalue()) < 10_000
    with pytest.raises(InputError) as raised:
        _read_records(buffer.getvalue(), "io.parquet")
    problem = _problem(raised)
    assert (problem["file"], problem["what"]) == ("io.parquet", "unpacks to more than 1 GiB")


def test_a_manifest_of_any_number_of_replications_takes_no_memory() -> None:
    tables = _system(2)
    tracemalloc.start()
    with pytest.raises(ValueError, match="does not have the 300000 replications"):
        check_tables(tables, 300_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1e6


def test_estimates_of_many_entities_take_no_more_memory_than_their_table() -> None:
    """With a table of quantiles for each entity, 100,000 rows of 2,000 entities took more than 1 GB."""
    script = """
import resource, sys
import polars as pl
from slicewright.statistics import over_replications
table = pl.DataFrame({"volume": [f"V{at % 2000}" for at in range(100_000)], "io_per_s": [1.0] * 100_000})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
over_replications(table, ["volume"], ["io_per_s"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100_000, "KiB more than before"


def _system(replications: int) -> dict[str, pl.DataFrame]:
    from slicewright._core import counters, key_columns

    columns: dict[str, Iterable[Any]] = {"replication": range(replications), "interval": [0] * replications}
    columns |= {row["name"]: ["A"] * replications for row in key_columns() if row["table"] == "system"}
    columns |= {row["name"]: [0.0] * replications for row in counters() if row["table"] == "system"}
    return {"system": pl.DataFrame(columns)}


@pytest.mark.parametrize("command", ["run", "report", "compare", "advise"])
def test_a_limit_that_leaves_no_room_is_answered_in_a_sentence(small: Path, tmp_path: Path, command: str) -> None:
    run = tmp_path / "run"
    if command in ("report", "compare"):
        sw.run(small, out=run)
    words = {"run": [small], "report": [run], "compare": [run, run], "advise": [small]}[command]
    done = _limited(TOO_LITTLE, [command, *map(str, words)])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: there is not enough memory for this run\n")


def test_results_that_a_limit_leaves_no_room_for_are_answered_in_a_sentence(small: Path) -> None:
    intervals = {"measure.intervals": 10_000}
    replications = read_scenario(small, intervals).most_replications()
    words = ["run", str(small), "--replications", str(replications), "--set", "measure.intervals=10000"]
    done = _limited(2 << 30, words)
    assert done.returncode == 1
    assert re.search(r"not enough memory .*\n  why: ulimit -v allows 2,048 MiB", done.stderr)


def _limited(most: int, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """The command line with a limit on its address space, in bytes."""
    limit = f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))"
    script = f"{limit}; from slicewright.cli import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True)


def _classic(volumes: int) -> bytes:
    """A DEVICE page of this number of volumes with an alias each."""
    page = (study_folder("hyperpav") / "device-reports" / "Y032180H.txt").read_text(encoding="ascii").splitlines()
    first = next(at for at, line in enumerate(page) if line.startswith(" 522A"))
    numbers = page[first][20:]
    bases = [f" {at:04X} 3390   V{at:05X}{numbers}" for at in range(volumes)]
    aliases = [f" {at + 0x8000:04X} ->{at:04X} V{at:05X}{numbers}" for at in range(volumes)]
    return "\n".join([*page[:first], *bases, *aliases, ""]).encode()


def _least_s(data: bytes) -> float:
    """Processor time of the fastest of three readings: others use this machine too."""
    times = []
    for _ in range(3):
        started = time.process_time()
        read_pools(data, "page.txt")
        times.append(time.process_time() - started)
    return min(times)


def test_a_page_four_times_as_long_is_read_in_about_four_times_the_time() -> None:
    """A search for each alias among all rows would have a ratio of sixteen."""
    assert _least_s(_classic(6_000)) < 9 * _least_s(_classic(1_500))
