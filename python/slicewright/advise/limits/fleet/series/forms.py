"""The form of a file with series of a cluster, by its first bytes; files may be packed with gzip."""

from __future__ import annotations

import gzip
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import IO, cast

from slicewright.io.files import STANDARD_INPUT, shown
from slicewright.io.packed import MAGIC, beginning, refuse_damaged

HEAD = 1 << 16
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
        return bytes(peek(HEAD)) if peek is not None else b""
    try:
        if not Path(file).is_file():
            return b""
        with Path(file).open("rb") as stream:
            head = stream.read(HEAD)
    except (OSError, ValueError):
        return b""
    found = beginning(head, HEAD)
    if not found:
        refuse_damaged(os.fspath(file), shown(file))
    return found


@contextmanager
def unpacked(file: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to read, unpacked where it is gzip; `-` is standard input."""
    if os.fspath(file) == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as stream:
        packed = stream.read(2) == MAGIC
        stream.seek(0)
        if not packed:
            yield stream
            return
        with gzip.GzipFile(fileobj=stream) as inside:
            yield cast("IO[bytes]", inside)


def stem(name: str) -> str:
    """The name of a file without its folder and endings: a metric, where files are named so.

    >>> stem("data/container_cpu_usage_seconds_total.json.gz")
    'container_cpu_usage_seconds_total'
    """
    return Path(name).name.split(".", 1)[0]
