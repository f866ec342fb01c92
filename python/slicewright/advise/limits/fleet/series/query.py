"""Asks a Prometheus server for the series of a fleet: a range query for each, within bounds of time and size.

Source: Prometheus, HTTP API, Range queries; a query may have 11,000 points a series, so a long range is cut.
"""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPMessage
from typing import IO, Any, cast

from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.names import COUNTS, FAMILIES, METRICS
from slicewright.advise.limits.fleet.series.prometheus_json import read_prometheus
from slicewright.advise.limits.fleet.series.server import AUTHORIZATION, AUTHORIZATION_FILE, Server
from slicewright.errors import problem, refusal

POINTS = 10_000
"""Points of a series in one answer; Prometheus refuses more than 11,000."""
WAIT_S, ANSWER_S = 30.0, 300.0
"""Longest silence, and longest time of one answer."""
MOST_BYTES = 4 << 30
"""Bytes of one answer, unpacked."""
COARSE = 24
"""Points of a histogram's series: percentiles are of the whole range."""
OF_SERVERS = 'reporter!="source"'


def metrics() -> Iterator[tuple[str, bool]]:
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
    opener = urllib.request.build_opener(_NoRedirect, urllib.request.HTTPSHandler(context=ssl.create_default_context()))
    names = list(metrics())
    for at, (metric, coarse) in enumerate(names):
        step = max(server.step_s, server.since_s / COARSE) if coarse else server.step_s
        for start, stop in _ranges(end - server.since_s, end, step):
            question = {"query": f"{metric}{_braces(metric, server)}", "start": f"{start:.3f}", "end": f"{stop:.3f}",
                        "step": f"{step:g}"}  # fmt: skip
            with _answer(opener, server, question) as stream:
                read_prometheus(stream, server.url, metric, data)
        progress((at + 1) / len(names))


def _braces(metric: str, server: Server) -> str:
    own = ['resource="cpu"'] if metric.endswith(("resource_limits", "resource_requests")) else []
    own += [OF_SERVERS] if metric.startswith("istio") else []
    matchers = [*([server.selector] if server.selector else []), *own]
    return f"{{{','.join(matchers)}}}" if matchers else ""


def _ranges(start: float, end: float, step: float) -> Iterator[tuple[float, float]]:
    """Ranges of at most `POINTS` steps; each begins a step after the last ends."""
    # At multiples of the step, as dashboards ask, so that the same query has the same instants.
    at = start - start % step
    while at <= end:
        stop = min(end, at + step * (POINTS - 1))
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
    try:
        with opener.open(request, timeout=WAIT_S) as response:
            packed = response.headers.get("Content-Encoding", "") == "gzip"
            plain = gzip.GzipFile(fileobj=response) if packed else response
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
        self._size, self._until = 0, time.monotonic() + ANSWER_S

    def read(self, size: int) -> bytes:
        """Some bytes; none at the end."""
        part = self._stream.read(size)
        self._size += len(part)
        long = time.monotonic() > self._until
        if self._size > MOST_BYTES or long:
            why = f"it took over {ANSWER_S:g} s" if long else f"it is larger than {MOST_BYTES >> 30} GiB"
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
        why = f"no answer within {WAIT_S:g} s"
    elif isinstance(reason, ConnectionRefusedError):
        why = "the connection is refused"
    elif isinstance(reason, socket.gaierror):
        why = "no such host"
    else:
        why = str(reason)[:200] or type(reason).__name__
    raise refusal(problem("the server cannot be asked", key="prometheus", why=why, remedy=remedy)) from None
