"""Who answers about polarization: one scenario with a control program."""

from __future__ import annotations

from collections.abc import Iterator

from slicewright.advise.adviser import Adviser, Named
from slicewright.advise.constants import reading_scenarios
from slicewright.advise.polarization.answer import PolarizationAnswer
from slicewright.advise.polarization.from_scenario import answer_scenario
from slicewright.advise.polarization.question import PolarizationQuestion, check
from slicewright.advise.polarization.report import document, report
from slicewright.advise.printed import slug
from slicewright.advise.progress import Progress
from slicewright.advise.source import one_scenario


def answer(named: Named, question: PolarizationQuestion, progress: Progress) -> list[PolarizationAnswer]:
    """An answer per control program of one scenario; raises InputError for anything else.

    >>> answer([("a.txt", b"FCX108")], PolarizationQuestion(), lambda share: None)
    Traceback (most recent call last):
    _core.InputError: ...
    """
    allowed = "one scenario with control_program in a [[partition]]; slicewright new zvm"
    why = "it says what happened under one setting, and not what the guests would do under another"
    name, data = one_scenario(named, why, allowed)
    return answer_scenario(data, name, question, progress)


def _scenarios(one: PolarizationAnswer) -> Iterator[tuple[str, str]]:
    """Each setting and each reading."""
    for at, point in enumerate(one.curve, 1):
        yield f"{at:02}-{slug(point.setting.words(one.usual))}.toml", point.text
    yield from reading_scenarios(one.readings)


ADVISER = Adviser(
    lambda named, options: check(options), answer, document, report, _scenarios,
    lambda answer: answer.partition.name,
)  # fmt: skip
"""The question about polarization."""
