"""Live hooks: plans that are refused, filters that allow every call, prices, pages; a moment of real filters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.live.hooks import (
    CALIBRATIONS,
    FAR,
    FEW,
    LIVE,
    MANY,
    RULED,
    SIMULATED,
    Hooks,
    _filters_of,
    _middle,
    _near_rules,
    _Pair,
    _Plan,
    _prices_from,
    _range_of,
    _Setting,
)
from slicewright.live.hooks_program import (
    ALLOW,
    EQUAL,
    FIRST,
    GREATER,
    JUMP,
    LOAD,
    MOST_INSTRUCTIONS,
    ORDERS,
    RETURN,
    Order,
    Program,
    _passed,
    comparisons,
    compiled,
    filter_program,
    refused,
)
from slicewright.live.kept import REPORT, hooks_in, load, save, shown
from slicewright.serialization.hooks import HookPrices, hooked_ns
from slicewright.statistics import Estimate

from tests.conftest import CommandLine
from tests.live.examples import hooks_result

LINUX = sys.platform.startswith("linux")
PROCESSOR = max(os.sched_getaffinity(0)) if LINUX else 0
PRICES = HookPrices(190.0, 60.0, 23.0, 0.25)
SIZES = (0, 1, 4, 5, 250, 251, 1000, 2000)


def bitmap_answers(program: Program, number: int = 0) -> bool:
    """Whether the kernel's bitmap answers a call: the filter allows it and looks at its number alone."""
    return _passed(program, number)[-1].code == RETURN


def keys(error: InputError) -> set[str]:
    return {str(problem.get("key")) for problem in error.problems}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rules", SIZES)
def test_every_way_through_a_filter_ends_in_allow(rules: int, order: Order) -> None:
    program = filter_program(rules, order)
    assert program[-1].code == RETURN
    for at, step in enumerate(program):
        assert step.code in (LOAD, JUMP, EQUAL, GREATER, RETURN)
        targets = (step.jt, step.jf) if step.code in (EQUAL, GREATER) else (step.k,) if step.code == JUMP else ()
        assert all(0 <= target <= 255 or step.code == JUMP for target in targets)
        assert all(at + 1 + target < len(program) for target in targets)  # forward, and within
        assert step.code != RETURN or step.k == ALLOW


@pytest.mark.parametrize("rules", [rules for rules in SIZES if rules])
def test_a_list_is_passed_whole_and_a_tree_by_halves(rules: int) -> None:
    assert comparisons(filter_program(rules, "list")) == rules
    assert comparisons(filter_program(rules, "tree")) <= 4 + max(0, (rules - 1).bit_length())


def test_each_rule_of_a_tree_is_found() -> None:
    program = filter_program(750, "tree")
    assert all(bitmap_answers(program, FIRST + rule) for rule in range(750))
    assert not bitmap_answers(program, FIRST + 750)


@pytest.mark.parametrize("order", ORDERS)
def test_only_the_order_bitmap_leaves_arguments_alone(order: Order) -> None:
    assert bitmap_answers(filter_program(100, order)) == (order == "bitmap")


def test_what_the_kernel_does_not_take_is_known_before() -> None:
    assert refused(filter_program(2000, "list"), 16) == ""
    assert "the kernel takes 32,768" in refused(filter_program(2000, "list"), 17)
    assert f"{MOST_INSTRUCTIONS:,}" in refused(filter_program(4096, "list"), 1)


def test_the_price_of_filters_is_the_engines_walk() -> None:
    assert hooked_ns(PRICES, None) == 190.0
    assert hooked_ns(PRICES, ()) == 250.0
    assert hooked_ns(PRICES, (100, 200)) == 190 + 60 + 2 * 23 + 300 * 0.25


def test_the_constants_are_found_again_in_calls_of_known_prices() -> None:
    added = {setting: hooked_ns(PRICES, setting.compared) - PRICES.call_ns for setting in CALIBRATIONS}
    assert _prices_from(PRICES.call_ns, added, None) == PRICES
    less = _prices_from(190.0, {FEW: 100.0, MANY: 90.0, RULED: 80.0, FAR: 70.0}, 9)
    assert (less.filter_ns, less.rule_ns, less.path_ns, less.far_rule_ns) == (0.0, 0.0, 100.0, 0.0)
    beyond = replace(PRICES, far_rule_ns=0.5, near=2000)
    added = {setting: hooked_ns(beyond, setting.compared) - 190.0 for setting in CALIBRATIONS}
    assert _prices_from(190.0, added, 2000) == beyond
    assert _middle([5.0, 1.0, 2.0, 3.0]) == Estimate(2.5, 2.0, 4)


def test_everything_that_is_wrong_with_a_plan_is_said_at_once() -> None:
    with pytest.raises(InputError) as wrong:
        _Plan(rules=(5000,), filters=(0,), orders=(), processor=100_000).check()
    assert keys(wrong.value) == {"rules", "filters", "order", "processor"}
    with pytest.raises(InputError) as short:
        _Plan(processor=PROCESSOR, seconds=0.01).check()
    assert keys(short.value) == {"for"}
    with pytest.raises(InputError) as nothing:
        _Plan(rules=(4096,), processor=PROCESSOR).check()
    assert keys(nothing.value) == {"rules"}


