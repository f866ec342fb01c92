"""Do the tasks of an experiment check, look at, compare and run a scenario as the commands do?"""

from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from slicewright import load, run
from slicewright._core import InputError, Scenario, starter, starters
from slicewright.scenario.settings import settings
from slicewright.serve.look import _full, _Look, _pair, _simulate
from slicewright.serve.questions import _check, _rewritten
from slicewright.serve.tasks import Reporter

POOL = starter("pool")
MORE = "alias_pool.LSS-52.aliases=16"
SHORT = ['measure.interval="2 s"', "measure.replications=2", 'measure.warm_up="1 s"']


@pytest.fixture
def heard() -> tuple[Reporter, list[dict[str, Any]]]:
    """A reporter, and the parts that it has reported."""
    parts: list[dict[str, Any]] = []

    def write(job: int, kind: str, value: Any) -> None:
        if kind == "part":
            parts.append(value)

    return Reporter(1, write), parts


@pytest.mark.parametrize("kind", [name for name, _ in starters()])
def test_every_number_has_a_slider_that_contains_it(kind: str) -> None:
    found = settings(Scenario.read(starter(kind).encode(), f"{kind}.toml"))
    numbers = [setting for setting in found if setting.number is not None]
    assert numbers
    assert all(setting.least <= (setting.number or 0) <= setting.most and setting.step > 0 for setting in numbers)


@pytest.mark.parametrize(
    "change",
    [
        MORE, 'guest.*.program.1.think="0.5 ms"', 'volume.BWPVS0.gap="0.1 ms"',
        'volume.*.service.connect.per_kib="0.01 ms"', 'alias_pool.LSS-52.redispatch="pool-fifo"',
    ],
)  # fmt: skip
def test_a_change_in_the_text_means_what_set_means(change: str) -> None:
    text = _rewritten(POOL, [change])
    assert Scenario.read(text.encode(), "x").view == Scenario.read(POOL.encode(), "x", [change]).view
    assert text.startswith("# A HyperPAV pool: eight volumes")


def test_a_change_of_a_key_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="no alias pool is called"):
        _rewritten(POOL, ["alias_pool.OTHER.aliases=2"])


def test_a_bad_text_has_all_of_its_problems_with_lines(heard: tuple[Reporter, list[Any]]) -> None:
    text = POOL.replace("aliases = 8", 'aliases = "x"').replace("paths = 4", "paths = 99\nflavour = 1")
    found = _check(heard[0], text)
    assert [problem["key"].split()[-1] for problem in found["problems"]] == ["paths", "flavour", "aliases"]
    assert all(problem["line"] > 0 for problem in found["problems"])


def test_a_look_refines_and_names_what_was_asked(heard: tuple[Reporter, list[Any]]) -> None:
    reporter, parts = heard
    found = _simulate(reporter, text=POOL, changes=[MORE], ask=7, pace_s=0.2)
    widths = [part["measures"][0]["half_width"] for part in parts]
    assert [part["ask"] for part in parts] == [7, 7, 7]
    assert [part["last"] for part in parts] == [False, False, True]
    assert found["ask"] == 7
    assert widths[-1] < widths[0]
    assert "<h1>HyperPAV pool, 8 aliases</h1>" in found["html"]


def test_a_look_is_a_run_of_the_same_lengths(heard: tuple[Reporter, list[Any]]) -> None:
    reporter, parts = heard
    _simulate(reporter, text=POOL, changes=[MORE], pace_s=0.2)
    plan = next(_Look.of(POOL, [MORE], ".").plans(0.2))
    same = run(POOL, set=[MORE, *plan.changes()])
    assert parts[0]["measures"][0]["mean"] == same.system["response_ms"][0]


def test_a_scenario_that_changes_while_it_runs_keeps_its_interval() -> None:
    look = _Look.of(starter("dynamics"), [], ".")
    assert {plan.interval_s for plan in look.plans(0.2)} == {look.scenario.measure["interval_s"]}


def test_two_settings_have_paired_differences(heard: tuple[Reporter, list[Any]]) -> None:
    reporter, parts = heard
    _pair(reporter, text=POOL, changes=[MORE], pinned=[POOL, []], pace_s=0.2)
    rows = {row["name"]: row for row in parts[-1]["differences"] if not row["of"]}
    assert rows["Response, ms"]["streams"] == "paired"
    assert rows["Response, ms"]["sure"]
    assert rows["Response, ms"]["difference"].startswith("-")


def test_the_saved_files_are_a_run_directory(heard: tuple[Reporter, list[Any]], tmp_path: Path) -> None:
    found = _full(heard[0], text=POOL, changes=[MORE, *SHORT], pinned=[POOL, SHORT])
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(found["zip"]))) as archive:
        archive.extractall(tmp_path)
    saved = load(tmp_path / "run")
    assert saved.checksum == run(POOL, set=[MORE, *SHORT]).checksum
    assert load(tmp_path / "pinned").name == saved.name


def test_a_look_can_be_stopped_between_batches() -> None:
    look = _Look.of(POOL, [], ".")
    _, longer, *_ = look.plans(0.01)
    assert [done for done, _ in look.batches(longer)] == [4, 8]
