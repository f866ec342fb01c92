"""OpenMetrics and Prometheus text: scrapes one after the other, with the times of samples or without.

Sources: Prometheus, Exposition formats; OpenMetrics 1.0.  Times are ms in the former, seconds in the latter.
"""

from __future__ import annotations

import re
from typing import IO

import numpy as np
import polars as pl

from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.names import role_of
from slicewright.advise.limits.fleet.series.numbering import Numbering
from slicewright.advise.limits.fleet.series.pieces import whole_lines
from slicewright.advise.limits.fleet.series.selectors import LABELS, series_of
from slicewright.advise.limits.fleet.series.times import LATEST_MS
from slicewright.errors import problem, refusal

_NAME = r"^([a-zA-Z_:][a-zA-Z0-9_:]*)"
_SAMPLE = rf"{_NAME}\s*({LABELS})?[ \t]+(\S+)(?:[ \t]+([-+.0-9eE]+))?"
_FAMILY = re.compile(r"# (?:TYPE|HELP|UNIT) (\S+)")
MILLISECONDS = 1e11
"""A time above it is in ms: seconds reach it in the year 5138."""
ALLOWED = 'lines NAME{label="value"} NUMBER [TIME]'


class Expositions:
    """Scrapes of some files, in the order in which they were made."""

    def __init__(self, data: Collected) -> None:
        """Begin without any."""
        self._data = data
        self._numbering = Numbering(data, _series)
        self._rows: list[pl.DataFrame] = []
        self._segment = -1
        self._seen: set[str] = set()
        self._first_file = ""

    def take(self, stream: IO[bytes], name: str) -> None:
        """Take the scrapes of a file; raises InputError for lines that are no samples."""
        self._first_file = self._first_file or name
        self._next()
        line = 1
        for chunk in whole_lines(stream, name):
            self._take(chunk, name, line)
            line += chunk.count(b"\n")

    def _next(self) -> None:
        """A scrape may begin here."""
        self._segment += 1
        self._seen = set()

    def _take(self, chunk: bytes, name: str, first: int) -> None:
        lines = _lines(chunk).with_row_index("line", first)
        comments = lines.filter(pl.col("text").str.starts_with("#"))
        begins = self._begins(comments)
        samples = lines.filter(~pl.col("text").str.starts_with("#") & (pl.col("text") != ""))
        rows = _named(samples)
        names = rows.get_column("name").drop_nulls().unique().to_list()
        for unknown in sorted(metric for metric in names if role_of(metric) is None):
            self._data.unknown.setdefault(unknown, 1)
        self._refuse_others(rows.filter(pl.col("name").is_null()), name)
        rows = _valued(rows.filter(pl.col("name").is_in([metric for metric in names if role_of(metric) is not None])))
        self._refuse_others(rows.filter(pl.col("value").is_null()), name)
        segment = np.searchsorted(np.array([at for at, _ in begins]), rows.get_column("line").to_numpy(), side="right")
        numbers = np.array([begins[0][1] - 1 if begins else self._segment, *(number for _, number in begins)])
        rows = rows.with_columns(pl.Series("segment", numbers[segment], pl.Int64))
        self._rows.append(self._numbering.numbered(rows.select("key", "value", "time", "segment")))

    def _begins(self, comments: pl.DataFrame) -> list[tuple[int, int]]:
        """Lines at which a scrape may begin: after # EOF, and at a family that the last one has already."""
        begins, last = [], ""
        for line, text in comments.select("line", "text").iter_rows():
            family = _FAMILY.match(text)
            ended = text.startswith("# EOF")
            if ended or (family is not None and family[1] != last and family[1] in self._seen):
                self._next()
                begins.append((line, self._segment))
            if family is not None:
                last = family[1]
                self._seen.add(last)
        return begins

    def _refuse_others(self, lines: pl.DataFrame, name: str) -> None:
        """Raise InputError with lines that are no samples."""
        bad = lines.filter(pl.col("text").str.strip_chars() != "").head(10)
        if not bad.is_empty():
            raise refusal(
                *(problem(f"not a sample: {text[:60]}", file=name, line=line, allowed=ALLOWED)
                  for line, text in bad.select("line", "text").iter_rows())
            )  # fmt: skip

    def done(self, every_s: float | None) -> None:
        """Hand over all points; raises InputError where nothing says when samples were taken."""
        rows = pl.concat(self._rows) if self._rows else pl.DataFrame()
        self._rows = []
        if rows.is_empty():
            return
        ms = pl.when(pl.col("time").abs() > MILLISECONDS).then(pl.col("time")).otherwise(1000 * pl.col("time"))
        rows = rows.with_columns(ms.alias("time"))
        if rows.get_column("time").null_count():
            rows = self._timed(rows, every_s)
        ms = pl.col("time").clip(-LATEST_MS, LATEST_MS).round()
        self._numbering.add(rows.filter(pl.col("time").is_finite()).with_columns(ms.cast(pl.Int64).alias("t")))

    def _timed(self, rows: pl.DataFrame, every_s: float | None) -> pl.DataFrame:
        """Rows with the time of their scrape where they have none of their own."""
        # Where no comment separates scrapes, a series that is there again begins the next.
        again = pl.int_range(pl.len()).over("series", "segment")
        part = again.cum_max().over("segment")
        rows = rows.with_columns((pl.col("segment") * rows.height + part).alias("segment"))
        occurrence = pl.int_range(pl.len()).over("series")
        by_segment = (
            rows.with_columns(occurrence.alias("occurrence"))
            .group_by("segment")
            .agg(pl.col("occurrence").max(), pl.col("time").max().alias("stamp"))
            .sort("segment")
            .with_columns(pl.col("occurrence").cum_max().alias("scrape"))
        )
        stamps = by_segment.group_by("scrape", maintain_order=True).agg(pl.col("stamp").max())
        if stamps.get_column("stamp").null_count():
            if every_s is None:
                why = "a scrape has no times of its own"
                remedy = "give the time between scrapes: advise limits --every 60s"
                raise refusal(problem("no times", file=self._first_file, key="every", why=why, remedy=remedy))
            stamps = stamps.with_columns((1000.0 * every_s * pl.col("scrape")).alias("stamp"))
        times = by_segment.select("segment", "scrape").join(stamps, on="scrape").select("segment", "stamp")
        found = rows.join(times, on="segment", how="left", maintain_order="left")
        return found.with_columns(pl.col("time").fill_null(pl.col("stamp"))).drop("stamp")


