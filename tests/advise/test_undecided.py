"""Is a page refused, or its range wide, where it does not identify its load: long queues, bursts, other bases?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.report import document, reason_of
from slicewright.advise.aliases.request import AliasRequest

from benches.alias_coverage import judge_load
from benches.alias_loads import Site
from benches.alias_sites import Site as Known
from benches.coverage import judged

SITES = range(700, 706)
"""Sites that no rule was chosen for, one of each kind of load; `benches.alias_coverage` judges hundreds."""


def advised(site: Site | Known) -> Answer:
    (found,) = answer([("page.txt", site.page(0))], AliasRequest())
    return found


def bursting(*batches: int, aliases: int = 0, share: float = 0.5) -> Site:
    """Volumes with requests that arrive together, as many as given for each."""
    site = replace(Site.numbered(6), aliases=(aliases,))
    volumes = tuple(replace(site.volumes[0], name=f"VOL00{at}", share=share) for at in range(len(batches)))
    guests = tuple(
        f'name = "G{at}"\narrivals = "{volume.rate / batch:.4f}/s"\nbatch = {batch}\n'
        f'program = [ {{ io = {{ volume = "{volume.name}" }} }} ]'
        for at, (volume, batch) in enumerate(zip(volumes, batches, strict=True))
    )
    return replace(site, volumes=volumes, guests=guests)


@pytest.mark.parametrize("batches", [(200,), (150, 1), (400, 1, 1)])
def test_a_queue_of_tens_of_requests_is_refused_with_the_measurement_that_settles_it(batches: tuple[int, ...]) -> None:
    found = advised(bursting(*batches))
    made = document(found)
    assert made["recommendation"] is None
    assert "requests wait for VOL000: more than 20 may be one burst, or a queue that still grows" in made["reason"]
    assert made["needed"][0].startswith("a DEVICE report of the same load with any aliases (even 4)")


@pytest.mark.parametrize("batches", [(1, 6, 20), (1, 1, 12), (1, 9, 9)])
def test_volumes_that_need_different_kinds_of_arrivals_get_no_recommendation(batches: tuple[int, ...]) -> None:
    found = advised(bursting(*batches))
    assert document(found)["recommendation"] is None
    assert found.needed


def test_bursts_alone_leave_open_how_long_they_last() -> None:
    found = advised(bursting(6, 6, share=0.4))
    assert found.recommendation is not None
    assert found.recommendation.low == 1
    at, unlimited = found.point(1), found.curve[-1]
    assert at is not None
    assert at.low["response_ms"] <= unlimited.estimates["response_ms"].mean < at.high["response_ms"]


@pytest.mark.parametrize("number", [643, 607, 606])
def test_a_pool_with_aliases_is_judged_by_the_queue_of_each_base(number: int) -> None:
    assert Site.numbered(number).aliases[0] > 0
    assert reason_of(advised(Site.numbered(number)))


def test_a_load_that_waits_in_one_way_keeps_its_recommendation() -> None:
    found = advised(Known.numbered(602))
    assert found.recommendation is not None
    assert not reason_of(found)


@pytest.mark.slow
def test_the_range_contains_the_truth_of_loads_that_are_not_tried() -> None:
    sites = judged(judge_load, SITES)
    held = [holds for site in sites for holds in site.every]
    assert sum(held) >= 0.85 * len(held)
