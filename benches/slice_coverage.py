"""How often the range of `advise slices` contains the truth, on simulated machines whose truth is known.

    python -m benches.slice_coverage [SITES [FIRST]]

The RMF pages of each site are read as if they had been measured.  The true hold of the mean I/O and of each device is
simulated with the recommended slice and with three others.  It is looked up in the range.  Sites differ from what the
adviser assumes (see `slice_sites`).  The column "page" asks whether the range at the present slice contains the printed
AVG INT DLY.  Widths are those of the mean I/O's hold: the ratio of the ends.
"""

from __future__ import annotations

from slicewright.advise.slices.answer import Held, SliceAnswer, SlicePoint
from slicewright.advise.slices.from_pages import answer_pages
from slicewright.advise.slices.pages import gather
from slicewright.advise.slices.request import check

from benches.coverage import SILENT, Found, main, spread
from benches.slice_sites import KINDS, Site

RESOLVED_MS = 0.05
"""Half a unit of the last digit of a hold as it is printed."""


def judge(number: int) -> Found | None:
    """Advice on a site's pages against its truth."""
    site = Site.numbered(number)
    files = site.files()
    found = answer_pages(files, check(site.options()))
    if found.recommendation is None:
        return Found(number, site.kind, f"{SILENT}: {found.reason}")
    mean, each, widths = [], [], []
    for point in looked_up(found):
        hold, half, rate = site.truth(point.slice_ms)
        total = sum(rate.values())
        true = sum(hold[name] * rate[name] for name in hold) / total
        slack = sum(half[name] * rate[name] for name in hold) / total
        mean.append(_holds(point.hold, true, slack))
        each += [_holds(held, hold[name], half[name]) for name, held in point.devices.items()]
        widths.append(max(point.hold.high_ms, 2 * RESOLVED_MS) / max(point.hold.low_ms, 2 * RESOLVED_MS))
    chosen = found.recommendation
    words = f"{chosen.slice_ms:g} ({chosen.low_ms:g}-{chosen.high_ms:g})"
    return Found(
        number, site.kind, words, {"hold": tuple(mean), "each device": tuple(each), "page": _printed(files, found)},
        tuple(widths),
    )  # fmt: skip


def looked_up(found: SliceAnswer) -> list[SlicePoint]:
    """The recommended slice and others spread over the curve, none of them that of the page."""
    assert found.recommendation is not None
    chosen = found.recommendation.slice_ms
    others = [point for point in found.curve if point.slice_ms not in (chosen, found.now_ms)]
    return [next(point for point in found.curve if point.slice_ms == chosen), *spread(others)]


def _printed(files: list[tuple[str, bytes]], found: SliceAnswer) -> tuple[bool, ...]:
    """For each volume whether the range at the present slice contains the hold that its page prints."""
    point = found.point(found.now_ms)
    assert point is not None
    return tuple(
        _holds(point.devices[volume.name], volume.hold_ms, 0.0)
        for page in gather(files).pages
        for volume in page.volumes
        if volume.hold_ms is not None
    )


def _holds(held: Held, true: float, half_width: float) -> bool:
    slack = max(half_width, RESOLVED_MS)
    return held.low_ms - slack <= true <= held.high_ms + slack


if __name__ == "__main__":
    main(judge, KINDS)
