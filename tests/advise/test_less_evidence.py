"""A law: less evidence never gives a narrower range, nor a recommendation where more evidence gives none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
import slicewright as sw
from slicewright._core import Scenario
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.from_scenario import answer_scenario
from slicewright.advise.aliases.request import AliasRequest, Assumed

from benches.alias_sites import Site
from tests.fitting.fit_example import joined
from tests.fitting.test_left_open import MEASURED, SYSTEMS

AT = (1, 4, 8)
"""Aliases at which ranges are compared."""

NOISE = 0.9
"""The share of a width that is left where only chance differs: of the simulation, and of what was measured."""


def widths(found: Answer) -> list[float]:
    """The ratio of the ends of the response at each of these numbers of aliases."""
    points = [point for point in found.curve if point.aliases in AT]
    return [point.high["response_ms"] / point.low["response_ms"] for point in points]


def no_narrower(less: Answer, more: Answer) -> None:
    """Assert that an answer from less evidence has no narrower range, or no recommendation."""
    if less.recommendation is None:
        return
    assert more.recommendation is not None, "less evidence gives a recommendation where more gives none"
    assert less.recommendation.high - less.recommendation.low >= more.recommendation.high - more.recommendation.low
    assert all(few >= NOISE * many for few, many in zip(widths(less), widths(more), strict=True))


def advised(pages: Sequence[bytes], assumed: Assumed | None = None) -> Answer:
    files = [(f"page-{at}.txt", page) for at, page in enumerate(pages)]
    (found,) = answer(files, AliasRequest(at=AT, assumed=assumed or Assumed()))
    return found


SITE = replace(Site.numbered(4), aliases=(0, 3), think_ms=1.0, guests=(4, 3, 3))


def pages(site: Site) -> list[bytes]:
    return [replace(site, think_ms=site.think_ms / (1 if at == 0 else 0.75)).page(at) for at in (0, 1)]


@pytest.mark.slow
def test_fewer_pages() -> None:
    both = pages(SITE)
    more = advised(both)
    no_narrower(advised(both[:1]), more)


@pytest.mark.slow
def test_a_channel_whose_utilization_is_not_known() -> None:
    page = pages(SITE)[:1]
    no_narrower(advised(page), advised(page, Assumed(channel_busy_percent=20.0)))


@pytest.mark.slow
def test_arrivals_that_are_not_known() -> None:
    page = pages(replace(SITE, guests=(0, 0, 0), rate=500.0, batch=2))[:1]
    no_narrower(advised(page), advised(page, Assumed(arrivals="open")))


@pytest.mark.parametrize("dropped", ["Qued", "Conn", "I/O"])
def test_a_page_without_a_column_gets_no_answer(dropped: str) -> None:
    text = pages(SITE)[0].decode().replace(f" {dropped}", " " * (len(dropped) + 1))
    with pytest.raises(sw.InputError):
        advised([text.encode()])


@pytest.mark.parametrize("name", ["paths that slow", pytest.param("open", marks=pytest.mark.long)])
def test_fewer_intervals_of_a_fit(name: str) -> None:
    scenario = Scenario.read(SYSTEMS[name][0].encode(), name).with_(MEASURED)
    day = joined(scenario, seed=5)
    found = []
    for shown in ("0..6", "0,4", "0"):
        text = sw.fit(day, shown=shown).text
        (answered,) = answer_scenario(text.encode(), "fit.toml", AliasRequest(at=AT))
        found.append(answered)
    for more, less in pairwise(found):
        no_narrower(less, more)


@pytest.mark.slow
def test_records_without_tries_and_fails() -> None:
    import polars as pl

    scenario = Scenario.read(SYSTEMS["other use of freed aliases"][0].encode(), "known").with_(MEASURED)
    day = joined(scenario, seed=5)
    hidden = day.raw["pools"].with_columns(pl.lit(None, pl.Float64).alias("fails_per_try"))
    answers = []
    for measured in (day, replace(day, raw={**day.raw, "pools": hidden})):
        text = sw.fit(measured).text
        (answered,) = answer_scenario(text.encode(), "fit.toml", AliasRequest(at=AT))
        answers.append(answered)
    no_narrower(answers[1], answers[0])
