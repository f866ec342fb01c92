"""Series as text and tables: OpenMetrics and Prometheus text, CSV and Parquet in one of three forms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import IO

import numpy as np
import polars as pl

from slicewright.advise.limits.fleet.series.collect import KNOWN_LABELS, METRICS, Collected, Numbering, role_of
from slicewright.advise.limits.fleet.series.forms import TIMES
from slicewright.values.errors import nearest, problem, refusal
from slicewright.values.parquet import slices_apart

_SCALES = ((1e17, 1e-6), (1e14, 1e-3), (1e11, 1.0), (0.0, 1000.0))
"""From which number on it is of ns, us, ms, and s, and ms of each."""
LATEST_MS = 1e15
"""The end of time for a sample, in the year 33,658."""
_FORMATS = ("%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f")


def _milliseconds(times: pl.Series) -> pl.Series:
    """Milliseconds since 1970; null where it is no instant.  Times without a zone are taken for UTC.

    >>> _milliseconds(pl.Series([1_700_000_000])).to_list(), _milliseconds(pl.Series([1_700_000_000_123.0])).to_list()
    ([1700000000000], [1700000000123])
    >>> _milliseconds(pl.Series(["2023-11-14T22:13:20Z", "2023-11-14 23:13:20+01:00", "noon"])).to_list()
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
    for pattern in _FORMATS:
        zoned = pattern.endswith("z")
        parsed = normal.str.to_datetime(pattern.replace("%#z", "%z"), time_unit="ms", strict=False,
                                        time_zone="UTC" if zoned else None)  # fmt: skip
        found = pl.select(pl.coalesce(found, parsed.dt.epoch("ms"))).to_series()
        if not found.null_count():
            break
    return found.rename(text.name)


NAME = "__name__"
_LABELS = r'\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}'
_LABEL = re.compile(r'\s*"?([^\s"=,{}]+)"?\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?')
_SERIES = re.compile(rf"\s*([a-zA-Z_:][a-zA-Z0-9_:]*)?\s*({_LABELS})?\s*", re.DOTALL)
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


def _series_of(text: str) -> tuple[str, dict[str, str]] | None:
    """Name ("" without one) and labels of a series as text; None where the text is none.

    >>> _series_of('a_total{pod="web-1",path="/a\\\\"b"}'), _series_of('{__name__="a", pod="b"}'), _series_of("a b")
    (('a_total', {'pod': 'web-1', 'path': '/a"b'}), ('a', {'pod': 'b'}), None)
    """
    found = _SERIES.fullmatch(text)
    labels = _labels_of(found[2] or "{}") if found else None
    if found is None or labels is None or not (found[1] or found[2]):
        return None
    return labels.pop(NAME, "") or found[1] or "", labels


def _labels_of(text: str) -> dict[str, str] | None:
    """Labels in braces, or as an object of JSON; None where the text is neither.

    >>> _labels_of('{pod="a"}'), _labels_of('{"pod": "a"}'), _labels_of("{pod}")
    ({'pod': 'a'}, {'pod': 'a'}, None)
    """
    inside = text.strip().removeprefix("{").removesuffix("}")
    found: dict[str, str] = {}
    at = 0
    while at < len(inside):
        label = _LABEL.match(inside, at)
        if label is None:
            return found if not inside[at:].strip() else _of_json(text)
        found[label[1]] = re.sub(r'\\[\\"n]', lambda escape: _ESCAPES[escape[0]], label[2])
        at = label.end()
    return found


def _of_json(text: str) -> dict[str, str] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else None


_PIECE = 8 << 20
_MOST_LINE = 256 << 20
"""Bytes of one line: a table with a column for each series has the longest."""


_MOST_COLUMNS = 250_000
"""Above those of 10,000 containers with a column for each series."""


