"""The question about exits: its files are one scenario, or one table of rates."""

from __future__ import annotations

from collections.abc import Iterator

from slicewright.advise.adviser import Adviser, Named
from slicewright.advise.constants import reading_scenarios
from slicewright.advise.exits.answer import ExitAnswer
from slicewright.advise.exits.from_scenario import answer_scenario
from slicewright.advise.exits.question import ExitQuestion, check
from slicewright.advise.exits.rates import as_scenario, is_rates, read_rates
from slicewright.advise.exits.report import document, report
from slicewright.advise.progress import Progress
from slicewright.advise.source import one_scenario
from slicewright.errors import problem, refusal

ALLOWED = "one scenario with [[enqueue]], or one table of rates: qname,rname,scope,pairs_per_s"


def answer(named: Named, question: ExitQuestion, progress: Progress) -> list[ExitAnswer]:
    """An answer per partition whose guests enqueue, of one scenario or of one table of rates; raises InputError else.

    >>> answer([("a.txt", b"FCX108")], ExitQuestion(), lambda share: None)
    Traceback (most recent call last):
    _core.InputError: ...
    """
    rates = [one for one in named if not one[0].endswith(".toml") and is_rates(one[1])]
    if rates:
        if len(named) > 1:
            other = next(one for one in named if one is not rates[0])
            raise refusal(problem("a second file", file=other[0], allowed=ALLOWED))
        name, data = rates[0]
        text = as_scenario(read_rates(data, name), name)
        return answer_scenario(text.encode(), name, question, progress)
    why = "it does not say who asks for what, and how often"
    name, data = one_scenario(named, why, ALLOWED)
    return answer_scenario(data, name, question, progress)


def _scenarios(one: ExitAnswer) -> Iterator[tuple[str, str]]:
    """Each structure and each reading."""
    for point in one.points:
        yield f"{point.structure}.toml", point.text
    yield from reading_scenarios(one.readings)


ADVISER = Adviser(
    lambda named, options: check(options),
    answer,
    document,
    report,
    _scenarios,
    lambda one: one.partition,
)
"""The question about exits."""
