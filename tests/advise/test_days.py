"""Does advice on a day of intervals hold the truth of the simulated system, and does its data test the readings?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import slicewright as sw
from slicewright.advise.aliases.day import DayAnswer, answer_day, read_day_pools
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.request import AliasRequest, Assumed
from slicewright.advise.day import Day, read_day
from slicewright.advise.many import alike
from slicewright.advise.questions import question_of
from slicewright.measured.export import monwrite, smf
from slicewright.report import text

from tests.advise.alias_example import day_advice
from tests.conftest import CommandLine

THINK_MS = (4.0, 0.8, 0.3, 4.0)
"""The think times of the guests in each interval: the third is the hardest."""
ALIASES = 3
GIVEN = Assumed(population=3, sharing_percent=2.0, gap_ms=0.0)
TYPED = [
    "--assume",
    "population=3",
    "--assume",
    "sharing=2%",
    "--assume",
    "gap=0ms",
    "--assume",
    "redispatch=none",
    "-q",
]


def world(think_ms: float, redispatch: str = "none") -> str:
    """Four volumes of three guests each, which share some aliases."""
    lines = ['name = "day"', "[source]", 'document = "an example"', "[[control_unit]]", 'name = "CU"', "paths = 4"]
    lines += ['sharing = "2 %"', "[[alias_pool]]", 'name = "POOL"', f"aliases = {ALIASES}"]
    lines += [f'redispatch = "{redispatch}"']
    for at in range(4):
        lines += [
            "[[volume]]",
            f'name = "VOL{at}"',
            f'device = "520{at}"',
            'control_unit = "CU"',
            'alias_pool = "POOL"',
        ]
        lines += ['service = { pend = "0.2 ms", connect = { exponential = "1 ms" } }']
        lines += ["[[guest]]", f'name = "ON{at}"', "count = 3"]
        think = f'{{ think = {{ exponential = "{think_ms} ms" }} }}'
        lines += [f'program = [ {think}, {{ io = {{ volume = "VOL{at}" }} }} ]']
    return "\n".join([*lines, "[measure]", 'interval = "60 s"', 'warm_up = "1 s"', "replications = 1"]) + "\n"


def day_of(worlds: Sequence[str]) -> sw.Run:
    """A run whose intervals are those of several scenarios."""
    runs = [sw.run(each, seed=9) for each in worlds]
    raw = dict(runs[0].raw)
    for name, frame in raw.items():
        if not frame.is_empty():
            raw[name] = pl.concat([run.raw[name].with_columns(interval=pl.lit(at)) for at, run in enumerate(runs)])
    return replace(runs[0], raw=raw)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("day") / "monday.monwrite"
    path.write_bytes(monwrite(day_of([world(think) for think in THINK_MS]), system="LABSYS"))
    return path


@pytest.fixture(scope="module")
def found(file: Path) -> DayAnswer:
    (only,) = answer_day(day_at(file), AliasRequest())
    return only


@pytest.fixture(scope="module")
def quick(file: Path) -> DayAnswer:
    """The same with a load that is given, so that there is little to search."""
    (only,) = answer_day(day_at(file), AliasRequest(assumed=GIVEN))
    return only


@pytest.mark.slow
def test_the_recommendation_for_the_day_holds_the_truth_of_its_hardest_interval(found: DayAnswer) -> None:
    truths = [answer([("world.toml", world(think).encode())], AliasRequest())[0] for think in (0.3, 0.8)]
    knees = [truth.recommendation.aliases for truth in truths if truth.recommendation]
    assert found.recommendation is not None
    assert found.recommendation.low <= max(knees) <= found.recommendation.high
    response = found.hardest.point(max(knees))
    true = truths[0].point(max(knees))
    assert response is not None
    assert true is not None
    assert response.low["response_ms"] <= true.estimates["response_ms"].mean <= response.high["response_ms"]


def test_the_hardest_interval_is_the_one_with_the_longest_queue(quick: DayAnswer) -> None:
    assert quick.hardest.hardest.number == 2
    assert [[interval.number for interval in group.intervals] for group in quick.groups] == [[2], [1], [0, 3]]


def test_tries_and_fails_exclude_the_other_redispatch_policies(quick: DayAnswer) -> None:
    assert quick.excluded == ("same-volume", "pool-fifo")
    kept = {reading.load.redispatch for reading in quick.hardest.answer.readings if reading.accepted and reading.load}
    assert kept == {"none"}


@pytest.mark.parametrize("policy", ["same-volume", "pool-fifo"])
def test_a_policy_at_work_is_the_one_that_is_left(tmp_path: Path, policy: str) -> None:
    (tmp_path / "day").write_bytes(monwrite(day_of([world(0.3, policy)])))
    (only,) = answer_day(day_at(tmp_path / "day"), AliasRequest(assumed=GIVEN))
    kept = {reading.load.redispatch for reading in only.hardest.answer.readings if reading.accepted and reading.load}
    assert kept == {policy}


def test_intervals_of_different_aliases_are_never_one_group() -> None:
    few, many = world(0.3), world(0.3).replace(f"aliases = {ALIASES}", "aliases = 6")
    run = day_of([few, many, few])
    (pool,) = read_day_pools(day_in_memory(run), AliasRequest())
    assert [interval["aliases"] for interval in pool.intervals] == [3, 6, 3]
    values = np.ones((3, 2))
    assert alike(values, [interval["aliases"] for interval in pool.intervals]) == [[0, 2], [1]]


def test_a_day_of_like_intervals_is_one_group_and_many_are_at_most_eight() -> None:
    steps = np.arange(1.0, 97.0)[:, None]
    assert alike(np.full((96, 2), 5.0), "A" * 96) == [list(range(96))]
    groups = alike(np.hstack([steps, steps]), "A" * 96)
    assert len(groups) == 8
    assert sorted(at for group in groups for at in group) == list(range(96))
    assert len(groups[-1]) < len(groups[0])  # the harder have fewer intervals


def test_the_means_of_a_group_are_those_of_its_intervals() -> None:
    run = day_of([world(0.3), world(0.3)])
    (pool,) = read_day_pools(day_in_memory(run), AliasRequest())
    both, first, second = (pool.report(which, "x") for which in ([0, 1], [0], [1]))
    assert both.io_per_s == pytest.approx((first.io_per_s + second.io_per_s) / 2)
    assert both.queue_depth == pytest.approx((first.queue_depth + second.queue_depth) / 2)
    assert both.tries is not None
    assert both.tries.taken_per_s == pytest.approx(both.tries.lent_per_s, rel=0.01)
    assert both.volumes[0].base.queue_rounding < first.volumes[0].base.queue_rounding


def test_a_directory_and_its_file_get_the_same_answer(file: Path, tmp_path: Path, slicewright: CommandLine) -> None:
    assert slicewright("read", file, "--out", tmp_path / "day").status == 0
    words = ("--interval", "2", *TYPED, "--format", "json")
    answers = [json.loads(slicewright("advise", "aliases", day, *words).out) for day in (file, tmp_path / "day")]
    assert answers[0].pop("files") != answers[1].pop("files")
    for each in answers:
        for group in each["groups"]:
            del group["answer"]  # names the files
    assert answers[0] == answers[1]
    assert answers[0]["hardest"]["starts"] == "2026-01-01 00:02:00"


def test_text_names_the_hardest_interval_and_monitor_data(quick: DayAnswer) -> None:
    printed = text.render(quick.report())
    assert "Hardest interval: 2 (00:02)" in printed
    assert "<- hardest" in printed
    assert "DEVICE report" not in printed
    assert "exclude the redispatch policies same-volume and pool-fifo" in printed


def test_the_document_has_every_interval_and_its_group(quick: DayAnswer) -> None:
    made = quick.document()
    assert [interval["group"] for interval in made["intervals"]] == [2, 1, 0, 2]
    assert made["recommendation"]["aliases"] == max(
        group["answer"]["recommendation"]["aliases"] for group in made["groups"]
    )


def test_smf_without_it_needs_the_number_of_aliases(slicewright: CommandLine) -> None:
    refused = slicewright("advise", "aliases", Path("tests/measured/records/hnai-htio-none.smf"))
    assert refused.status == 2
    assert "--aliases 0001=N" in refused.err


def test_smf_has_the_aliases_that_are_configured(tmp_path: Path, slicewright: CommandLine) -> None:
    path = tmp_path / "day.smf"
    path.write_bytes(smf(day_of([world(0.3)])))
    day = day_at(path)
    assert set(day.table("pools")["aliases"]) == {ALIASES}
    said = slicewright("advise", "aliases", path, *TYPED)
    assert (said.status, said.err) == (0, "")
    assert "SMF data" in said.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--interval", "4"], "not intervals of the day: 4"),
        (["--interval", "3..1"], "from 0 to 3"),
        (["--pool", "9000-9001"], "no volume with I/O to advise on"),
        (["--aliases", "8"], "no pool whose aliases are missing"),
        (["--pool-listing", "pav.txt"], "does not apply to monitor data"),
    ],
)
def test_options_that_the_day_cannot_use_are_refused(
    file: Path, slicewright: CommandLine, words: list[str], expected: str
) -> None:
    said = slicewright("advise", "aliases", file, *words)
    assert (said.status, said.out) == (2, "")
    assert expected in said.err


def test_a_simulated_run_and_other_directories_are_refused_with_a_remedy(
    small: Path, tmp_path: Path, slicewright: CommandLine
) -> None:
    (tmp_path / "other").mkdir()
    assert slicewright("run", small, "--out", tmp_path / "run").status == 0
    said = slicewright("advise", tmp_path / "other").err
    assert "slicewright read FILE --out DIR" in said
    assert "scenario.toml" in slicewright("advise", tmp_path / "run").err


def test_other_files_beside_a_day_are_refused(file: Path, small: Path, slicewright: CommandLine) -> None:
    said = slicewright("advise", "aliases", file, small)
    assert said.status == 2
    assert "beside monitor data" in said.err


def test_an_interval_of_a_page_is_refused(small: Path, slicewright: CommandLine) -> None:
    assert "applies to monitor data alone" in slicewright("advise", small, "--interval", "3").err


def test_a_question_that_no_record_answers_is_refused(file: Path, slicewright: CommandLine) -> None:
    said = slicewright("advise", "limits", file, "--limit", "500m")
    assert said.status == 2
    assert "monitor data do not answer advise limits" in said.err


def test_a_day_with_volumes_alone_asks_about_aliases(file: Path) -> None:
    assert question_of(day_at(file)).name == "aliases"


def day_at(path: Path) -> Day:
    day = read_day([path], None)
    assert day is not None
    return day


def day_in_memory(run: sw.Run) -> Day:
    """The intervals of a simulated run as a day, with queues that are exact."""
    count = run.raw["volumes"]["interval"].n_unique()
    starts = [60_000_000 * at for at in range(count + 1)]
    raw = run.raw
    measured = sw.Measured(name="LAB", version="", raw=raw, replications=1, starts_us=starts[:-1], ends_us=starts[1:])
    return Day("monday", measured, tuple(range(count)))


def test_a_refusal_of_the_hardest_intervals_is_one_of_the_day() -> None:
    day = day_advice()
    refused = replace(day.hardest, answer=replace(day.hardest.answer, reason="2 aliases fill channel 41"))
    made = replace(day, groups=(refused, *day.groups[1:])).document()
    assert made["recommendation"] is None
    assert "2 aliases fill channel 41" in made["reason"]


def test_refused_intervals_are_left_out_with_their_reason() -> None:
    day = day_advice()
    refused = replace(day.groups[1], answer=replace(day.groups[1].answer, reason="2 aliases fill channel 41"))
    shown = text.render(replace(day, groups=(day.hardest, refused)).report())
    assert "does not count in the recommendation: 2 aliases fill channel 41." in shown
