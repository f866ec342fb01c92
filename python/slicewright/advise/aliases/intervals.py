"""Files with several intervals of DEVICE or RMF device pages: the pages of each, and the one with the longest queue."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.aliases.evidence import PoolReport

_TITLE = re.compile(rb"^1?[ \t]*(?:FCX[0-9]{3}\b|(?:[A-Z][ \t]+){5})", re.MULTILINE)
_DEVICE = re.compile(rb"FCX108\b")
_RMF = re.compile(rb"D I R E C T\s+A C C E S S\s+D E V I C E")
_START = (
    re.compile(rb"^From[ \t]+(\S+[ \t]+\S+)", re.MULTILINE),
    re.compile(rb"Interval[ \t]+(\S+)"),
)
_DATE, _TIME = re.compile(rb"\bDATE[ \t]+(\S+)"), re.compile(rb"\bTIME[ \t]+([0-9]\S+)")


def intervals(data: bytes) -> list[bytes]:
    """The pages of a file, one text per interval, each line at its place; a file of one interval is itself.

    >>> page = b"FCX108  Run\\nFrom 2007/02/04 13:16:46\\n"
    >>> [text.count(b"FCX108") for text in intervals(page + page.replace(b"13:16", b"13:26"))]
    [1, 1]
    >>> intervals(b"no title")
    [b'no title']
    """
    places = [title.start() for title in _TITLE.finditer(data)]
    if len(places) < 2:
        return [data]
    pages = [data[start:end] for start, end in zip(places, [*places[1:], len(data)], strict=True)]
    starts = [_start(page) for page in pages]
    known = list(dict.fromkeys(start for start in starts if start))
    if len(known) < 2:
        return [data]
    found = []
    for wanted in known:
        text = data[: places[0]].count(b"\n") * b"\n"
        for page, start in zip(pages, starts, strict=True):
            text += page if start == wanted else page.count(b"\n") * b"\n"
        found.append(text)
    return found


def busiest(reports: Sequence[Sequence[PoolReport]]) -> Sequence[PoolReport]:
    """The pools of the interval in which most requests wait, the first of equals; each has the number of intervals."""
    most = max(reports, key=lambda pools: sum(pool.queue_depth for pool in pools))
    return [replace(pool, intervals=len(reports)) for pool in most]


def told_apart(reports: Sequence[Sequence[PoolReport]]) -> list[list[PoolReport]]:
    """The reports, those that are called alike with the start of their interval in the name."""
    names = [pools[0].run or pools[0].file for pools in reports]
    return [
        [replace(pool, run=f"{name}, {pool.started}") if names.count(name) > 1 else pool for pool in pools]
        for name, pools in zip(names, reports, strict=True)
    ]


def _start(page: bytes) -> bytes:
    """The start of a page of devices as it is printed; empty for other pages."""
    if _DEVICE.search(page):
        return next((found[1] for pattern in _START if (found := pattern.search(page))), b"")
    if not _RMF.search(page):
        return b""
    parts = [found[1] for pattern in (_DATE, _TIME) if (found := pattern.search(page))]
    return b" ".join(parts)
