"""Series as JSON: range queries of Prometheus, saved or asked of a server, and snapshots of Docker and ECS."""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from http.client import HTTPException, HTTPMessage
from typing import IO, Any, cast

import polars as pl

from slicewright.advise.limits.fleet.series.collect import COUNTS, FAMILIES, METRICS, Collected, Role
from slicewright.advise.limits.fleet.series.forms import AUTHORIZATION, AUTHORIZATION_FILE, Server
from slicewright.advise.limits.fleet.series.tables import LATEST_MS
from slicewright.values.errors import problem, refusal
from slicewright.values.packed import Unpacked

_MOST_PARTS = 12_000_000
"""Parts of JSON that are objects at a time, some 75 bytes each: the labels of 400,000 series have them."""
_BEFORE_PARTS = (b",", b":", b"[", b"{")
_BETWEEN = re.compile(r"[\s,]*")
_LAST = 6
"""Characters at the end of a file in which an error means that the rest is missing."""


def _documents(text: bytes, name: str, kind: tuple[str, str]) -> Iterator[tuple[Any, int]]:
    """Each document with its line; `kind` is what it is to be, and what is allowed.  Raises InputError.

    >>> list(_documents(b'{"a": 1}\\n[2]', "a.json", ("an answer", "JSON")))
    [({'a': 1}, 1), ([2], 2)]
    """
    what, allowed = kind
    if sum(map(text.count, _BEFORE_PARTS)) > _MOST_PARTS:
        why = f"over {_MOST_PARTS:,} names and values, for which there is no room"
        raise refusal(problem(f"not {what}", file=name, why=why, allowed="a file for each metric, or for each hour"))
    try:
        source = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refusal(problem(f"not text in UTF-8: byte {error.start}", file=name, allowed=allowed)) from None
    at, line, decoder = 0, 1, json.JSONDecoder()
    while True:
        end = _end_of_space(source, at)
        line, at = line + source.count("\n", at, end), end
        if at >= len(source):
            return
        try:
            document, end = decoder.raw_decode(source, at)
        except json.JSONDecodeError as error:
            cut = error.msg.startswith("Unterminated") or len(source[error.pos :].strip()) < _LAST
            why, remedy = ("the file ends within it", "save it again, to its end") if cut else (error.msg, "")
            at_line = line + source.count("\n", at, error.pos)
            raise refusal(
                problem(f"not {what}", file=name, line=at_line, why=why, allowed=allowed, remedy=remedy)
            ) from None
        except RecursionError:
            raise refusal(problem(f"not {what}", file=name, why="it is nested too deeply", allowed=allowed)) from None
        yield document, line
        line, at = line + source.count("\n", at, end), end


def _end_of_space(source: str, at: int) -> int:
    found = _BETWEEN.match(source, at)
    return found.end() if found else at


_CHUNK = 8 << 20
_MOST_TEXT = 1 << 29
"""Bytes of labels and structure: far above a cluster's, far below what would fill a machine."""
_RANGE = "the answer of /api/v1/query_range to the name of a counter, with start, end and step"
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
        raise refusal(problem("is empty", file=name, allowed=_RANGE))
    for answer, _ in _documents(text, name, ("a whole answer of Prometheus", _RANGE)):
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


