"""Does the range of `advise aliases` contain the truth of simulated sites, channels that fill up among them?"""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import pytest
from slicewright import InputError
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.request import AliasRequest, Assumed, check
from slicewright.advise.options import AdviceOptions

from benches import limit_coverage
from benches.alias_coverage import judge
from benches.alias_sites import Site
from benches.coverage import judged

SITES = range(400, 406)
"""Sites that the method was never changed for, one of each kind; `benches.alias_coverage` judges hundreds."""

CONTAINERS = range(400, 408)
LEAST_HELD = 0.6
"""Share of points in the range; `benches.limit_coverage` reports more, and few sites vary."""

FULL = replace(Site.numbered(7), channels=1, serial_ms=0.6, guests=(3, 3, 3), think_ms=1.0)
"""Three volumes behind one channel that carries 1,667 I/Os per second."""


def advised(site: Site, assumed: Assumed | None = None) -> Answer:
    (found,) = answer([("page.txt", site.page(0))], AliasRequest(assumed=assumed or Assumed()))
    return found


@pytest.mark.slow
def test_the_range_contains_the_truth_in_95_percent() -> None:
    sites = judged(judge, SITES)
    held = [holds for site in sites for holds in site.every]
    assert sum(held) >= 0.95 * len(held)
    assert sum(site.silent for site in sites) <= 1
    assert median(width for site in sites for width in site.widths) < 2, "a range that contains everything is no use"


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [CONTAINERS[:3], pytest.param(CONTAINERS, marks=pytest.mark.long)])
def test_the_range_of_a_limit_contains_the_truth_of_containers(numbers: range) -> None:
    sites = judged(limit_coverage.judge, numbers)
    held = [holds for site in sites for holds in site.every]
    assert sum(held) >= LEAST_HELD * len(held)
    assert sum(site.silent for site in sites) <= len(sites) / 3
    width = median(width for site in sites for width in site.widths)
    # The median of fewer sites says little.
    assert len(sites) < len(CONTAINERS) or width < 8, "a range that contains everything is no use"


def test_the_range_contains_a_channel_that_is_nearly_full_and_says_what_settles_it() -> None:
    found = advised(FULL)
    assert found.recommendation is not None
    for point in found.curve:
        true, half = FULL.truth(point.aliases)
        assert point.low["response_ms"] - half <= true <= point.high["response_ms"] + half
    assert any("channel_busy" in line for line in found.needed)


def test_a_channel_whose_utilisation_is_known_bounds_every_promise() -> None:
    found = advised(FULL, Assumed(channel_busy_percent=85.0))
    assert found.recommendation is not None
    ceiling = found.now.io_per_s / 0.85
    for point in found.curve:
        assert point.high["io_per_s"] <= ceiling * 1.001
    assert found.recommendation.aliases <= 2


def test_more_io_than_the_named_channels_carry_is_refused_with_their_ceiling() -> None:
    with pytest.raises(InputError, match=r"1,275 I/O/s keep 5\.18 channels busy, and 1 is assumed"):
        advised(FULL, Assumed(channel="ESCON", io_kib=64.0))


def test_channels_are_assumed_by_name_and_size() -> None:
    options = AdviceOptions.of(assume=["channel=FICON Express4", "io_size=27 KiB", "channel_busy=40%"])
    assumed = check(options).assumed
    assert (assumed.channel, assumed.io_kib, assumed.channel_busy_percent) == ("FICON Express4", 27.0, 40.0)


def test_two_intervals_of_different_load_are_still_read() -> None:
    site = Site.numbered(41)
    assert site.kind == "two intervals"
    files = [
        (f"interval-{at}.txt", replace(site, think_ms=site.think_ms * (1 if at == 0 else 6)).page(at)) for at in (0, 1)
    ]
    (found,) = answer(files, AliasRequest())
    assert found.knee is not None
    assert any("each was read by itself" in caveat for caveat in found.caveats)
