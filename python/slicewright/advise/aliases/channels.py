"""How busy the channels behind a DEVICE page can be, and the serial time per I/O that follows.

A page does not show it.  A channel is busy with an I/O for its serial time, which is no longer than the connect time.
So the channels are busy with the I/O of the page for at most rate x connect time over the paths.  That holds for
channels that interleave I/Os (FICON) and for those that carry one at a time (ESCON).  Readings simulate the former,
unless a channel of the latter kind is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.request import CHANNELS, AliasRequest, Assumed
from slicewright.statistics import fixed, percent, plural

if TYPE_CHECKING:
    from slicewright.advise.aliases.answer import Answer

FULL = 0.97
"""ASSUME: the busiest channel of a reading; a busier one would not keep the rate that is printed."""

LEAST = 0.02
"""The share of a channel below which it makes no difference."""

SHARES = (1.0, 0.6)
SHARES_OF_SEVERAL = (1.0, 0.85, 0.7, 0.5, 0.3)
"""The shares tried of the most that a channel can be busy: with one report, and with several alias counts."""

ONE_AT_A_TIME = ("ESCON",)
"""Published channels that carry one I/O at a time; the others interleave frames of several."""

IO_KIB = 4.0
"""ASSUME: KiB of an I/O where a channel is named and the size is not, as where published rates of channels count."""


def most_busy(report: PoolReport) -> float:
    """The most that the channels can be busy with the I/O of a pool, as a share; rate x connect time over the paths.

    >>> from slicewright.advise.aliases.example import report
    >>> round(most_busy(report("Y040180P")), 2), most_busy(report("Y032180H"))
    (0.18, 0.97)
    """
    connected = sum(row.io_per_s * (row.conn_ms + row.part_rounding / 3) for row in report.exposures) / 1000
    return min(FULL, connected / paths_of(report))


def paths_of(report: PoolReport) -> int:
    """Channel paths as printed, 1 to 8."""
    return min(8, max(1, report.volumes[0].base.paths))


def known_busy(report: PoolReport, assumed: Assumed) -> float | None:
    """The utilisation of the channels as it is given, or as it follows from a channel that is named; None is unknown.

    A sharing that is given says how connected I/Os slow each other, and leaves no serial part.

    >>> from slicewright.advise.aliases.example import report
    >>> known_busy(report(), Assumed(channel_busy_percent=10.0)), known_busy(report(), Assumed())
    (0.1, None)
    """
    if assumed.channel_busy_percent is not None:
        return min(FULL, assumed.channel_busy_percent / 100)
    if assumed.channel is not None:
        return min(FULL, report.io_per_s * serial_of(assumed) / 1000 / paths_of(report))
    return 0.0 if assumed.sharing_percent is not None else None


def busy_shares(report: PoolReport, several: bool) -> tuple[float, ...]:
    """The utilisations of the channels to be tried against a report, the busiest first; none where they are excluded.

    >>> from slicewright.advise.aliases.example import report
    >>> [round(share, 2) for share in busy_shares(report("Y032180H"), several=False)]
    [0.97, 0.58]
    """
    most = most_busy(report)
    return tuple(most * share for share in (SHARES_OF_SEVERAL if several else SHARES)) if most >= LEAST else ()


def serial_ms(report: PoolReport, busy: float) -> float:
    """The serial time per I/O in ms with which the channels are that busy: utilisation law."""
    return 1000 * busy * paths_of(report) / report.io_per_s


def busy_with(ceiling: float | None, io_per_s: float) -> float:
    """How busy channels are that carry at most `ceiling` I/Os per second, as a share; at most all the time.

    >>> busy_with(4000.0, 3000.0), busy_with(None, 3000.0)
    (0.75, 0.0)
    """
    return min(1.0, io_per_s / ceiling) if ceiling else 0.0


def full_channels(answer: Answer, question: AliasRequest) -> str:
    """Why aliases are not recommended that only fill channels whose utilization is known; "" where they do not.

    `answer`: with its recommendation, as of the main reading.
    """
    chosen, known = answer.recommendation, question.assumed
    given = known.channel_busy_percent is not None or known.channel is not None
    main = next((reading.load for reading in answer.readings if reading.saturated and reading.load), None)
    point = answer.point(chosen.aliases) if chosen else None
    if not given or chosen is None or main is None or point is None or chosen.aliases <= answer.now.aliases:
        return ""
    now, then = (busy_with(main.ceiling, io) for io in (answer.now.io_per_s, point.estimates["io_per_s"].mean))
    if then < FULL:
        return ""
    aliases = plural(chosen.aliases, "alias", "aliases")
    return (
        f"{aliases} would move the queue to the channels ({percent(now, 0)} busy now, {percent(then, 0)} then), and "
        "all that shares these would wait"
    )


def ceiling_of(assumed: Assumed, paths: int) -> str:
    """The most that the named channels carry, in words.

    >>> ceiling_of(Assumed(channel="FICON"), 4)
    '4 paths of FICON carry at most 24,001 I/O/s of 4 KiB (98.3 MB/s)'
    """
    kib = IO_KIB if assumed.io_kib is None else assumed.io_kib
    rate = 1000 * paths / serial_of(assumed)
    megabytes = fixed(rate * kib * 1024 / 1e6, 1)
    carry = "carries" if paths == 1 else "carry"
    most = f"at most {fixed(rate, 0)} I/O/s of {kib:g} KiB ({megabytes} MB/s)"
    return f"{plural(paths, 'path')} of {assumed.channel} {carry} {most}"


def serial_of(assumed: Assumed) -> float:
    """The serial time of an I/O in ms on the channel that is named.

    >>> round(serial_of(Assumed(channel="FICON")), 4), round(serial_of(Assumed(channel="FICON", io_kib=24.0)), 4)
    (0.1667, 0.3715)
    """
    assert assumed.channel is not None
    per_io, per_kib = CHANNELS[assumed.channel]
    return per_io + per_kib * (IO_KIB if assumed.io_kib is None else assumed.io_kib)
