"""Does a second measurement judge each prediction, and leave the readings that both have?"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from slicewright import InputError
from slicewright._core import Scenario
from slicewright.advise.aliases.day import hardest_cases, read_day_pools
from slicewright.advise.aliases.from_reports import Case, cases_of, search
from slicewright.advise.aliases.readings import Explored
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.aliases.second import Beside, compared
from slicewright.advise.command import advise, taken
from slicewright.advise.limits import second as limits
from slicewright.advise.limits.answer import Case as LimitCase
from slicewright.advise.limits.cpu_stat import Copy, texts
from slicewright.advise.limits.from_copies import Searched, bare
from slicewright.advise.limits.intervals import Judged, intervals, judged_one_by_one, read_all
from slicewright.advise.options import AdviceOptions
from slicewright.advise.predictions import Happened
from slicewright.advise.question import Files, Pair
from slicewright.advise.questions import QUESTIONS
from slicewright.advise.second import Checked, Setting, moved
from slicewright.experiment.plan import Plan
from slicewright.reading.cgroup import Load, setting_of
from slicewright.reading.second import Foretold, second
from slicewright.run.pages.run import device_page_of
from slicewright.run.run import run

from benches.coverage import judged
from benches.second_pages import CHANGES, judge
from tests.advise import alias_example, limits_example

SITES = range(920, 924)
"""Sites that the method was never changed for."""


def page(aliases: int, guests: tuple[int, int] = (4, 4), connect_ms: float = 1.0, think_ms: float = 2.0) -> bytes:
    """The DEVICE page of two volumes, whose guests think between their I/Os."""
    lines = ['name = "site"', "[source]", 'document = "a test"', "[[control_unit]]", 'name = "CU"']
    lines += ["[[alias_pool]]", 'name = "POOL"', f"aliases = {aliases}"]
    for at, count in enumerate(guests):
        lines += ["[[volume]]", f'name = "VOL{at}"', f'device = "520{at}"', 'control_unit = "CU"']
        lines += ['alias_pool = "POOL"', 'gap = "0.02 ms"']
        lines += [f'service = {{ pend = "0.2 ms", connect = {{ exponential = "{connect_ms} ms" }} }}']
        lines += ["[[guest]]", f'name = "G{at}"', f"count = {count}"]
        think = f'{{ think = {{ exponential = "{think_ms} ms" }} }}'
        lines += [f'program = [ {think}, {{ io = {{ volume = "VOL{at}" }} }} ]']
    lines += ["[measure]", 'interval = "60 s"', "replications = 1"]
    scenario = Scenario.read("\n".join(lines).encode(), "site")
    return device_page_of(run(scenario, seed=5 + aliases, threads=1), "toolkit").encode()


@cache
def before() -> tuple[Case, Explored]:
    """The page with one alias, and its readings."""
    (case,) = cases_of([("before.txt", page(1))], AliasRequest())
    explored = search(case).explored
    assert explored is not None
    return case, explored


def beside(data: bytes) -> Beside:
    case, explored = before()
    (after,) = cases_of([("after.txt", data)], AliasRequest())
    return compared(case, after.reports[0], explored)


def test_the_same_load_holds_every_number_and_leaves_a_part_of_the_readings() -> None:
    found = beside(page(4))
    assert found.came.held
    assert moved(found.came) == ""
    assert found.left is not None
    left, every = ({id(each.load) for each in explored.accepted} for explored in (found.left, before()[1]))
    assert left < every or left == every
    assert found.left.saturated is not None
    assert {outcome.name for outcome in found.came.outcomes if not outcome.part} == {
        "io_per_s", "service_ms", "queue_depth", "response_ms",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("after", "named"),
    [
        ({"aliases": 4, "guests": (8, 8)}, "arrival rate"),
        ({"aliases": 4, "connect_ms": 2.0}, "service"),
        ({"aliases": 0, "guests": (2, 6)}, "skew between volumes (VOL"),
    ],
    ids=["more load", "longer service", "skew"],
)
def test_a_load_that_changed_is_named_by_the_numbers_that_moved(after: dict[str, Any], named: str) -> None:
    found = beside(page(**after))
    assert found.left is None
    assert not found.came.held
    assert named in moved(found.came)
    whole = {outcome.name for outcome in found.came.moved if not outcome.part}
    assert (found.at_rate is not None) == ("io_per_s" in whole)


def test_a_rate_that_moved_leaves_a_prediction_at_the_rate_that_is_printed() -> None:
    case, explored = before()
    (after,) = cases_of([("after.txt", page(4, think_ms=1.0))], AliasRequest())
    found = compared(case, replace(after.reports[0]), explored)
    assert found.at_rate is not None
    assert "io_per_s" not in {outcome.name for outcome in found.at_rate.outcomes if not outcome.part}
    response = next(outcome for outcome in found.at_rate.outcomes if outcome.name == "response_ms")
    assert response.held


def test_of_a_day_the_hardest_intervals_are_checked_with_their_date() -> None:
    day = alias_example.day()
    (case,) = hardest_cases(day, AliasRequest())
    (pool,) = read_day_pools(day, AliasRequest())
    longest = max(interval["queue_depth"] for interval in pool.intervals)
    assert case.reports[0].queue_depth == pytest.approx(longest, rel=0.1)
    assert case.reports[0].started.startswith("1970-01-01 ")


def test_less_evidence_never_leaves_fewer_readings_and_no_number_is_excused_twice() -> None:
    draw = random.Random("second")
    for _ in range(200):
        numbers = [
            [Foretold(name, "", 100.0, draw.gauss(100, 20), draw.uniform(1, 30)) for name in "abcd"] for _ in range(6)
        ]
        every = set(second(numbers).left)
        for kept in itertools.combinations(range(4), 3):
            fewer = second([[reading[at] for at in kept] for reading in numbers])
            assert every <= set(fewer.left)
        assert not every or second(numbers).held, "a reading that is left is in the range of all"
        narrow = second([[replace(each, allowed=0.0) for each in reading] for reading in numbers])
        assert set(narrow.left) <= every


def copies(load: Load, limit: float) -> bytes:
    """Two copies, 240 s apart, of a container after those of the example, under another limit."""
    group = replace(limits_example.group(), limit=limit)
    seen = limits_example.simulations().at(load, setting_of(group, load), Plan(240.0, 5.0, 1)).columns
    first = Copy("a", 1, "v2", 80.0, 2500, 1000, 180.0, None, 1000.0, {})
    later = replace(
        first, at_s=1240.0, used_s=80.0 + float(seen["used_s"][0]), periods=2500 + int(seen["periods"][0]),
        throttled=1000 + int(seen["throttled"][0]), stopped_s=180.0 + float(seen["stopped_s"][0]),
    )  # fmt: skip
    return texts([first, later]).encode()


@pytest.mark.parametrize(
    ("load", "named"),
    [
        (limits_example.load(), ""),
        (replace(limits_example.load(), requests_per_s=52.0), "processor time"),
        (replace(limits_example.load(), batch=9.0), "processors stopped"),
    ],
    ids=["the same", "more requests", "larger batches"],
)
def test_copies_under_another_limit_are_predicted_at_the_rate_that_they_show(load: Load, named: str) -> None:
    case = limits_example.case()
    group = replace(case.question.group, limit=0.75)
    found = intervals(read_all([("after.stat", copies(load, 0.75))]), group.period_ms, None)[1:]
    after = LimitCase(judged_one_by_one(found, group).used, replace(case.question, group=group), tuple(found))
    copied = read_all([("before.stat", limits_example.COPIES)])
    answer = bare([("before.stat", b"")], copied, (case.intervals, Judged(case.intervals)), case.question)
    answer = replace(answer, readings=limits_example.lines())
    searched = Searched(answer, limits_example.simulations(), case)
    came, _ = limits.compared(searched, after)
    assert named in moved(came)
    assert came.held == (not named)
    assert bool(came.left) == (not named)


@pytest.mark.parametrize(
    ("measured", "left", "verdict", "head"),
    [
        (105.0, True, "held", "The prediction for 2 aliases held           2 of 2 numbers in range"),
        (150.0, True, "missed", "The prediction for 2 aliases missed         1 of 2 numbers in range"),
        (150.0, False, "changed", "Arrival rate 36 % more than predicted."),
        (None, True, None, "Nothing was predicted for 2 aliases: the queue grows."),
    ],
)
def test_an_answer_begins_with_the_verdict_for_people_and_programs(
    measured: float | None, left: bool, verdict: str | None, head: str
) -> None:
    setting = Setting("aliases", 2.0, "2 aliases")
    numbers = [
        [Foretold("io_per_s", "", measured or 0.0, rate, 10.0), Foretold("response_ms", "", 2.0, 2.1, 0.2)]
        for rate in (90.0, 110.0)
    ]
    came = None if measured is None else second(numbers)
    checked = Checked(alias_example.advice(), "522A", setting, "", came, left, "the queue grows" if not came else "")
    asked = QUESTIONS["aliases"].second
    assert asked is not None
    assert head in asked.text(checked)
    document = asked.document(checked)
    assert document["check"]["verdict"] == verdict
    assert document["check"]["setting"] == {"aliases": 2.0}
    assert [number["held"] for number in document["check"]["numbers"]] == ([measured == 105.0, True] if came else [])
    assert [line.held for line in asked.predicted(checked) if isinstance(line, Happened)] == (
        [measured == 105.0] if came else []
    )


def refusal(files: list[str | Path], question: str | None = "aliases", **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        advise(question, files, options=AdviceOptions.of(quiet=True, **options))
    return str(caught.value)


def test_what_cannot_be_checked_is_refused_with_what_can(tmp_path: Path) -> None:
    one, stat = tmp_path / "page.txt", tmp_path / "cpu.stat"
    one.write_bytes(page(0))
    stat.write_bytes(limits_example.COPIES)
    assert "--check BEFORE AFTER" in refusal([one], check=True)
    assert "without --check" in refusal([one], then="8")
    assert "not the same pool" in refusal([one, alias_example.FILE], check=True)
    (tmp_path / "again.txt").write_bytes(one.read_bytes())
    assert "the same measurement twice" in refusal([one, tmp_path / "again.txt"], check=True)
    later = tmp_path / "later.stat"
    later.write_bytes(limits_example.COPIES + b"\n")
    assert "--then 750m" in refusal([stat, later], "limits", check=True, limit="500m")
    scenario = tmp_path / "two.toml"
    scenario.write_text('[[volume]]\nname = "A"\n', encoding="utf-8")
    assert "advise aliases, advise limits" in refusal([scenario], "exits", predictions=tmp_path / "kept.jsonl")
    short = tmp_path / "one.stat"
    short.write_bytes(b"".join(limits_example.COPIES.splitlines(keepends=True)[:4]))
    assert "one copy after the change" in refusal([stat, short], "limits", check=True, limit="500m", then="750m")


def test_two_files_of_pages_are_before_and_after(tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("a.txt", "b.txt", "c.txt")]
    for at, name in enumerate(names):
        name.write_bytes(page(at))
    found = taken(names, AdviceOptions(check=True))
    assert isinstance(found, Pair)
    parts: list[Files] = [found.before, found.after]
    assert [[name.rpartition("/")[2] for name, _ in part] for part in parts] == [["a.txt", "b.txt"], ["c.txt"]]


@pytest.mark.slow
def test_the_same_load_holds_and_a_third_more_is_seen_where_pages_identify_it() -> None:
    sites = judged(partial(judge, changes=CHANGES[:2], ranges=False), SITES)
    same, more = zip(*(site.said for site in sites), strict=True)
    assert len(sites) >= 3
    assert set(same) == {"held"}
    assert "changed" in more
