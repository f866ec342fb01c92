"""The picture of choosing a yield: work, gains and what they are made of, over contention."""

from __future__ import annotations

from slicewright._core import starter
from slicewright.advise.yields.from_scenario import answer_scenario
from slicewright.advise.yields.picture import picture
from slicewright.advise.yields.question import YieldQuestion
from slicewright.report.figure import Figure

SHORT = ("measure.replications=4", 'measure.interval="0.3 s"', 'measure.warm_up="0.3 s"')


def choose() -> Figure:
    """Advice on the starter of web servers that spin, a panel each."""
    return picture(answer_scenario(starter("apache-spin").encode(), "a.toml", YieldQuestion(changes=SHORT))[0])
