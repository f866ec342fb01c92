"""Reads a cluster: every file by its form, or the answers of a server, into a fleet."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from slicewright.advise.limits.fleet.cluster import Fleet
from slicewright.advise.limits.fleet.series.assemble import fleet_of, refuse_nothing
from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.docker import Snapshots
from slicewright.advise.limits.fleet.series.exposition import Expositions
from slicewright.advise.limits.fleet.series.forms import Form, form_of, head_of, stem, unpacked
from slicewright.advise.limits.fleet.series.names import role_of
from slicewright.advise.limits.fleet.series.prometheus_json import read_prometheus
from slicewright.advise.limits.fleet.series.query import query
from slicewright.advise.limits.fleet.series.tables import read_csv, read_parquet
from slicewright.errors import Problem, problem, refusal
from slicewright.io.files import STANDARD_INPUT, shown
from slicewright.io.packed import MAGIC, telling_of_gzip

if TYPE_CHECKING:
    from slicewright.advise.limits.fleet.cluster import Cluster

READ = 0.6
"""Of the time that reading takes, what the files take before intervals are made."""


def read_fleet(cluster: Cluster, progress: Callable[[float], None]) -> Fleet:
    """The fleet of a cluster; raises InputError with the problem of each file that cannot be read."""
    data = Collected(files=[shown(file) for file in cluster.files])
    if cluster.server is not None:
        data.files.append(cluster.server.url)
        query(cluster.server, data, lambda share: progress(READ * share))
    else:
        _files(cluster, data, progress)
    fleet = fleet_of(data, cluster.limit)
    progress(1.0)
    return fleet


def _files(cluster: Cluster, data: Collected, progress: Callable[[float], None]) -> None:
    problems: list[Problem] = []
    open_files = Expositions(data), Snapshots(data)
    for at, file in enumerate(sorted(cluster.files, key=_natural)):
        try:
            _file(file, data, open_files)
        except ValueError as error:
            if not hasattr(error, "problems"):
                raise
            problems += error.problems
        progress(READ * (at + 1) / len(cluster.files))
    if problems:
        raise refusal(*problems)
    scrapes, snapshots = open_files
    snapshots.done()
    refuse_nothing(data)
    scrapes.done(cluster.every_s)


def _natural(file: object) -> list[tuple[int, str]]:
    """Names in the order of the numbers in them: scrape.2 before scrape.10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d{1,18})", str(file))]


def _file(file: str | os.PathLike[str], data: Collected, several: tuple[Expositions, Snapshots]) -> None:
    """Take one file; scrapes and snapshots of several files are put together later."""
    name, (scrapes, snapshots) = shown(file), several
    form, metric = form_of(head_of(file)), stem(str(file))
    metric = metric if role_of(metric) is not None else ""
    with _telling(name), telling_of_gzip(str(file), name), unpacked(str(file)) as stream:
        if form is Form.PROMETHEUS:
            read_prometheus(stream, name, metric, data)
        elif form is Form.EXPOSITION:
            scrapes.take(stream, name)
        elif form is Form.CSV:
            read_csv(stream, name, stem(str(file)), data)
        elif form is Form.PARQUET:
            plain = str(file) != STANDARD_INPUT and not _is_packed(str(file))
            read_parquet(str(file) if plain else stream.read(), name, stem(str(file)), data)
        else:
            snapshots.take(stream, name)


def _is_packed(file: str) -> bool:
    with Path(file).open("rb") as stream:
        return stream.read(2) == MAGIC


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """Turn what an unreadable file raises into a problem of it."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise refusal(problem("cannot be read", file=name, why=why)) from None
