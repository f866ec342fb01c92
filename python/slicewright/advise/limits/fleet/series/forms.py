"""Where series come from: files, with the form of each by its first bytes, or a Prometheus server to ask."""

from __future__ import annotations

import os
import re
import ssl
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import urlsplit

from slicewright.advise.limits.quantity import span_ms
from slicewright.values.errors import Problem, problem
from slicewright.values.files import STANDARD_INPUT, shown
from slicewright.values.packed import MAGIC, Unpacked, beginning, refuse_damaged

_HEAD = 1 << 16
_ANSWER = re.compile(rb'"(?:resultType|errorType)"\s*:|"status"\s*:\s*"(?:success|error)"|"metric"\s*:\s*\{')
_DOCKER = re.compile(rb'"(?:cpu_stats|throttling_data|precpu_stats|HostConfig|CPUPerc|NanoCpus|DockerId|TaskARN)"\s*:')
_TEXT = re.compile(rb"^(?:# (?:HELP|TYPE|UNIT) [a-zA-Z_:]|(?:container|kube|istio)_[a-z_]+[{ ])", re.MULTILINE)
_KEYS = re.compile(rb"(?i)^(?:.*[,;\t])?\"?(?:time|timestamp|ts|_time|date|datetime)\"?(?:[,;\t]|\r?\n)")
TIMES = ("time", "timestamp", "ts", "_time", "date", "datetime")
"""Names of the column of time in a table, in any case."""


class Form(Enum):
    """How series are written."""

    PROMETHEUS = "answers of Prometheus in JSON"
    EXPOSITION = "OpenMetrics or Prometheus text"
    CSV = "CSV"
    PARQUET = "Parquet"
    DOCKER = "stats of Docker or ECS"


def form_of(head: bytes) -> Form | None:
    """The form of a file by its first bytes, unpacked; None where it has no series of a cluster.

    >>> form_of(b'{"status":"success","data":{'), form_of(b"time,metric,value\\n"), form_of(b"nr_periods 1")
    (<Form.PROMETHEUS: 'answers of Prometheus in JSON'>, <Form.CSV: 'CSV'>, None)
    """
    if head.startswith(b"PAR1"):
        return Form.PARQUET
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] in (b"{", b"["):
        found = _ANSWER.search(text), _DOCKER.search(text)
        return Form.PROMETHEUS if found[0] else Form.DOCKER if found[1] else None
    if _TEXT.search(text):
        return Form.EXPOSITION
    first = text.split(b"\n", 1)[0]
    return Form.CSV if b"," in first and _KEYS.match(first + b"\n") and b"\0" not in first else None