def test_words_that_are_none_are_refused(slicewright: CommandLine) -> None:
    for text in ("x", "9..1", "-1", "1.5", ""):
        with pytest.raises(InputError):
            _range_of(text, "rules")
    with pytest.raises(InputError) as refused_word:
        Hooks.reads["order"]("list, tre", "order")
    assert refused_word.value.problems[0]["nearest"] == "tree"
    found = slicewright("live", "hooks", "--rules", "x", "--filters", "y", "--order", "tre", "--for", "z")
    assert found.status == 2
    for word in ("'x'", "'y'", "'tre'", "z"):
        assert word in found.err


def test_the_settings_of_the_constants_are_never_judged() -> None:
    assert set(CALIBRATIONS) <= set(_Plan(rules=(0, 1000), filters=(2, 6, 8)).settings)
    result = hooks_result()
    assert result.predicted == len(result.judged)
    assert {setting(pair) for pair in result.pairs} - {setting(pair) for pair in result.judged} == set(CALIBRATIONS)


def setting(pair: _Pair) -> _Setting:
    return _Setting(pair.order, pair.rules, pair.filters)


def pair(live: float, simulated: float, others_percent: float = 0.0, noise: float = 1.0) -> _Pair:
    sides = [
        {name: Estimate(value, noise, 6) for name in names} for value, names in ((live, LIVE), (simulated, SIMULATED))
    ]
    return _Pair("list", 9, 1, others_percent, False, *sides)


def test_a_pair_agrees_within_its_band_and_is_too_noisy_where_nothing_can_be_said() -> None:
    assert pair(1140.0, 1000.0).verdict == "agrees"
    assert pair(39.0, 30.0).verdict == "agrees"
    assert pair(1160.0, 1000.0).verdict == "differs"
    assert pair(1160.0, 1000.0, noise=200.0).verdict == "too noisy"
    assert pair(1160.0, 1000.0, others_percent=5.0).verdict == "too noisy"


def test_a_result_is_kept_and_shown_again(tmp_path: Path) -> None:
    result = hooks_result()
    save(result, tmp_path / "hooks")
    assert load(tmp_path / "hooks") == result
    assert hooks_in(tmp_path / "hooks") == tmp_path / "hooks" / "live.json"
    assert hooks_in(tmp_path) is None
    page = shown(result)
    for words in ("Constants, measured apart", "3 of 4 predicted settings", "differs", "tracepoints"):
        assert words in page
    assert "<svg" in (tmp_path / "hooks" / REPORT).read_text("utf-8")


def test_a_damaged_result_is_refused_with_every_place(tmp_path: Path) -> None:
    save(hooks_result(), tmp_path / "hooks")
    path = tmp_path / "hooks" / "live.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    kept["pairs"][0]["order"] = "heap"
    del kept["prices"]["rule_ns"]
    path.write_text(json.dumps(kept), encoding="utf-8")
    with pytest.raises(InputError) as damaged:
        load(tmp_path / "hooks")
    assert keys(damaged.value) == {"pairs[0].order", "prices.rule_ns"}


def test_a_system_that_does_not_say_is_taken_as_it_is(tmp_path: Path) -> None:
    status = tmp_path / "status"
    status.write_text("Seccomp:\t2\nSeccomp_filters:\t3\n", encoding="utf-8")
    assert (_filters_of(status), _filters_of(tmp_path / "none"), compiled(tmp_path / "none")) == (3, 0, None)
    status.write_text("0\n", encoding="utf-8")
    assert compiled(status) is False


def test_the_size_of_the_instruction_cache_is_read(tmp_path: Path) -> None:
    for index, (kind, size) in enumerate((("Data", "48K"), ("Instruction", "32K"), ("Unified", "2M"))):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, text in (("type", kind), ("level", "1" if index < 2 else "2"), ("size", size)):
            (folder / name).write_text(f"{text}\n", encoding="utf-8")
    assert _near_rules(tmp_path) == 32 * 1024 // 12


@pytest.mark.skipif(not LINUX, reason="needs Linux")
def test_filters_are_measured_and_none_is_left_behind() -> None:
    before = _filters_of()
    result = Hooks().measure(_Plan(rules=(0, 500), filters=(1, 8), processor=PROCESSOR, seconds=0.06))
    added = {setting(pair): pair.live["added_ns"].mean for pair in result.pairs}
    assert added[_Setting("list", 500, 8)] > added[_Setting("list", 0, 1)]
    assert result.prices.call_ns > 0
    assert [pair.calibration for pair in result.pairs[:3]] == [True] * 3
    assert all(pair.simulated["added_ns"].mean >= 0 for pair in result.pairs)
    assert _filters_of() == before


REFUSED = """
from slicewright.live.hooks_program import ALLOW, Instruction, filter_program, _install
# A filter that refuses prctl with EPERM, as the profile of a container may: here the call is made from Python alone.
number = {"x86_64": 157, "aarch64": 167, "s390x": 172}[__import__("platform").machine()]
answers = (Instruction(6, k=0x50001), Instruction(6, k=ALLOW))
forbids = (Instruction(0x20), Instruction(0x15, 0, 1, number), *answers)
_install(forbids)
try:
    _install(filter_program(1, "list"))
except Exception as error:
    print(error)
"""


@pytest.mark.skipif(not LINUX or os.uname().machine not in ("x86_64", "aarch64", "s390x"), reason="needs Linux")
def test_a_container_that_refuses_filters_is_named() -> None:
    run = subprocess.run([sys.executable, "-c", REFUSED], capture_output=True, text=True, timeout=60, check=False)
    assert "profile of this container" in run.stdout
    assert run.stderr == ""
