"""Do simulations that run side by side come in their order, and do all of them end when one fails?"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from slicewright.study.points import Progress, in_turn

WITHIN_S = 60.0


def test_a_result_comes_before_later_ones_are_done() -> None:
    release = threading.Event()

    def waits(progress: Progress) -> str:
        assert release.wait(WITHIN_S)
        return "second"

    results = in_turn([lambda progress: "first", waits])
    assert next(results) == "first"
    release.set()
    assert list(results) == ["second"]


def test_the_heaviest_starts_first_and_results_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0})
    started: list[int] = []

    def simulation(at: int) -> Callable[[Progress], int]:
        def simulated(progress: Progress) -> int:
            started.append(at)
            return at

        return simulated

    assert list(in_turn([simulation(at) for at in range(3)], weights=[1.0, 3.0, 2.0])) == [0, 1, 2]
    assert started == [1, 2, 0]


def test_the_second_starts_while_the_first_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 1})
    both = threading.Barrier(2, timeout=WITHIN_S)

    def meets(progress: Progress) -> int:
        return both.wait()

    assert sorted(in_turn([meets, meets])) == [0, 1]


def test_an_error_of_one_ends_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 1})
    begun, ended = threading.Event(), threading.Event()

    def endless(progress: Progress) -> None:
        begun.set()
        try:
            while True:
                progress(0.5)
                time.sleep(0.001)
        except KeyboardInterrupt:
            ended.set()
            raise

    def fails(progress: Progress) -> None:
        assert begun.wait(WITHIN_S)
        raise ArithmeticError("a run that cannot go on")

    simulations: list[Callable[[Progress], None]] = [fails, endless]
    with pytest.raises(ArithmeticError):
        list(in_turn(simulations))
    assert ended.wait(WITHIN_S)


def test_progress_is_the_sum_of_the_shares() -> None:
    heard: list[float] = []

    def simulated(progress: Progress) -> None:
        progress(0.5)
        progress(1.0)

    list(in_turn([simulated] * 3, heard.append))
    assert heard[-1] == 3.0
    assert heard == sorted(heard)
