"""The picture of choosing a yield: work, gains and what they are made of, over contention."""

from __future__ import annotations

from slicewright._core import starter
from slicewright.advise.yields.answering import COMPARISON
from slicewright.advise.yields.report import picture
from slicewright.report.figure import Figure

SHORT = ("measure.replications=4", 'measure.interval="0.3 s"', 'measure.warm_up="0.3 s"')


def choose() -> Figure:
    """Advice on the starter of web servers that spin, a panel each."""
    files = [("a.toml", starter("apache-spin").encode())]
    return picture(COMPARISON.answer(files, COMPARISON.request(changes=SHORT))[0])
