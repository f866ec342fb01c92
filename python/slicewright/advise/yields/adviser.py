"""Who answers about yields: one scenario with spin locks."""

from __future__ import annotations

from collections.abc import Iterator

from slicewright.advise.adviser import Adviser, Named
from slicewright.advise.constants import reading_scenarios
from slicewright.advise.progress import Progress
from slicewright.advise.source import one_scenario
from slicewright.advise.yields.answer import YieldAnswer
from slicewright.advise.yields.from_scenario import answer_scenario
from slicewright.advise.yields.question import YieldQuestion, check
from slicewright.advise.yields.report import document, report


def answer(named: Named, question: YieldQuestion, progress: Progress) -> list[YieldAnswer]:
    """An answer per control program with spin locks of one scenario; raises InputError for anything else.

    >>> answer([("a.txt", b"FCX108")], YieldQuestion(), lambda share: None)
    Traceback (most recent call last):
    _core.InputError: ...
    """
    allowed = "one scenario with [[spin_lock]] and control_program in a [[partition]]"
    why = "no report says how long guests hold their locks, and what they would do under another yield"
    name, data = one_scenario(named, why, allowed)
    return answer_scenario(data, name, question, progress)


def _scenarios(one: YieldAnswer) -> Iterator[tuple[str, str]]:
    """Each yield at each number of processors, and each reading."""
    for row in one.rows:
        for point in row.points:
            yield f"{row.processors:03}-{point.yielding.slug}.toml", point.text
    yield from reading_scenarios(one.readings)


ADVISER = Adviser(
    lambda named, options: check(options), answer, document, report, _scenarios,
    lambda answer: answer.partition.name,
)  # fmt: skip
"""The question about yields."""