class _Arrays:
    """Arrays of points that were cut out: each is read in a batch with others.

    >>> arrays = _Arrays("a.json")
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
            self._frames.append(_points_of(rows, self._name))

    def frame(self) -> pl.DataFrame:
        """All points: array (its number), t and value."""
        self._read()
        schema = {"t": pl.Int64, "value": pl.Float64}
        points = pl.concat(self._frames) if self._frames else pl.DataFrame(schema=schema)
        counts = pl.Series(self._counts, dtype=pl.UInt32)
        numbers = pl.select(array=pl.int_range(len(counts), dtype=pl.UInt32).repeat_by(counts).explode()).drop_nulls()
        return numbers.hstack(points)


def _points_of(rows: bytes, name: str) -> pl.DataFrame:
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
    arrays, kept, size = _Arrays(name), [], 0
    buffer, ended = b"", False
    while not ended:
        # Twice as much where an array is longer than what was read, so that it is not searched again and again.
        piece = stream.read(max(_CHUNK, len(buffer)))
        ended, buffer = not piece, buffer + piece
        parts, buffer = _without_arrays(buffer, arrays, ended)
        kept += parts
        size += sum(map(len, parts))
        if max(size, len(buffer)) > _MOST_TEXT:
            raise refusal(problem("is not an answer of Prometheus", file=name, why="it has no end", allowed=_RANGE))
    return b"".join(kept), arrays.frame()


def _without_arrays(buffer: bytes, arrays: _Arrays, ended: bool) -> tuple[list[bytes], bytes]:
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
        raise refusal(problem("Prometheus refused the query", file=name, why=why[:300], allowed=_RANGE))
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
    raise refusal(problem("no answer of Prometheus", file=name, why="it has no result", allowed=_RANGE))


def _refuse_vector(name: str) -> None:
    why = "it has one instant, and counters show what happens only between two"
    remedy = "ask /api/v1/query_range with start, end and step, or query NAME[6h]"
    raise refusal(problem("the answer to an instant query", file=name, why=why, allowed=_RANGE, remedy=remedy))


def _refuse_nameless(labels: Mapping[str, str], name: str) -> None:
    shown = ", ".join(f'{key}="{value}"' for key, value in list(labels.items())[:3])
    why = "functions such as rate() and sum() drop the name"
    remedy = f"query the counter itself, or name the file after its metric: {next(iter(METRICS))}.json"
    raise refusal(problem(f"a series without a name: {{{shown}}}", file=name, why=why, remedy=remedy))


_MOST_SNAPSHOT_BYTES = 1 << 30
_PERIOD_US = 100_000
"""Of a limit that is given as NanoCpus (moby, daemon/daemon_unix.go)."""
_ALLOWED = "snapshots of /containers/NAME/stats?stream=false, of ECS /task/stats, or docker inspect NAME..."
_OF_ECS = re.compile(r"ecs-(?P<family>.+)-(?P<revision>\d+)-(?P<container>.+)-(?P<hash>[0-9a-f]{16,})")
_ROLES = {
    Role.USED: ("container_cpu_usage_seconds_total", 1e9),
    Role.PERIODS: ("container_cpu_cfs_periods_total", 1.0),
    Role.THROTTLED: ("container_cpu_cfs_throttled_periods_total", 1.0),
    Role.STOPPED: ("container_cpu_cfs_throttled_seconds_total", 1e9),
}


class Snapshots:
    """Snapshots of some files: handed over together, because names and limits are in files of their own."""

    def __init__(self, data: Collected) -> None:
        """Begin without any."""
        self._data = data
        self._samples: dict[str, list[tuple[int, float, float, float, float]]] = {}
        self._names: dict[str, dict[str, str]] = {}
        self._limits: dict[str, tuple[float, float]] = {}

    def take(self, stream: IO[bytes], name: str) -> None:
        """Take the snapshots of a file; raises InputError for what is none, or is cut."""
        text = stream.read(_MOST_SNAPSHOT_BYTES + 1)
        if len(text) > _MOST_SNAPSHOT_BYTES:
            raise refusal(problem("is larger than 1 GiB", file=name, allowed="a file for each hour"))
        for document, line in _documents(text, name, ("a snapshot of a container", _ALLOWED)):
            self._document(document, (name, line))

    def _document(self, document: Any, place: tuple[str, int]) -> None:
        if isinstance(document, list):
            for part in document:
                self._document(part, place)
        elif not isinstance(document, Mapping):
            self._refuse(place, "not an object")
        elif "cpu_stats" in document:
            self._stats(document, str(document.get("id") or document.get("name") or place[0]), place)
        elif isinstance(document.get("HostConfig"), Mapping):
            self._inspected(document, document["HostConfig"])
        elif isinstance(document.get("Containers"), list):
            self._task(document)
        elif "CPUPerc" in document:
            remedy = "curl --unix-socket /var/run/docker.sock http://localhost/containers/NAME/stats?stream=false"
            self._refuse(place, "percentages of docker stats", "they have no counters of throttling", remedy)
        else:
            stats = {str(key): part for key, part in document.items() if isinstance(part, Mapping | None)}
            if not any(isinstance(part, Mapping) and "cpu_stats" in part for part in stats.values()):
                self._refuse(place, "no stats of a container")
            for key, part in stats.items():
                if part is not None and "cpu_stats" in part:
                    self._stats(part, key, place)

    def _refuse(self, place: tuple[str, int], what: str, why: str = "", remedy: str = "") -> None:
        raise refusal(problem(what, file=place[0], line=place[1], why=why, allowed=_ALLOWED, remedy=remedy))

    def _stats(self, stats: Mapping[str, Any], key: str, place: tuple[str, int]) -> None:
        """Take one snapshot; one of a container that does not run has no time, and is skipped."""
        at_ms = _milliseconds(stats.get("read"))
        cpu = stats.get("cpu_stats")
        if at_ms is None:
            self._refuse(place, f"not a time: {str(stats.get('read'))[:40]}")
        if at_ms is None or at_ms <= 0 or not isinstance(cpu, Mapping):
            self._data.notes.count("snapshot{s} of a container that does not run", [key[:12]], "excluded")
            return
        usage, throttling = cpu.get("cpu_usage"), cpu.get("throttling_data")
        throttling = throttling if isinstance(throttling, Mapping) else {}
        total = usage.get("total_usage") if isinstance(usage, Mapping) else None
        numbers = [total, *(throttling.get(name, 0) for name in ("periods", "throttled_periods", "throttled_time"))]
        if not all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers):
            self._refuse(place, f"not counters: {str(numbers)[:60]}")
        self._samples.setdefault(key, []).append((at_ms, *(float(number) for number in numbers)))  # type: ignore[arg-type]
        if stats.get("name"):
            self._names.setdefault(key, {}).setdefault("name", str(stats["name"]).strip("/"))

    def _inspected(self, document: Mapping[str, Any], host: Mapping[str, Any]) -> None:
        """The limit and the names of a container by `docker inspect`."""
        key = str(document.get("Id", ""))
        nano, quota, period = (_number(host.get(name)) for name in ("NanoCpus", "CpuQuota", "CpuPeriod"))
        period = period or _PERIOD_US
        self._limits[key] = (nano / 1e9 * _PERIOD_US, _PERIOD_US) if nano else (quota, period)
        config = document.get("Config")
        labels = config.get("Labels") if isinstance(config, Mapping) else None
        named = self._names.setdefault(key, {})
        named.setdefault("name", str(document.get("Name", key)).strip("/"))
        for label, to in (("com.docker.compose.project", "namespace"), ("com.docker.compose.service", "workload")):
            if isinstance(labels, Mapping) and labels.get(label):
                named[to] = str(labels[label])
                named.setdefault("container", named[to]) if to == "workload" else None

    def _task(self, document: Mapping[str, Any]) -> None:
        """The names of the containers of an ECS task by /task."""
        family = str(document.get("Family", ""))
        for container in document["Containers"]:
            if isinstance(container, Mapping) and container.get("DockerId"):
                self._names.setdefault(str(container["DockerId"]), {}).update(
                    namespace="ecs", workload=family, container=str(container.get("Name", ""))
                )
        if isinstance(document.get("Limits"), Mapping) and document["Limits"].get("CPU"):
            then = "a task's limit is over all its containers, whose own counters do not show it"
            self._data.notes.count("ECS task{s} with a limit", [family], then)

    def done(self) -> None:
        """Hand over all snapshots."""
        for key, samples in self._samples.items():
            labels = self._labels(key)
            times = [sample[0] for sample in samples]
            for at, (metric, unit) in enumerate(_ROLES.values(), 1):
                self._add(metric, labels, times, [sample[at] / unit for sample in samples])
            if key in self._limits:
                quota, period = self._limits[key]
                self._add("container_spec_cpu_period", labels, times[:1], [period])
                self._add("container_spec_cpu_quota", labels, times[:1], [quota])
        self._samples = {}

    def _labels(self, key: str) -> dict[str, str]:
        named = self._names.get(key, {})
        name = named.get("name") or key
        labels = {"id": key, "name": name, **{key: value for key, value in named.items() if key != "name"}}
        found = _OF_ECS.fullmatch(name)
        if found and "container" not in labels:
            labels |= {"namespace": "ecs", "workload": found["family"], "container": found["container"]}
        return labels if "container" not in labels else {**labels, "pod": name}

    def _add(self, metric: str, labels: Mapping[str, str], times: list[int], values: list[float]) -> None:
        series = self._data.number(metric, labels)
        if series is not None:
            number = pl.repeat(series[1], len(times), dtype=pl.UInt32, eager=True)
            points = {"series": number, "t": pl.Series(times, dtype=pl.Int64), "value": pl.Series(values)}
            self._data.add(series[0], pl.DataFrame(points))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and value > 0 else 0.0


def _milliseconds(text: Any) -> int | None:
    """Milliseconds since 1970 of a time of Docker; 0 of a container that does not run, None where it is no time."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return round(1000 * found.timestamp()) if found.year > 1970 and found.tzinfo else 0


