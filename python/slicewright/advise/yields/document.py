"""The answer about yields as JSON.

It leaves out words for people: those are on the page.
"""

from __future__ import annotations

from typing import Any

from slicewright.advise.constants import Reading
from slicewright.advise.yields.answer import Row, YieldAnswer, YieldPoint
from slicewright.advise.yields.yielding import Yielding
from slicewright.numerals import in_json
from slicewright.statistics import Estimate


def document(answer: YieldAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, contention, readings, evidence.

    Gains are in percent of the throughput with X'44' everywhere; `gain_low` and `gain_high` are null where only one
    reading was simulated.

    >>> from slicewright.advise.yields.example import advice
    >>> made = document(advice())
    >>> made["question"], len(made["curve"]), made["contention"][-1]["expected"]
    ('yields', 20, False)
    """
    told, partition = answer.recommendation, answer.partition
    made: dict[str, Any] = {"question": "yields", "files": [answer.file], "partition": partition.name}
    made["recommendation"] = None
    if told:
        point = answer.here.point(told)
        assert point is not None
        made["recommendation"] = {
            **_yields(told), "as_now": told == partition.now, **_estimate("gain_percent", point.gain),
            **_estimate("from_now_percent", point.from_now), "alike": [one.words() for one in answer.alike],
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    here, none_from = answer.here.contention, answer.none_from
    made |= {
        "estimate": {
            "virtual_per_processor": in_json(partition.each), "gain_expected": here.expected,
            "no_gain_from_processors": none_from.processors if none_from else None,
        },
        "now": _yields(partition.now),
        "needed": list(answer.needed),
    }  # fmt: skip
    if answer.asked:
        points = (answer.here.point(one) for one in answer.asked)
        made["at"] = [_point(answer, one) for one in points if one]
    if answer.target:
        target = answer.target
        made["target"] = {
            "condition": str(target.target), "processors": target.processors,
            "yields": _yields(target.yielding) if target.yielding else None,
        }  # fmt: skip
    made["curve"] = [_point(answer, one) for row in answer.rows for one in row.points]
    made["contention"] = [_row(one) for one in answer.rows]
    made["readings"] = [_reading(one) for one in answer.readings]
    made["evidence"] = {
        "facts": list(answer.facts), "compared": _yields(answer.compared),
        "programs_of": partition.starting or None, "least_percent": answer.least_percent,
        "growth_factor": answer.growth, "replications": answer.replications,
        "warm_up_s": answer.warm_up_s, "interval_s": answer.interval_s,
    }  # fmt: skip
    made["constants"] = [
        {"key": one.key, "value": one.value, "role": one.role, "why": one.why} for one in answer.constants
    ]
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _yields(one: Yielding) -> dict[str, Any]:
    return {"name": one.words(), "yields": dict(one.pairs)}


def _point(answer: YieldAnswer, point: YieldPoint) -> dict[str, Any]:
    partition = answer.partition
    made: dict[str, Any] = {**_yields(point.yielding), "processors": point.processors}
    made["now"] = point.yielding == partition.now and point.processors == partition.processors
    for name, value in point.columns.items():
        made |= _estimate(name, value)
    made |= _estimate("gain_percent", point.gain) | {"gain_low": in_json(point.low), "gain_high": in_json(point.high)}
    made |= _estimate("from_now_percent", point.from_now)
    for name, value in point.saved.items():
        made |= _estimate(f"{name}_saved_percent", value)
    return made


def _row(row: Row) -> dict[str, Any]:
    found = row.contention
    return {
        "processors": row.processors, "virtual_per_processor": in_json(row.each), "expected": found.expected,
        "why": [one.value for one in found.why], "measured": found.measured.value,
        **_estimate("most_gain_percent", found.most), **_estimate("fast_x44_percent", found.fast_percent),
        **_estimate("contended_percent", found.contended_percent),
    }  # fmt: skip


def _estimate(name: str, value: Estimate) -> dict[str, float | None]:
    return {name: in_json(value.mean), f"{name}_half_width": in_json(value.half_width)}


def _reading(one: Reading[Yielding]) -> dict[str, Any]:
    made: dict[str, Any] = {"name": one.name, "what": one.what, "accepted": one.chosen is not None}
    if one.chosen is None:
        return made | {"why": one.why}
    return made | {"choose": _yields(one.chosen), **_estimate("gain_percent", one.gain)}
