"""A cluster as `advise` takes it: files with its series, or a server to ask; nothing is read yet."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.limits.fleet.series.forms import form_of, head_of
from slicewright.advise.limits.fleet.series.server import Server, server_of
from slicewright.advise.limits.quantity import pair, processors, span_ms
from slicewright.advise.options import AdviceOptions
from slicewright.errors import Problem, problem, refusal
from slicewright.io.files import shown

FORMS = "range queries of Prometheus in JSON, OpenMetrics or Prometheus text, CSV, Parquet, or stats of Docker or ECS"


@dataclass(frozen=True)
class Cluster:
    """Where the series of a fleet are.

    `every_s` is the time between scrapes that have none, `limit` that of containers whose limit nothing gives.
    """

    name: str
    files: tuple[str | os.PathLike[str], ...] = ()
    server: Server | None = None
    every_s: float | None = None
    limit: float | None = None


def cluster_of(files: Sequence[str | os.PathLike[str]], options: AdviceOptions) -> Cluster | None:
    """The cluster that files or `--prometheus` name; None where they name none.

    Raises InputError for other files beside those of a cluster, and with every problem of its options.

    >>> cluster_of(["README.md"], AdviceOptions()) is None
    True
    """
    problems: list[Problem] = []
    server = server_of(options.own, problems)
    forms = {file: form_of(head_of(file)) for file in files}
    if server is None and not problems and not any(forms.values()):
        return None
    if server is not None or problems:
        why = "the series come from --prometheus"
        problems += [problem("beside a server", file=shown(file), why=why, allowed="no file") for file in files]
    else:
        why = "series of a cluster give the load of every container by themselves"
        problems += [
            problem("beside series of a cluster", file=shown(file), why=why, allowed=FORMS)
            for file, form in forms.items()
            if form is None
        ]
    every_s, limit = _every(options.own.get("every"), problems), _limit(options.own.get("limit"), problems)
    if problems:
        raise refusal(*problems)
    name = server.url if server is not None else ", ".join(shown(file) for file in files[:3])
    more = f" and {len(files) - 3:,} more" if len(files) > 3 else ""
    return Cluster(name + more, tuple(files), server, every_s, limit)


def _every(text: str | None, problems: list[Problem]) -> float | None:
    found = span_ms(text) if text is not None else None
    if text is not None and (found is None or not 1e3 <= found <= 8.64e7):
        problems.append(problem(f"not a span: {text}", key="every", allowed="1 s to 1 d: 60 s"))
    return None if found is None else found / 1000


def _limit(text: str | None, problems: list[Problem]) -> float | None:
    if text is None:
        return None
    both = pair(text)
    found = both[0] / both[1] if both and both[1] else processors(text)
    if found is None or found <= 0:
        allowed = "processors: 500m, 0.5, 2; it is that of containers whose limit the series do not give"
        problems.append(problem(f"not a limit: {text}", key="limit", allowed=allowed))
    return found


def read_cluster(cluster: Cluster, progress: Callable[[float], None] = lambda share: None) -> Fleet:
    """The fleet of a cluster; raises InputError with what is wrong in a file, or with the answer of the server."""
    from slicewright.advise.limits.fleet.series.read import read_fleet

    return read_fleet(cluster, progress)
