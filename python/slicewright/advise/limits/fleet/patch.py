"""Recommended limits as files for a cluster: patches of Deployments, and recommendations as the VPA has them.

Neither changes anything by itself.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence

from slicewright._core import __version__
from slicewright.advise.limits.fleet.answer import FleetAnswer
from slicewright.advise.limits.fleet.lines import Line, Verdict
from slicewright.advise.limits.quantity import limit
from slicewright.statistics import milliseconds

HEAD = """\
# CPU limits that slicewright {version} recommends, for {asked}.
# This file changes nothing by itself.  Read it, remove what you do not want, and try it:
#   kubectl apply --server-side --field-manager=slicewright --dry-run=server -f FILE
# One document alone is a strategic merge patch: kubectl -n NAMESPACE patch deployment NAME --patch-file FILE
# ASSUME: each workload is a Deployment; write StatefulSet or DaemonSet where it is one.
# Limits are from counters and a model; the range says how far the counters leave it open.
"""
VPA_HEAD = """\
# CPU recommendations in the form of the status of VerticalPodAutoscaler, from slicewright {version}, for {asked}.
# This file changes nothing by itself: a status is written by its controller, and updateMode is Off.
# target, lowerBound and upperBound are limits, not requests as those of the VPA.
"""


def patches(answer: FleetAnswer) -> str:
    """A document for each workload whose limit should change, the dearest first.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> "kind: Deployment" in patches(answer())
    True
    """
    lines = answer.of(Verdict.RAISE, Verdict.LOWER)
    head = HEAD.format(version=__version__, asked=answer.request.aim.words)
    if not lines:
        return head + "# No limit should change.\n"
    return head + "".join(text for line in lines for text in _patch(line))


def recommendations(answer: FleetAnswer) -> str:
    """A document for each workload of which the counters tell which limit would do."""
    head = VPA_HEAD.format(version=__version__, asked=answer.request.aim.words)
    lines = answer.of(Verdict.RAISE, Verdict.LOWER, Verdict.KEEP)
    return head + "".join(text for line in lines for text in _recommendation(line))


def _patch(line: Line) -> Iterator[str]:
    space, name, container = _names(line)
    assert line.then is not None
    assert line.limit is not None
    yield "---\n"
    yield f"# {_range(line)}{_cost(line)}\n"
    yield f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  namespace: {space}\n  name: {name}\n"
    yield "spec:\n  template:\n    spec:\n      containers:\n"
    yield f"        - name: {container}\n          resources:\n            limits:\n"
    yield f"              cpu: {limit(line.then)} # now {limit(line.limit)}\n"
    if line.reserved is not None and line.reserved > line.then:
        yield "            requests:\n"
        yield f"              cpu: {limit(line.then)} # now {limit(line.reserved)}, more than the limit\n"


def _recommendation(line: Line) -> Iterator[str]:
    space, name, container = _names(line)
    assert line.then is not None
    yield "---\n"
    yield "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\n"
    yield f"metadata:\n  namespace: {space}\n  name: {name}\n"
    yield f"spec:\n  targetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: {name}\n"
    yield '  updatePolicy:\n    updateMode: "Off"\n'
    yield f"status:\n  recommendation:\n    containerRecommendations:\n      - containerName: {container}\n"
    yield f"        target:\n          cpu: {limit(line.then)}\n"
    if line.low is not None and math.isfinite(line.low):
        yield f"        lowerBound:\n          cpu: {limit(line.low)}\n"
    if line.high is not None and math.isfinite(line.high):
        yield f"        upperBound:\n          cpu: {limit(line.high)}\n"


def _names(line: Line) -> Sequence[str]:
    """Namespace, name and container, quoted where YAML would read something else."""
    parts = [*line.workload.split("/"), "", ""][:3]
    return [_quoted(part) for part in parts]


def _quoted(name: str) -> str:
    plain = name.replace("-", "").replace(".", "").isalnum() and name[0].isalpha() and name.isascii()
    # yes, no, null and their like are names of Kubernetes, and no strings in YAML.
    known = name.lower() in ("yes", "no", "on", "off", "true", "false", "null", "y", "n")
    return name if plain and not known else json.dumps(name)


def _range(line: Line) -> str:
    low, high = ("none" if value is None or math.isinf(value) else limit(value) for value in (line.low, line.high))
    return f"range {low} to {high}"


def _cost(line: Line) -> str:
    if line.cost_p99_ms is None:
        return ""
    return f"; throttling adds {milliseconds(line.cost_p99_ms)} ms to the 99th percentile now"
