"""Who answers about slices: one scenario, or RMF pages of partitions."""

from __future__ import annotations

from collections.abc import Iterator

from slicewright.advise.about import is_scenario
from slicewright.advise.adviser import Adviser, Named
from slicewright.advise.progress import Progress
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.from_pages import answer_pages
from slicewright.advise.slices.from_scenario import answer_scenario
from slicewright.advise.slices.question import SliceQuestion, check
from slicewright.advise.slices.report import document, report


def answer(named: Named, question: SliceQuestion, progress: Progress) -> list[SliceAnswer]:
    """The answer from one scenario, or from RMF pages of partitions; raises InputError.

    >>> from slicewright._core import starter
    >>> files = [("two-domains.toml", starter("two-domains").encode())]
    >>> answer(files, SliceQuestion(), lambda share: None)[0].recommendation.parameter
    5
    """
    name, data = named[0]
    if len(named) == 1 and is_scenario(name, data):
        return [answer_scenario(data, name, question, progress)]
    return [answer_pages(named, question, progress)]


def _scenarios(one: SliceAnswer) -> Iterator[tuple[str, str]]:
    """Each reading."""
    for at, reading in enumerate(one.readings, 1):
        yield f"{at:02}-{reading.name}.toml", reading.text


ADVISER = Adviser(
    lambda named, options: check(options), answer, document, report, _scenarios,
    alone=lambda answer: answer.scenario,
)  # fmt: skip
"""The question about slices."""
