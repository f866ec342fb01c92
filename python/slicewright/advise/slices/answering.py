"""How the question about slices is answered: from a scenario, from RMF pages, or from waits that Linux counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import Files, later
from slicewright.advise.slices.request import SliceRequest
from slicewright.advise.slices.request import check as request_of
from slicewright.advise.slices.waits import WaitsAnswer, answer_waits, is_waiting
from slicewright.advise.source import is_scenario
from slicewright.errors import problem, refusal
from slicewright.experiment.progress import Progress

if TYPE_CHECKING:
    from slicewright.advise.slices.answer import SliceAnswer
    from slicewright.report.model import Report

_DOCUMENT = later("slicewright.advise.slices.report:document")
_REPORT = later("slicewright.advise.slices.report:report")
_WAITS_DOCUMENT = later("slicewright.advise.slices.waits_report:document")
_WAITS_REPORT = later("slicewright.advise.slices.waits_report:report")


def check(files: Files, options: AdviceOptions) -> SliceRequest:
    """The request; raises InputError with every problem of the options."""
    return request_of(options)


def answer_all(
    files: Files, request: SliceRequest, progress: Progress
) -> Sequence[SliceAnswer] | Sequence[WaitsAnswer]:
    """Waits for a processor where Linux counted them, else slices of partitions."""
    return answer_waits(files, request) if is_waiting(files) else answer(files, request, progress)


def answer(files: Files, request: SliceRequest, progress: Progress) -> list[SliceAnswer]:
    """The answer from one scenario, or from RMF pages of partitions; raises InputError.

    >>> from slicewright._core import starter
    >>> files = [("two-domains.toml", starter("two-domains").encode())]
    >>> answer(files, SliceRequest(), lambda share: None)[0].recommendation.parameter
    5
    """
    if request.weights or request.partition is not None:
        why = "pages have the weights, and a scenario has its partitions"
        raise refusal(problem("applies to monitor data alone", key="weight, partition", why=why))
    name, data = files[0]
    if len(files) == 1 and is_scenario(name, data):
        from slicewright.advise.slices.from_scenario import answer_scenario

        return [answer_scenario(data, name, request, progress)]
    from slicewright.advise.slices.from_pages import answer_pages

    return [answer_pages(files, request, progress)]


def document(found: SliceAnswer | WaitsAnswer) -> dict[str, Any]:
    """An answer for programs."""
    kept: dict[str, Any] = (_WAITS_DOCUMENT if isinstance(found, WaitsAnswer) else _DOCUMENT)(found)
    return kept


def report(found: SliceAnswer | WaitsAnswer) -> Report:
    """An answer for people."""
    page: Report = (_WAITS_REPORT if isinstance(found, WaitsAnswer) else _REPORT)(found)
    return page


def alone(found: SliceAnswer | WaitsAnswer) -> str:
    """The scenario of the main reading; "" for waits."""
    return "" if isinstance(found, WaitsAnswer) else found.scenario


def scenarios(answer: SliceAnswer | WaitsAnswer) -> Iterator[tuple[str, str]]:
    """Each reading; waits have none."""
    if isinstance(answer, WaitsAnswer):
        return
    for at, reading in enumerate(answer.readings, 1):
        yield f"{at:02}-{reading.name}.toml", reading.text
