"""Answers of Prometheus to range queries (/api/v1/query_range), as they were saved: one metric a file, or several.

Numbers are most of such a file.  They are cut out of the text before the rest is parsed, and read as a table.
Source: Prometheus, HTTP API, Range queries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

import polars as pl

from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.documents import documents
from slicewright.advise.limits.fleet.series.names import METRICS, Role
from slicewright.advise.limits.fleet.series.times import LATEST_MS
from slicewright.errors import problem, refusal

CHUNK = 8 << 20
MOST_TEXT = 1 << 29
"""Bytes of labels and structure: far above a cluster's, far below what would fill a machine."""
RANGE = "the answer of /api/v1/query_range to the name of a counter, with start, end and step"
_START = re.compile(rb'"values"\s*:\s*\[\s*')
_END = re.compile(rb"\]\s*\]")
_DROPPED = b'["\t\r\n '
_KEPT = 64
"""Longer than the start of an array may be: this end of a piece is searched again with the next."""
_BATCH = 16 << 20


def read_prometheus(stream: IO[bytes], name: str, metric: str, data: Collected) -> None:
    """Take the series of one file or answer; `metric` is the name of series without one ("": they are refused).

    Raises InputError for an answer that is an error, no matrix, or cut.
    """
    text, points = _cut_out(stream, name)
    taken: dict[Role, tuple[list[int], list[int]]] = {}
    if not text.strip():
        raise refusal(problem("is empty", file=name, allowed=RANGE))
    for answer, _ in documents(text, name, ("a whole answer of Prometheus", RANGE)):
        for labels, array in _matrix(answer, name, data):
            named = labels.pop("__name__", "") or metric
            if not named:
                _refuse_nameless(labels, name)
            series = data.number(named, labels)
            if series is not None:
                arrays, numbers = taken.setdefault(series[0], ([], []))
                arrays.append(array)
                numbers.append(series[1])
    for role, (arrays, numbers) in taken.items():
        of = pl.DataFrame({"array": arrays, "series": numbers}, schema={"array": pl.UInt32, "series": pl.UInt32})
        found = points.join(of, on="array", maintain_order="left")
        data.add(role, found.select("series", "t", "value"))


class Arrays:
    """Arrays of points that were cut out: each is read in a batch with others.

    >>> arrays = Arrays("a.json")
    >>> arrays.take(b'[1,"2.5"],[2,"3"]'), arrays.frame().rows()
    (0, [(0, 1000, 2.5), (0, 2000, 3.0)])
    """

    def __init__(self, name: str) -> None:
        """Begin without any; `name` is the file's."""
        self._name = name
        self._counts: list[int] = []
        self._frames: list[pl.DataFrame] = []
        self._waiting: list[bytes] = []
        self._size = 0

    def take(self, text: bytes) -> int:
        """Keep the inside of an array of pairs, and give its number."""
        rows = text.translate(None, _DROPPED).replace(b"],", b"\n").rstrip(b"]")
        self._counts.append(rows.count(b"\n") + 1 if rows else 0)
        if rows:
            self._waiting.append(rows)
            self._size += len(rows)
        if self._size > _BATCH:
            self._read()
        return len(self._counts) - 1

    def _read(self) -> None:
        rows = b"\n".join(self._waiting)
        self._waiting, self._size = [], 0
        if rows:
            self._frames.append(points_of(rows, self._name))

    def frame(self) -> pl.DataFrame:
        """All points: array (its number), t and value."""
        self._read()
        schema = {"t": pl.Int64, "value": pl.Float64}
        points = pl.concat(self._frames) if self._frames else pl.DataFrame(schema=schema)
        counts = pl.Series(self._counts, dtype=pl.UInt32)
        numbers = pl.select(array=pl.int_range(len(counts), dtype=pl.UInt32).repeat_by(counts).explode()).drop_nulls()
        return numbers.hstack(points)


def points_of(rows: bytes, name: str) -> pl.DataFrame:
    """Lines "seconds,value" as t (ms) and value; raises InputError for a line that is anything else."""
    schema = {"seconds": pl.Float64, "value": pl.Float64}
    try:
        found = pl.read_csv(rows, has_header=False, schema=schema, ignore_errors=True, quote_char=None)
    except pl.exceptions.PolarsError:
        found = pl.DataFrame({"seconds": [None], "value": [None]}, schema=schema)
    good = pl.col("seconds").is_finite().fill_null(False) & pl.col("value").is_not_null()
    bad = found.with_row_index().filter(~good)
    if not bad.is_empty() or found.height != rows.count(b"\n") + 1:
        at = bad.get_column("index").item(0) if not bad.is_empty() else 0
        shown = rows.split(b"\n", at + 1)[at][:60].decode("utf-8", "replace")
        what = f"not a sample: {shown}"
        raise refusal(problem(what, file=name, key="values", allowed='[seconds, "number"]: [1700000000, "12.5"]'))
    t = (1000 * pl.col("seconds")).clip(-LATEST_MS, LATEST_MS).round().cast(pl.Int64)
    return found.select(t.alias("t"), "value")


