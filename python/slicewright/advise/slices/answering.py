"""How the question about slices is answered: from a scenario, from RMF pages, or from waits that Linux counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright.advise.question import Files
from slicewright.advise.slices.request import SliceRequest
from slicewright.advise.source import is_scenario
from slicewright.errors import problem, refusal
from slicewright.experiment.progress import Progress

if TYPE_CHECKING:
    from slicewright.advise.slices.answer import SliceAnswer


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