def _whole_lines(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """Pieces of a file that end with a line; raises InputError for a line without an end.

    >>> import io
    >>> list(_whole_lines(io.BytesIO(b"a\\nb"), "a.txt"))
    [b'a\\n', b'b']
    """
    parts: list[bytes] = []
    size = 0
    while piece := stream.read(_PIECE):
        lines, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield b"".join([*parts, lines, newline])
            parts, size = [], 0
        parts.append(rest)
        size += len(rest)
        if size > _MOST_LINE:
            raise refusal(
                problem("a line without an end", file=name, allowed=f"lines of {_MOST_LINE >> 20} MiB at most")
            )
    if size:
        yield b"".join(parts)


_NAME = r"^([a-zA-Z_:][a-zA-Z0-9_:]*)"
_SAMPLE = rf"{_NAME}\s*({_LABELS})?[ \t]+(\S+)(?:[ \t]+([-+.0-9eE]+))?"
_FAMILY = re.compile(r"# (?:TYPE|HELP|UNIT) (\S+)")
_MILLISECONDS = 1e11
"""A time above it is in ms: seconds reach it in the year 5138."""
_ALLOWED = 'lines NAME{label="value"} NUMBER [TIME]'


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
        for chunk in _whole_lines(stream, name):
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
                *(problem(f"not a sample: {text[:60]}", file=name, line=line, allowed=_ALLOWED)
                  for line, text in bad.select("line", "text").iter_rows())
            )  # fmt: skip

    def done(self, every_s: float | None) -> None:
        """Hand over all points; raises InputError where nothing says when samples were taken."""
        rows = pl.concat(self._rows) if self._rows else pl.DataFrame()
        self._rows = []
        if rows.is_empty():
            return
        ms = pl.when(pl.col("time").abs() > _MILLISECONDS).then(pl.col("time")).otherwise(1000 * pl.col("time"))
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
    found = _series_of(key)
    return found if found is not None else (key, {})


def _lines(chunk: bytes) -> pl.DataFrame:
    """Lines as a column `text`."""
    text = chunk.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n")
    return pl.DataFrame({"text": [text]}).select(pl.col("text").str.split("\n").explode())


_METRIC, _VALUE, _LABEL_COLUMNS = (
    ("metric", NAME := "__name__", "series", "name"),
    ("value", "val", "_value"),
    ("labels", "tags"),
)
_BETWEEN, _IS, _NAMED = "\x1f", "\x1e", "\0metric"
_FORMS = "time, metric, labels and value; or time and a column for each series or metric"


def read_csv(stream: IO[bytes], name: str, metric: str, data: Collected) -> None:
    """Take the samples of a CSV file with a line of names; `metric` is that of its values where no column says it."""
    table: _Table | None = None
    first = 2
    for chunk in _whole_lines(stream, name):
        if table is None:
            header, _, chunk = chunk.partition(b"\n")
            table = _Table(_names(header, name), (name, metric), data)
        if chunk.strip():
            table.take(_rows(chunk, table.columns, name), first)
            first += chunk.count(b"\n")


def read_parquet(source: str | bytes, name: str, metric: str, data: Collected) -> None:
    """Take the samples of a Parquet file, by its name or its bytes, a part at a time."""
    table: _Table | None = None
    first = 1
    try:
        for rows in slices_apart(source):
            if table is None:
                table = _Table(rows.columns, (name, metric), data)
            table.take(rows, first)
            first += rows.height
    except pl.exceptions.PolarsError as error:
        why = str(error).splitlines()[0][:200]
        raise refusal(problem("not a table of series", file=name, why=why, allowed=_FORMS)) from None
    except ValueError as error:
        if hasattr(error, "problems"):
            raise
        what = "damaged Parquet" if first == 1 else f"damaged Parquet after row {first - 1:,}"
        remedy = "write or copy the file again"
        raise refusal(problem(what, file=name, why=str(error), remedy=remedy)) from None


