"""Instants of a table as milliseconds since 1970, however a tool writes them."""

from __future__ import annotations

import polars as pl

_SCALES = ((1e17, 1e-6), (1e14, 1e-3), (1e11, 1.0), (0.0, 1000.0))
"""From which number on it is of ns, us, ms, and s, and ms of each."""
LATEST_MS = 1e15
"""The end of time for a sample, in the year 33,658."""
FORMATS = ("%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f")


def milliseconds(times: pl.Series) -> pl.Series:
    """Milliseconds since 1970; null where it is no instant.  Times without a zone are taken for UTC.

    >>> milliseconds(pl.Series([1_700_000_000])).to_list(), milliseconds(pl.Series([1_700_000_000_123.0])).to_list()
    ([1700000000000], [1700000000123])
    >>> milliseconds(pl.Series(["2023-11-14T22:13:20Z", "2023-11-14 23:13:20+01:00", "noon"])).to_list()
    [1700000000000, 1700000000000, None]
    """
    if times.dtype.is_temporal():
        return times.cast(pl.Datetime("ms")).dt.epoch("ms")
    if times.dtype == pl.String:
        text = times.str.strip_chars()
        numbers = text.cast(pl.Float64, strict=False)
        if numbers.null_count() < len(numbers):
            return _scaled(numbers)
        return _parsed(text)
    return _scaled(times.cast(pl.Float64, strict=False))


def _scaled(numbers: pl.Series) -> pl.Series:
    largest = numbers.filter(numbers.is_finite()).abs().max()
    size = float(largest) if isinstance(largest, int | float) else 0.0
    scale = next(scale for least, scale in _SCALES if size >= least)
    ms = (numbers * scale).round()
    return pl.select(pl.when(ms.abs() < LATEST_MS).then(ms).cast(pl.Int64)).to_series()


def _parsed(text: pl.Series) -> pl.Series:
    normal = text.str.replace(r"Z$", "+0000").str.replace(r"([+-]\d\d):(\d\d)$", "$1$2")
    found = pl.Series([None] * len(text), dtype=pl.Int64)
    for pattern in FORMATS:
        zoned = pattern.endswith("z")
        parsed = normal.str.to_datetime(pattern.replace("%#z", "%z"), time_unit="ms", strict=False,
                                        time_zone="UTC" if zoned else None)  # fmt: skip
        found = pl.select(pl.coalesce(found, parsed.dt.epoch("ms"))).to_series()
        if not found.null_count():
            break
    return found.rename(text.name)