def head_of(file: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file, unpacked, or of standard input, which keeps them; empty where it cannot be read.

    Raises InputError where it is gzip of which nothing can be unpacked.
    """
    if os.fspath(file) == STANDARD_INPUT:
        peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
        return bytes(peek(_HEAD)) if peek is not None else b""
    try:
        if not Path(file).is_file():
            return b""
        with Path(file).open("rb") as stream:
            head = stream.read(_HEAD)
    except (OSError, ValueError):
        return b""
    found = beginning(head, _HEAD)
    if not found:
        refuse_damaged(os.fspath(file), shown(file))
    return found


@contextmanager
def unpacked(file: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to read, unpacked where it is gzip; `-` is standard input.  Raises InputError as `Unpacked`."""
    if os.fspath(file) == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as stream:
        packed = stream.read(2) == MAGIC
        stream.seek(0)
        if not packed:
            yield stream
            return
        yield cast("IO[bytes]", Unpacked(stream, shown(file)))


def stem(name: str) -> str:
    """The name of a file without its folder and endings: a metric, where files are named so.

    >>> stem("data/container_cpu_usage_seconds_total.json.gz")
    'container_cpu_usage_seconds_total'
    """
    return Path(name).name.split(".", 1)[0]


AUTHORIZATION = "SLICEWRIGHT_PROMETHEUS_AUTHORIZATION"
"""The header of that name, or a token alone; the other variable names a file that has it."""
AUTHORIZATION_FILE = "SLICEWRIGHT_PROMETHEUS_AUTHORIZATION_FILE"
TENANT = "SLICEWRIGHT_PROMETHEUS_TENANT"
"""The tenant of a server that has several (Mimir, Cortex, Thanos): its header is X-Scope-OrgID."""
CERTIFICATE = "SLICEWRIGHT_PROMETHEUS_CERTIFICATE"
"""A file in PEM with the certificate of this client; its key is in it too, or in the file of the other variable."""
KEY = "SLICEWRIGHT_PROMETHEUS_KEY"
_OPTIONS = ("selector", "since", "step")
_SINCE, _STEP = "6h", "30s"
_SINCE_S, _STEP_S = (120.0, 31 * 86_400.0), (1.0, 600.0)
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_MATCHER = rf"\s*[a-zA-Z_][a-zA-Z0-9_]*\s*(?:=~|!~|!=|=)\s*{_QUOTED}\s*"
_SELECTOR = re.compile(rf"\s*\{{({_MATCHER}(?:,{_MATCHER})*,?\s*)?\}}\s*")


@dataclass(frozen=True)
class Server:
    """A server and the range to ask for; `authorization` and `tenant` are headers, empty without one."""

    url: str
    selector: str = ""
    """Matchers without their braces."""
    since_s: float = 21_600.0
    step_s: float = 30.0
    authorization: str = field(default="", repr=False)
    tenant: str = ""
    context: ssl.SSLContext | None = field(default=None, repr=False)
    """With the certificate of this client, where the environment names one."""


def server_of(own: Mapping[str, Any], problems: list[Problem]) -> Server | None:
    """The server that the options name, or None; problems of the options are appended.

    >>> problems = []
    >>> server_of({"prometheus": "http://localhost:9090", "selector": '{namespace="shop"}'}, problems).selector
    'namespace="shop"'
    """
    if "prometheus" not in own:
        without = [name for name in _OPTIONS if name in own]
        problems += [problem("without effect", key=name, why="it applies to --prometheus URL") for name in without]
        return None
    url = _url(str(own["prometheus"]), problems)
    selector = _selector(str(own.get("selector", "")), problems)
    since_s = _span("since", str(own.get("since", _SINCE)), _SINCE_S, problems)
    step_s = _span("step", str(own.get("step", _STEP)), _STEP_S, problems)
    if 0 < since_s < 2 * step_s:
        problems.append(problem("shorter than two steps", key="since", allowed="a range of many steps: 6h"))
    return Server(url, selector, since_s, step_s, _authorization(problems), _tenant(problems), _context(problems))


def _url(text: str, problems: list[Problem]) -> str:
    allowed = "the address of a server, without a query: http://localhost:9090"
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or re.search(r"[\x00-\x20]", text):
        problems.append(problem("not an address", key="prometheus", allowed=allowed))
        return ""
    if parts.username is not None or parts.password is not None:
        why = "a command line is seen by others, and is kept"
        remedy = f"give it in a file that {AUTHORIZATION_FILE} names, or in {AUTHORIZATION}"
        problems.append(problem("a password in the address", key="prometheus", why=why, remedy=remedy))
        return ""
    return text.rstrip("/").removesuffix("/api/v1/query_range").removesuffix("/api/v1")


def _selector(text: str, problems: list[Problem]) -> str:
    if not text.strip():
        return ""
    found = _SELECTOR.fullmatch(text)
    if found is None:
        allowed = """labels in braces, without the name of a metric: '{namespace="shop"}'"""
        problems.append(problem(f"not a selector: {text}", key="selector", allowed=allowed))
        return ""
    return (found[1] or "").strip().rstrip(",").strip()


def _span(key: str, text: str, within: tuple[float, float], problems: list[Problem]) -> float:
    found = span_ms(text.replace("m", "min") if re.fullmatch(r"\s*[0-9.]+\s*m\s*", text) else text)
    if found is None or not within[0] <= found / 1000 <= within[1]:
        allowed = "2m to 31d: 6h" if key == "since" else "1s to 10m: 30s"
        problems.append(problem(f"not a span: {text}", key=key, allowed=allowed))
        return 0.0
    return found / 1000


def _authorization(problems: list[Problem]) -> str:
    """The header from the environment; a token alone is that of a bearer."""
    text, key = os.environ.get(AUTHORIZATION, ""), AUTHORIZATION
    if file := os.environ.get(AUTHORIZATION_FILE):
        key = AUTHORIZATION_FILE
        try:
            text = Path(file).read_text("utf-8")
        except (OSError, ValueError):
            problems.append(problem("cannot be read", file=file, key=key))
            return ""
    text = text.strip()
    if not text.isascii() or not text.isprintable():
        problems.append(problem("not one line of ASCII", key=key, allowed="a token, or 'Bearer TOKEN', 'Basic ...'"))
        return ""
    return text if " " in text or not text else f"Bearer {text}"


def _tenant(problems: list[Problem]) -> str:
    text = os.environ.get(TENANT, "").strip()
    if not text.isascii() or not text.isprintable():
        problems.append(problem("not one line of ASCII", key=TENANT, allowed="the name of a tenant, or several: a|b"))
        return ""
    return text


def _context(problems: list[Problem]) -> ssl.SSLContext | None:
    """The context of TLS with the certificate of this client; None where the environment names none."""
    certificate, key = os.environ.get(CERTIFICATE, ""), os.environ.get(KEY, "")
    if not certificate:
        if key:
            problems.append(problem("without effect", key=KEY, why=f"it applies to the certificate of {CERTIFICATE}"))
        return None
    context = ssl.create_default_context()
    try:
        context.load_cert_chain(certificate, key or None, password=_refuse_password)
    except (OSError, ValueError) as error:
        why = error.reason if isinstance(error, ssl.SSLError) and error.reason else getattr(error, "strerror", None)
        allowed = f"a certificate and its key in PEM, without a password; the key here or in {KEY}"
        problems.append(
            problem(
                "no certificate can be read", file=certificate, key=CERTIFICATE, why=why or str(error), allowed=allowed
            )
        )
        return None
    return context


def _refuse_password() -> str:
    """No password: the prompt of the library would wait for one."""
    raise ValueError("the key has a password")
