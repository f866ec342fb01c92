"""Does the engine read any bytes from Python, or raise InputError with problems in it?"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from slicewright._core import DeviceReport, InputError, Scenario, starter, starters

KINDS = [kind for kind, _ in starters()]

THOROUGH = settings(max_examples=200)


def survives(read: Callable[[], object]) -> None:
    """Call a reader; the test fails on anything but a result or an InputError that lists problems."""
    problems = refused(read)
    assert problems is None or problems, "refused without a problem"
    for problem in problems or []:
        assert problem["what"]
        assert problem["line"] >= 0


def refused(read: Callable[[], object]) -> list[dict[str, Any]] | None:
    """The problems that a reader lists, or None when it reads."""
    try:
        read()
    except InputError as refusal:
        return refusal.problems
    return None


def damage(text: bytes, where: int, piece: bytes, gone: int) -> bytes:
    """The text with `gone` bytes replaced by `piece` somewhere."""
    at = where % (len(text) + 1)
    return text[:at] + piece + text[at + gone :]


@THOROUGH
@given(some.binary(max_size=400))
def test_any_bytes_are_a_scenario_or_a_list_of_problems(data: bytes) -> None:
    survives(lambda: Scenario.read(data, "any.toml"))


@THOROUGH
@given(some.binary(max_size=400))
def test_any_bytes_are_a_page_or_a_list_of_problems(data: bytes) -> None:
    survives(lambda: DeviceReport.read(data, "any.txt"))


@pytest.mark.parametrize("kind", KINDS)
@THOROUGH
@given(
    some.integers(0, 100_000),
    some.binary(max_size=4) | some.sampled_from([b"", b"-", b'"', b"\n", b"9" * 30]),
    some.integers(0, 3),
)
def test_a_damaged_scenario_is_read_or_refused(kind: str, where: int, piece: bytes, gone: int) -> None:
    damaged = damage(starter(kind).encode(), where, piece, gone)
    survives(lambda: Scenario.read(damaged, "damaged.toml"))


@THOROUGH
@given(some.lists(some.text(max_size=40), max_size=3))
def test_any_setting_is_taken_or_refused(written: list[str]) -> None:
    text = starter(KINDS[0]).encode()
    survives(lambda: Scenario.read(text, "set.toml", written))
    survives(lambda: Scenario.read(text, "set.toml", [f"measure.interval={value}" for value in written]))