_POINTS = 10_000
"""Points of a series in one answer; Prometheus refuses more than 11,000."""
_WAIT_S, _ANSWER_S = 30.0, 300.0
"""Longest silence, and longest time of one answer."""
_MOST_BYTES = 4 << 30
"""Bytes of one answer, unpacked."""
_COARSE = 24
"""Points of a histogram's series: percentiles are of the whole range."""
_OF_SERVERS = 'reporter!="source"'


def _metrics() -> Iterator[tuple[str, bool]]:
    """The names to ask for, and whether few points of each are enough."""
    yield from ((name, name.endswith("_owner") or name == "kube_pod_info") for name in METRICS)
    yield from ((name, False) for name in COUNTS)
    for family in FAMILIES:
        yield f"{family}_bucket", True
        # Istio counts requests in a counter of its own.
        if not family.startswith("istio"):
            yield f"{family}_count", False


def query(server: Server, data: Collected, progress: Callable[[float], None]) -> None:
    """Take the answers of a server; raises InputError where it cannot be asked, refuses, or answers too much."""
    end = time.time()
    opener = urllib.request.build_opener(
        _NoRedirect, urllib.request.HTTPSHandler(context=server.context or ssl.create_default_context())
    )
    names = list(_metrics())
    for at, (metric, coarse) in enumerate(names):
        step = max(server.step_s, server.since_s / _COARSE) if coarse else server.step_s
        for start, stop in _ranges(end - server.since_s, end, step):
            question = {"query": f"{metric}{_braces(metric, server)}", "start": f"{start:.3f}", "end": f"{stop:.3f}",
                        "step": f"{step:g}"}  # fmt: skip
            with _answer(opener, server, question) as stream:
                read_prometheus(stream, server.url, metric, data)
        progress((at + 1) / len(names))