def _names(header: bytes, name: str) -> list[str]:
    """The names of the columns: a line of CSV, which may quote them."""
    if header.count(b",") >= _MOST_COLUMNS:
        what, allowed = f"{header.count(b',') + 1:,} columns", f"{_MOST_COLUMNS:,} at most"
        raise refusal(problem(what, file=name, line=1, allowed=allowed))
    try:
        text = header.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r").decode("utf-8")
        row = pl.read_csv(text.encode() + b"\n", has_header=False, infer_schema=False)
    except (UnicodeDecodeError, pl.exceptions.PolarsError):
        raise refusal(problem("not a line of names", file=name, line=1, allowed=_FORMS)) from None
    names = [str(column or "").strip() for column in row.row(0)]
    if len(set(names)) < len(names):
        twice = next(column for column in names if names.count(column) > 1)
        raise refusal(problem(f"two columns {twice}", file=name, line=1, allowed=_FORMS))
    return names


def _rows(chunk: bytes, columns: Sequence[str], name: str) -> pl.DataFrame:
    schema = dict.fromkeys(columns, pl.String)
    try:
        return pl.read_csv(chunk, has_header=False, schema=schema, truncate_ragged_lines=True, encoding="utf8-lossy")
    except pl.exceptions.PolarsError as error:
        why = str(error).splitlines()[0][:200]
        raise refusal(problem("not CSV", file=name, why=why, allowed=_FORMS)) from None