def _named(samples: pl.DataFrame) -> pl.DataFrame:
    """Samples with the name of their series, null where there is none, and the texts before and after its labels.

    Nearly every line is cut at `} `; what that cuts wrongly has no number after it, and `_valued` looks at it again.
    """
    cut = pl.col("text").str.split_exact("} ", 1)
    parts = samples.select("line", "text", cut.alias("cut")).unnest("cut").rename({"field_0": "key", "field_1": "rest"})
    begin = pl.col("key").str.split_exact("{", 1).struct.field("field_0")
    plain = begin.str.contains(r"^[a-zA-Z_:][a-zA-Z0-9_:]*$") & pl.col("rest").is_not_null()
    return parts.with_columns(pl.when(plain).then(begin).otherwise(pl.col("text").str.extract(_NAME)).alias("name"))


def _valued(rows: pl.DataFrame) -> pl.DataFrame:
    """Line, text, key, value and time of samples: null where a line is none; a time alone may be missing."""
    after = pl.col("rest").str.split_exact(" ", 1)
    number, time = (after.struct.field(field).cast(pl.Float64, strict=False) for field in ("field_0", "field_1"))
    whole = number.is_not_null() & (time.is_not_null() | ~pl.col("rest").str.contains(" ", literal=True))
    quick = rows.select("line", "text", pl.col("key") + "}", number.alias("value"), time.alias("time"),
                        whole.fill_null(False).alias("whole"))  # fmt: skip
    rest = quick.filter(~pl.col("whole"))
    if rest.is_empty():
        return quick
    parts = rest.select("line", "text", pl.col("text").str.extract_groups(_SAMPLE).alias("parts")).unnest("parts")
    careful = parts.select(
        "line", "text", pl.concat_str("1", pl.col("2").fill_null("")).alias("key"),
        pl.col("3").cast(pl.Float64, strict=False).alias("value"),
        pl.col("4").cast(pl.Float64, strict=False).alias("time"), pl.lit(False).alias("whole"),
    )  # fmt: skip
    return pl.concat([quick.filter("whole"), careful]).sort("line")


def _series(key: str) -> tuple[str, dict[str, str]]:
    found = series_of(key)
    return found if found is not None else (key, {})


def _lines(chunk: bytes) -> pl.DataFrame:
    """Lines as a column `text`."""
    text = chunk.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n")
    return pl.DataFrame({"text": [text]}).select(pl.col("text").str.split("\n").explode())