def _cut_out(stream: IO[bytes], name: str) -> tuple[bytes, pl.DataFrame]:
    """The text with a number in place of each array of points, and the points; raises InputError."""
    arrays, kept, size = Arrays(name), [], 0
    buffer, ended = b"", False
    while not ended:
        # Twice as much where an array is longer than what was read, so that it is not searched again and again.
        piece = stream.read(max(CHUNK, len(buffer)))
        ended, buffer = not piece, buffer + piece
        parts, buffer = _without_arrays(buffer, arrays, ended)
        kept += parts
        size += sum(map(len, parts))
        if max(size, len(buffer)) > MOST_TEXT:
            raise refusal(problem("is not an answer of Prometheus", file=name, why="it has no end", allowed=RANGE))
    return b"".join(kept), arrays.frame()


def _without_arrays(buffer: bytes, arrays: Arrays, ended: bool) -> tuple[list[bytes], bytes]:
    """Text between whole arrays of a piece, and the rest to look at with the next piece."""
    parts, at = [], 0
    while found := _START.search(buffer, at):
        first = buffer[found.end() : found.end() + 1]
        end = _END.search(buffer, found.end()) if first == b"[" else None
        if first and first != b"[":
            # An empty array, or no array of points: the rest is parsed as JSON.
            parts.append(buffer[at : found.end()])
            at = found.end()
            continue
        if end is None:
            parts.append(buffer[at : found.start()])
            rest = buffer[found.start() :]
            return ([*parts, rest], b"") if ended else (parts, rest)
        number = arrays.take(buffer[found.end() : end.start() + 1])
        parts.append(buffer[at : found.start()] + b'"values":%d' % number)
        at = end.end()
    if ended:
        return [*parts, buffer[at:]], b""
    cut = max(at, len(buffer) - _KEPT)
    return [*parts, buffer[at:cut]], buffer[cut:]


def _matrix(answer: Any, name: str, data: Collected) -> Iterator[tuple[dict[str, str], int]]:
    """Labels and array of each series of an answer; raises InputError where it is none."""
    if isinstance(answer, Mapping) and answer.get("status") == "error":
        why = f"{answer.get('errorType', 'error')}: {answer.get('error', '')}"
        raise refusal(problem("Prometheus refused the query", file=name, why=why[:300], allowed=RANGE))
    result = _result(answer, name, data)
    for at, series in enumerate(result):
        labels = series.get("metric") if isinstance(series, Mapping) else None
        if not isinstance(series, Mapping) or not isinstance(labels, Mapping):
            what = "not a series"
            raise refusal(problem(what, file=name, key=f"result[{at}]", allowed='{"metric": {...}, "values": [...]}'))
        if "value" in series:
            _refuse_vector(name)
        if series.get("histograms"):
            data.notes.count("native histogram{s}", [name], "not read; query classic buckets")
        values = series.get("values")
        if isinstance(values, int):
            yield {str(key): str(value) for key, value in labels.items()}, values
        elif values not in (None, []):
            what = f"not an array of samples: {str(values)[:60]}"
            raise refusal(problem(what, file=name, key=f"result[{at}].values", allowed='[[seconds, "number"], ...]'))


def _result(answer: Any, name: str, data: Collected) -> list[Any]:
    """The list of series of an answer, of its `data`, or of a series alone (as jq prints them)."""
    if isinstance(answer, list):
        return answer
    if isinstance(answer, Mapping):
        for warning in answer.get("warnings") or ():
            data.notes.say(f"Prometheus warns: {str(warning)[:200]}")
        if "metric" in answer:
            return [answer]
        inner = answer.get("data", answer)
        if isinstance(inner, Mapping):
            kind, result = inner.get("resultType", "matrix"), inner.get("result")
            if kind in ("vector", "scalar", "string"):
                _refuse_vector(name)
            if isinstance(result, list):
                return result
    raise refusal(problem("no answer of Prometheus", file=name, why="it has no result", allowed=RANGE))


def _refuse_vector(name: str) -> None:
    why = "it has one instant, and counters show what happens only between two"
    remedy = "ask /api/v1/query_range with start, end and step, or query NAME[6h]"
    raise refusal(problem("the answer to an instant query", file=name, why=why, allowed=RANGE, remedy=remedy))


def _refuse_nameless(labels: Mapping[str, str], name: str) -> None:
    shown = ", ".join(f'{key}="{value}"' for key, value in list(labels.items())[:3])
    why = "functions such as rate() and sum() drop the name"
    remedy = f"query the counter itself, or name the file after its metric: {next(iter(METRICS))}.json"
    raise refusal(problem(f"a series without a name: {{{shown}}}", file=name, why=why, remedy=remedy))