class _Table:
    """How the columns of a table are read; raises InputError where they are none of the three forms."""

    def __init__(self, columns: Sequence[str], of: tuple[str, str], data: Collected) -> None:
        """Judge the names of columns; `of` is the name of the file, and the metric of nameless values."""
        self.columns = list(columns)
        (self._file, self._metric_of_file), self._data = of, data
        lower = {column.lower(): column for column in reversed(self.columns)}
        self._time = next((lower[time] for time in TIMES if time in lower), "")
        if not self._time:
            allowed, near = " or ".join(TIMES[:3]), nearest("time", columns)
            raise refusal(problem("no column of time", file=self._file, allowed=allowed, nearest=near))
        self._value = next((lower[value] for value in _VALUE if value in lower), "")
        # A column `name` is a label of cAdvisor where another column has the metric.
        self._metric = next((lower[metric] for metric in _METRIC if metric in lower), "") if self._value else ""
        if self._metric.lower() == "name" and (role_of(self._metric_of_file) is not None or _METRIC[0] in lower):
            self._metric = ""
        self._labels = next((lower[labels] for labels in _LABEL_COLUMNS if labels in lower), "")
        taken = {self._time, self._value, self._metric, self._labels}
        self._keys = [column for column in self.columns if column not in taken and column in KNOWN_LABELS]
        self._metrics = [] if self._value else [column for column in self.columns if role_of(column) is not None]
        self._others = [] if self._value or self._metrics else [c for c in self.columns if c != self._time]
        if self._metrics:
            self._keys = [key for key in self._keys if key not in self._metrics]
        if self._others:
            self._refuse_nameless()
        if self._value and not self._metric and role_of(self._metric_of_file) is None:
            self._refuse_unknown()
        self._numbering = Numbering(data, self._series)

    def take(self, rows: pl.DataFrame, first: int) -> None:
        """Take some rows; `first` is the number of the first in the file."""
        times = _milliseconds(rows.get_column(self._time))
        bad = (times.is_null() & rows.get_column(self._time).is_not_null()).arg_true()
        if len(bad):
            shown = str(rows.get_column(self._time)[bad[0]])[:40]
            allowed = "seconds or milliseconds since 1970, or 2024-05-01T12:00:00Z"
            raise refusal(
                problem(f"not a time: {shown}", file=self._file, line=first + bad[0], key=self._time, allowed=allowed)
            )
        labels = [*([self._labels] if self._labels else []), *self._keys]
        if self._value:
            metric = pl.col(self._metric) if self._metric else pl.repeat("", rows.height, dtype=pl.String)
            found = self._of_rows(rows.select(metric.alias(_NAMED), *labels), labels)
            self._add(found, rows.get_column(self._value), times, first)
            return
        labels = labels if self._metrics else []
        for column in self._metrics or self._others:
            named = rows.select(pl.repeat(column, rows.height, dtype=pl.String).alias(_NAMED), *labels)
            self._add(self._of_rows(named, labels), rows.get_column(column), times, first)

    def _of_rows(self, rows: pl.DataFrame, labels: Sequence[str]) -> pl.DataFrame:
        """Series and role of rows with these labels; the text of a series is made once for rows in sequence."""
        begins = rows.select(pl.any_horizontal(pl.all().ne_missing(pl.all().shift()))).to_series().scatter(0, True)
        heads = self._numbering.of_keys(rows.filter(begins).select(_key(labels)))
        return heads.select(pl.all().gather((begins.cum_sum() - 1).cast(pl.UInt32)))

    def _add(self, found: pl.DataFrame, raw: pl.Series, times: pl.Series, first: int) -> None:
        """Take the values of samples whose series are found; empty values are none."""
        values = _numbers(raw)
        if raw.dtype == pl.String:
            bad = (values.is_null() & raw.is_not_null() & ~raw.str.strip_chars().is_in(_EMPTY)).arg_true()
            if len(bad):
                what = f"not a number: {str(raw[bad[0]])[:40]}"
                remedy = "export numbers without units (Grafana: switch off 'Formatted data')"
                raise refusal(problem(what, file=self._file, line=first + bad[0], remedy=remedy))
        rows = found.with_columns(times.alias("t"), values.alias("value"))
        self._numbering.add(rows.drop_nulls())

    def _series(self, key: str) -> tuple[str, dict[str, str]]:
        """Name and labels of the text that `_key` made."""
        parts = key.split(_BETWEEN)
        metric, labels = parts[0], {}
        for part in parts[1:]:
            name, _, value = part.partition(_IS)
            if value and name == self._labels:
                labels.update(_labels_of(value) or {})
            elif value:
                labels[name] = value
        found = _series_of(metric) if "{" in metric else None
        if found is not None:
            metric, labels = found[0], {**labels, **found[1]}
        return labels.pop("__name__", "") or metric or self._metric_of_file, labels

    def _refuse_nameless(self) -> None:
        """Refuse columns of which none is a series that is read."""
        series = {column: _series_of(column) for column in self._others}
        if any(parsed is not None and role_of(parsed[0]) is not None for parsed in series.values()):
            self._others = [column for column in self._others if series[column] is not None]
            return
        column = self._others[0]
        near = nearest(_series_of(column)[0] if series[column] else column, METRICS)  # type: ignore[index]
        allowed = f'{next(iter(METRICS))}{{namespace="...", pod="...", container="..."}}'
        raise refusal(
            problem("no column is a series that is read", file=self._file, line=1, key=column[:80], allowed=allowed,
                    nearest=near)
        )  # fmt: skip

    def _refuse_unknown(self) -> None:
        near = nearest(self._metric_of_file, METRICS)
        why = "no column names the metric of the values"
        remedy = f"add a column `metric`, or name the file after its metric: {next(iter(METRICS))}.csv"
        raise refusal(problem("values of what?", file=self._file, why=why, remedy=remedy, nearest=near))


_EMPTY = ("", "-", "null", "NULL", "None", "NaN", "nan", "NA", "undefined")


def _key(labels: Sequence[str]) -> pl.Expr:
    """One text of metric and labels."""
    parts = [pl.lit(f"{column}{_IS}") + pl.col(column).cast(pl.String).fill_null("") for column in labels]
    return pl.concat_str(pl.col(_NAMED).cast(pl.String).fill_null(""), *parts, separator=_BETWEEN).alias("key")


def _numbers(raw: pl.Series) -> pl.Series:
    """Values as numbers: thousandths with m, as Kubernetes writes limits; null where it is none."""
    if raw.dtype != pl.String:
        return raw.cast(pl.Float64, strict=False)
    text = raw.str.strip_chars()
    plain = text.cast(pl.Float64, strict=False)
    if plain.null_count() == text.null_count():
        return plain
    milli = text.str.extract(r"^([0-9.]+)m$").cast(pl.Float64, strict=False) / 1000
    return pl.select(pl.coalesce(plain, milli)).to_series()
