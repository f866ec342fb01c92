"""The answer about polarization as JSON.

It leaves out words for people: those are on the page.
"""

from __future__ import annotations

from typing import Any

from slicewright.advise.constants import Reading
from slicewright.advise.polarization.answer import PolarizationAnswer, SettingPoint
from slicewright.advise.polarization.setting import Setting
from slicewright.numerals import in_json
from slicewright.statistics import Estimate


def document(answer: PolarizationAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, readings, evidence, caveats.

    Percentages are of one processor but where a name says otherwise; `_low` and `_high` are null where only one reading
    was simulated.

    >>> from slicewright.advise.polarization.example import advice
    >>> made = document(advice())
    >>> made["question"], made["recommendation"]["polarization"], made["curve"][0]["now"]
    ('polarization', 'vertical', True)
    """
    told, now = answer.recommendation, answer.partition.now
    made: dict[str, Any] = {"question": "polarization", "files": [answer.file], "partition": answer.partition.name}
    made["recommendation"] = None
    if told:
        point = answer.point(told.setting)
        made["recommendation"] = {
            **_setting(told.setting), "unparked": in_json(point.columns["unparked"].mean) if point else None,
            "fewest_processors": told.fewest, "indifferent": list(told.indifferent),
            "as_now": told.setting.key == now.key,
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    ratio = answer.runnable.mean
    made |= {
        "estimate": {"runnable_per_processor": in_json(ratio), "fits": ratio <= 1},
        "now": _setting(now),
        "needed": list(answer.needed),
    }
    if answer.asked:
        made["at"] = [_point(answer, point) for one in answer.asked if (point := answer.point(one))]
    if answer.target:
        met = answer.target.setting
        made["target"] = {"condition": str(answer.target.target), "setting": _setting(met) if met else None}
    made["curve"] = [_point(answer, one) for one in answer.curve]
    made["readings"] = [_reading(one) for one in answer.readings]
    gate = answer.gate
    made["evidence"] = {
        "facts": list(answer.facts), "gate": gate.where, **_estimate("work_follows", gate.follows),
        "processor_share_of_cycles": in_json(gate.by_cycles), "parking_engages": answer.parking,
        "tv_threshold": answer.partition.controller.tv_threshold, "growth_factor": answer.growth,
        "replications": answer.replications, "warm_up_s": answer.warm_up_s, "interval_s": answer.interval_s,
    }  # fmt: skip
    made["constants"] = [
        {"key": one.key, "value": one.value, "role": one.role, "why": one.why} for one in answer.constants
    ]
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _setting(one: Setting) -> dict[str, Any]:
    made: dict[str, Any] = {"polarization": one.polarization, "processors": one.processors}
    vertical = {"method": one.method, "cpupad_percent": one.cpupad, "unparking": one.unparking}
    return made | (vertical if one.vertical else dict.fromkeys(vertical))


def _point(answer: PolarizationAnswer, point: SettingPoint) -> dict[str, Any]:
    made = _setting(point.setting)
    made |= {"name": point.setting.words(answer.usual), "now": point.setting.key == answer.partition.now.key}
    for name, value in point.columns.items():
        made |= _estimate(name, value)
        if name in ("work_percent", "total_percent"):
            made |= {f"{name}_low": in_json(point.low.get(name)), f"{name}_high": in_json(point.high.get(name))}
    beside = point.from_now
    for name, value in (("work", beside.work), ("total", beside.total), ("wait", beside.wait)):
        made |= _estimate(f"{name}_from_now_percent", value)
    return made | {"tv_parks_percent": in_json(100 * point.tv_parks)}


def _estimate(name: str, value: Estimate | None) -> dict[str, float | None]:
    if value is None:
        return {name: None, f"{name}_half_width": None}
    return {name: in_json(value.mean), f"{name}_half_width": in_json(value.half_width)}


def _reading(one: Reading[Setting]) -> dict[str, Any]:
    made: dict[str, Any] = {"name": one.name, "what": one.what, "accepted": one.chosen is not None}
    if one.chosen is None:
        return made | {"why": one.why}
    return made | {"choose": _setting(one.chosen), **_estimate("vertical_over_horizontal_percent", one.gain)}
