"""Is a run the same bytes on one thread and on two, and the same in the release build as in the debug build?

Both builds are held to `tests/golden/runs.toml`, Python's tables to `tests/golden/measured.toml`;
`crates/monitor/tests/golden` describes how these files are made. The debug build runs scenarios on one thread, of dear
ones that are alike one each. The release build here runs all on two. So one simulation answers both questions.
"""

from __future__ import annotations

import hashlib
import math
import struct
import tomllib
from typing import Any

import pytest
from slicewright._core import Scenario
from slicewright.run.tables import ENTITY, LOGS

from tests.tidy.tree import ROOT

GOLDEN: dict[str, Any] = tomllib.loads((ROOT / "tests/golden/runs.toml").read_text(encoding="utf-8"))
MEASURED: dict[str, str] = tomllib.loads((ROOT / "tests/golden/measured.toml").read_text(encoding="utf-8"))
SCENARIOS = [path for path, run in GOLDEN.items() if isinstance(run, dict)]
EVERY_MECHANISM = "tests/golden/every_mechanism.toml"

Tables = dict[str, dict[str, list[Any]]]


def scenario_of(path: str) -> Scenario:
    """The scenario as the golden runs have it."""
    return Scenario.read((ROOT / path).read_bytes(), path, GOLDEN["set"])


def simulate(scenario: Scenario, threads: int) -> Tables:
    """The golden replications on this number of threads."""
    seed = GOLDEN["seed"]
    warm_up_s, _ = scenario.warm_up(seed)
    return scenario.simulate(seed, (0, GOLDEN["replications"]), threads, warm_up_s)


def digest(tables: Tables) -> str:
    """SHA-256 of every table: a line per row with its table, replication, interval, keys, and its figures' bits.

    Rows over all intervals follow, and have no interval.
    """
    hashed = hashlib.sha256()
    pooled: Any = tables["pooled"]
    for name in ENTITY:
        for table in (tables[name], pooled[name]):
            for row in zip(*table.values(), strict=True):
                hashed.update(("\t".join([name, *map(word, row)]) + "\n").encode())
    return hashed.hexdigest()


def word(value: object) -> str:
    """The bits of a figure in hex, the greatest first; what identifies a row as it is printed.

    An unknown value is NaN in the engine and None here.
    """
    if value is None:
        value = math.nan
    return struct.pack(">d", value).hex() if isinstance(value, float) else str(value)


@pytest.mark.parametrize("path", SCENARIOS)
def test_the_release_build_on_two_threads_gives_what_the_debug_build_gives_on_one(path: str) -> None:
    golden, scenario = GOLDEN[path], scenario_of(path)
    assert scenario.checksum == golden["scenario"], "the scenario itself is another one than when the file was made"
    assert scenario.warm_up(GOLDEN["seed"])[0] == golden["warm_up_s"]
    tables = simulate(scenario, threads=2)
    for counter in ("events", "io_per_s"):
        assert tables["system"][counter] == golden[counter], counter
    assert digest(tables) == MEASURED[path]


def test_one_thread_and_two_give_the_same_bytes() -> None:
    scenario = scenario_of(EVERY_MECHANISM)
    assert digest(simulate(scenario, threads=1)) == digest(simulate(scenario, threads=2))


def test_a_golden_run_of_the_debug_build_has_one_thread() -> None:
    text = (ROOT / "crates/monitor/tests/golden/run.rs").read_text(encoding="utf-8")
    assert "experiment.run(0..REPLICATIONS, 1, " in text


def test_every_shipped_scenario_has_a_golden_run() -> None:
    shipped = {path.relative_to(ROOT).as_posix() for path in (ROOT / "scenarios").rglob("*.toml")}
    replayed = {path for path in shipped if scenario_of(path).replays}
    assert shipped - replayed <= set(SCENARIOS)


def test_the_tables_are_those_of_a_run() -> None:
    tables = simulate(scenario_of("scenarios/mm1.toml"), threads=1)
    assert list(tables) == [*ENTITY, "pooled", *LOGS]


def test_a_changed_bit_changes_the_digest() -> None:
    tables = simulate(scenario_of("scenarios/mm1.toml"), threads=1)
    before = digest(tables)
    responses = tables["volumes"]["response_ms"]
    (number,) = struct.unpack(">Q", struct.pack(">d", responses[-1]))
    (responses[-1],) = struct.unpack(">d", struct.pack(">Q", number ^ 1))
    assert digest(tables) != before
