"""The answer about a limit as JSON.

It leaves out words for people: those are on the page.
"""

from __future__ import annotations

from typing import Any

from slicewright.advise.limits.answer import Lever, LimitAnswer, Point, ReadingLine
from slicewright.advise.limits.intervals import Interval
from slicewright.numerals import in_json


def document(answer: LimitAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), latency, curve, node, readings, evidence.

    A limit of null is no limit; of a reading, `meets` says whether any does.

    `curve` is what a pod's owner can change, `node` what is set on the node.

    >>> from slicewright.advise.limits.example import advice
    >>> made = document(advice())
    >>> made["question"], made["copies"], {one["lever"] for one in made["node"]}
    ('limits', 3, {...})
    """
    told, group = answer.recommendation, answer.group
    made: dict[str, Any] = {"question": "limits", "files": list(answer.files), "copies": answer.copies}
    made["recommendation"] = None
    if told is not None:
        made["recommendation"] = {
            "limit": in_json(told.limit), "low": in_json(told.low), "high": in_json(told.high), "threads": told.threads,
            "as_now": told.limit == group.limit,
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    made |= {
        "asked": answer.aim.words,
        "now": {
            "limit": group.limit, "period_ms": group.period_ms, "burst_ms": group.burst_ms,
            "processors": group.processors, "threads": answer.threads, "requests_per_s": in_json(answer.requests_per_s),
            "cpu_ms": in_json(answer.cpu_ms) if answer.cpu_ms else None,
        },
        "needed": list(answer.needed),
        "latency": _point(answer.now) if answer.now else None,
        "curve": [_point(one) for one in answer.points if one.lever.owner],
        "node": [_point(one) for one in answer.points if not one.lever.owner],
        "readings": [_reading(one) for one in answer.readings],
        "evidence": {
            "facts": list(answer.facts), "intervals": [_interval(one) for one in answer.intervals],
            "margin_percent": answer.margin_percent, "growth_factor": answer.growth,
            "replications": answer.replications, "interval_s": answer.interval_s,
        },
        "caveats": [*answer.open, *answer.caveats],
    }  # fmt: skip
    return made


def _point(point: Point) -> dict[str, Any]:
    setting = point.setting
    made: dict[str, Any] = {
        "lever": point.lever.value, "limit": in_json(setting.limit), "threads": setting.threads,
        "period_ms": setting.period_ms, "burst_ms": setting.burst_ms,
    }  # fmt: skip
    for name, one in point.columns.items():
        made |= {name: in_json(one.mean), f"{name}_half_width": in_json(one.half_width)}
        if point.lever is Lever.LIMIT:
            made |= {f"{name}_low": in_json(point.low[name]), f"{name}_high": in_json(point.high[name])}
    for name, one in point.throttling.items():
        made |= {f"throttling_{name}": in_json(one.mean), f"throttling_{name}_half_width": in_json(one.half_width)}
    return made


def _reading(one: ReadingLine) -> dict[str, Any]:
    load = one.reading.load
    made: dict[str, Any] = {
        "what": one.reading.words, "accepted": not one.why, "threads": load.threads, "batch": in_json(load.batch),
        "scv": load.scv, "lock": load.serial, "cpu_ms": in_json(load.cpu_ms),
        "requests_per_s": in_json(load.requests_per_s),
        "throttled_percent": in_json(one.reading.throttled_percent), "stopped_ms": in_json(one.reading.stopped_ms),
    }  # fmt: skip
    if one.why:
        made["why"] = one.why
    else:
        made["limit"] = None if one.limit is None else in_json(one.limit)
        made["meets"] = one.limit is not None if one.text else None
    if one.check is not None:
        made["forecasts"] = [
            {
                "name": told.name, "simulated": in_json(told.simulated), "band": in_json(told.band),
                "measured": in_json(told.measured), "holds": told.holds,
            }
            for told in one.check.forecasts
        ]  # fmt: skip
    return made


def _interval(one: Interval) -> dict[str, Any]:
    return {
        "first": one.first, "last": one.last, "length_s": in_json(one.length_s), "clock": one.clock.value,
        "used_s": in_json(one.used_s), "nr_periods": one.periods, "nr_throttled": one.throttled,
        "throttled_s": in_json(one.stopped_s),
    }  # fmt: skip
