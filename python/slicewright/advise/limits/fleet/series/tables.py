"""Tables of samples, as CSV or Parquet, in one of three forms.

Long: a row for each sample, with time, metric, labels (as columns or one column `labels`) and value.
Wide by series: a column for each series, named NAME{label="value"}, as Grafana exports series joined by time.
Wide by metric: a row for each container and instant, and a column for each metric, as a pivot of pandas has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

import polars as pl

from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.forms import TIMES
from slicewright.advise.limits.fleet.series.names import KNOWN_LABELS, METRICS, role_of
from slicewright.advise.limits.fleet.series.numbering import Numbering
from slicewright.advise.limits.fleet.series.pieces import whole_lines
from slicewright.advise.limits.fleet.series.selectors import labels_of, series_of
from slicewright.advise.limits.fleet.series.times import milliseconds
from slicewright.errors import nearest, problem, refusal
from slicewright.io.parquet import slices_apart

METRIC, VALUE, LABELS = ("metric", NAME := "__name__", "series", "name"), ("value", "val", "_value"), ("labels", "tags")
_BETWEEN, _IS, _NAMED = "\x1f", "\x1e", "\0metric"
FORMS = "time, metric, labels and value; or time and a column for each series or metric"


def read_csv(stream: IO[bytes], name: str, metric: str, data: Collected) -> None:
    """Take the samples of a CSV file with a line of names; `metric` is that of its values where no column says it."""
    table: Table | None = None
    first = 2
    for chunk in whole_lines(stream, name):
        if table is None:
            header, _, chunk = chunk.partition(b"\n")
            table = Table(_names(header, name), (name, metric), data)
        if chunk.strip():
            table.take(_rows(chunk, table.columns, name), first)
            first += chunk.count(b"\n")


def read_parquet(source: str | bytes, name: str, metric: str, data: Collected) -> None:
    """Take the samples of a Parquet file, by its name or its bytes, a part at a time."""
    table: Table | None = None
    first = 1
    try:
        for rows in slices_apart(source):
            if table is None:
                table = Table(rows.columns, (name, metric), data)
            table.take(rows, first)
            first += rows.height
    except pl.exceptions.PolarsError as error:
        why = str(error).splitlines()[0][:200]
        raise refusal(problem("not a table of series", file=name, why=why, allowed=FORMS)) from None
    except ValueError as error:
        if hasattr(error, "problems"):
            raise
        what = "damaged Parquet" if first == 1 else f"damaged Parquet after row {first - 1:,}"
        remedy = "write or copy the file again"
        raise refusal(problem(what, file=name, why=str(error), remedy=remedy)) from None


def _names(header: bytes, name: str) -> list[str]:
    """The names of the columns: a line of CSV, which may quote them."""
    try:
        text = header.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r").decode("utf-8")
        row = pl.read_csv(text.encode() + b"\n", has_header=False, infer_schema=False)
    except (UnicodeDecodeError, pl.exceptions.PolarsError):
        raise refusal(problem("not a line of names", file=name, line=1, allowed=FORMS)) from None
    names = [str(column or "").strip() for column in row.row(0)]
    if len(set(names)) < len(names):
        twice = next(column for column in names if names.count(column) > 1)
        raise refusal(problem(f"two columns {twice}", file=name, line=1, allowed=FORMS))
    return names


def _rows(chunk: bytes, columns: Sequence[str], name: str) -> pl.DataFrame:
    schema = dict.fromkeys(columns, pl.String)
    try:
        return pl.read_csv(chunk, has_header=False, schema=schema, truncate_ragged_lines=True, encoding="utf8-lossy")
    except pl.exceptions.PolarsError as error:
        why = str(error).splitlines()[0][:200]
        raise refusal(problem("not CSV", file=name, why=why, allowed=FORMS)) from None


class Table:
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
        self._value = next((lower[value] for value in VALUE if value in lower), "")
        # A column `name` is a label of cAdvisor where another column has the metric.
        self._metric = next((lower[metric] for metric in METRIC if metric in lower), "") if self._value else ""
        if self._metric.lower() == "name" and (role_of(self._metric_of_file) is not None or METRIC[0] in lower):
            self._metric = ""
        self._labels = next((lower[labels] for labels in LABELS if labels in lower), "")
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
        times = milliseconds(rows.get_column(self._time))
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
                labels.update(labels_of(value) or {})
            elif value:
                labels[name] = value
        found = series_of(metric) if "{" in metric else None
        if found is not None:
            metric, labels = found[0], {**labels, **found[1]}
        return labels.pop("__name__", "") or metric or self._metric_of_file, labels

    def _refuse_nameless(self) -> None:
        """Refuse columns of which none is a series that is read."""
        series = {column: series_of(column) for column in self._others}
        if any(parsed is not None and role_of(parsed[0]) is not None for parsed in series.values()):
            self._others = [column for column in self._others if series[column] is not None]
            return
        column = self._others[0]
        near = nearest(series_of(column)[0] if series[column] else column, METRICS)  # type: ignore[index]
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