def _braces(metric: str, server: Server) -> str:
    own = ['resource="cpu"'] if metric.endswith(("resource_limits", "resource_requests")) else []
    own += [_OF_SERVERS] if metric.startswith("istio") else []
    matchers = [*([server.selector] if server.selector else []), *own]
    return f"{{{','.join(matchers)}}}" if matchers else ""


def _ranges(start: float, end: float, step: float) -> Iterator[tuple[float, float]]:
    """Ranges of at most `_POINTS` steps; each begins a step after the last ends."""
    # At multiples of the step, as dashboards ask, so that the same query has the same instants.
    at = start - start % step
    while at <= end:
        stop = min(end, at + step * (_POINTS - 1))
        yield at, stop
        at = stop - stop % step + step


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows a redirect to the same server alone: credentials are for no other."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        """The request to follow; raises InputError for one to another server."""
        here, there = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            fp.close()
            why = f"it sends queries to {there.scheme}://{there.hostname}"
            remedy = "give the address that answers"
            raise refusal(problem("a redirect to another server", key="prometheus", why=why, remedy=remedy))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@contextmanager
def _answer(opener: urllib.request.OpenerDirector, server: Server, question: dict[str, str]) -> Iterator[IO[bytes]]:
    """The answer to one query, unpacked; raises InputError."""
    url = f"{server.url}/api/v1/query_range?{urllib.parse.urlencode(question)}"
    request = urllib.request.Request(url, headers={"Accept": "application/json", "Accept-Encoding": "gzip"})
    if server.authorization:
        request.add_header("Authorization", server.authorization)
    if server.tenant:
        request.add_header("X-Scope-OrgID", server.tenant)
    try:
        with opener.open(request, timeout=_WAIT_S) as response:
            packed = response.headers.get("Content-Encoding", "") == "gzip"
            plain = Unpacked(response, server.url) if packed else response
            yield cast("IO[bytes]", _Bounded(cast("IO[bytes]", plain), question["query"]))
    except urllib.error.HTTPError as error:
        with error:
            _refused(error, question["query"])
    except (urllib.error.URLError, OSError, HTTPException, EOFError, zlib.error) as error:
        _unreachable(error)


class _Bounded:
    """A stream that ends with an error after too many bytes or too long a time."""

    def __init__(self, stream: IO[bytes], asked: str) -> None:
        self._stream, self._asked = stream, asked
        self._size, self._until = 0, time.monotonic() + _ANSWER_S

    def read(self, size: int) -> bytes:
        """Some bytes; none at the end."""
        part = self._stream.read(size)
        self._size += len(part)
        long = time.monotonic() > self._until
        if self._size > _MOST_BYTES or long:
            why = f"it took over {_ANSWER_S:g} s" if long else f"it is larger than {_MOST_BYTES >> 30} GiB"
            remedy = "ask for less: --selector, a shorter --since, a longer --step"
            raise refusal(problem(f"too large an answer to {self._asked}", key="prometheus", why=why, remedy=remedy))
        return part


def _refused(error: urllib.error.HTTPError, asked: str) -> None:
    """Raise InputError with what Prometheus says, and what helps."""
    try:
        message = json.loads(error.read(1 << 16))
        said = f"{message.get('errorType', '')}: {message.get('error', '')}" if isinstance(message, dict) else ""
    except (ValueError, OSError, HTTPException):
        said = ""
    remedy = {
        400: "check --selector and --step",
        401: f"give a token in {AUTHORIZATION}, or in a file that {AUTHORIZATION_FILE} names",
        403: "these credentials may not query; ask for ones that may",
        404: "give the address without /graph and the like: what is before /api/v1",
        422: "ask for less: --selector, a shorter --since, a longer --step",
        503: "ask for less: --selector, a shorter --since, a longer --step",
    }.get(error.code, "")
    why = said.strip(": ")[:300] or str(error.reason)[:100]
    what = f"the server answers {error.code} to {asked}"
    raise refusal(problem(what, key="prometheus", why=why, remedy=remedy)) from None


def _unreachable(error: Any) -> None:
    """Raise InputError: the server cannot be reached, is not what it claims, or stops in the middle."""
    reason = getattr(error, "reason", error)
    remedy = "check the address, and that a port is forwarded to it"
    if isinstance(reason, ssl.SSLCertVerificationError):
        remedy = "name the authority that signed it in SSL_CERT_FILE"
        why = f"its certificate is not trusted: {reason.verify_message}"
    elif isinstance(reason, ssl.SSLError):
        why, remedy = "it does not speak TLS", "try http:// in place of https://"
    elif isinstance(reason, socket.timeout | TimeoutError):
        why = f"no answer within {_WAIT_S:g} s"
    elif isinstance(reason, ConnectionRefusedError):
        why = "the connection is refused"
    elif isinstance(reason, socket.gaierror):
        why = "no such host"
    else:
        why = str(reason)[:200] or type(reason).__name__
    raise refusal(problem("the server cannot be asked", key="prometheus", why=why, remedy=remedy)) from None
