"""The answer about slices as JSON.

It leaves out words for people: those are on the page.
"""

from __future__ import annotations

import math
from typing import Any

from slicewright.advise.slices.answer import DomainLine, Held, SliceAnswer, SlicePoint
from slicewright.advise.slices.machine import PRSM
from slicewright.domains import parameter_slice_ms
from slicewright.numerals import in_json
from slicewright.statistics import Estimate


def document(answer: SliceAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, devices, partitions, readings.

    Slices and times in ms, shares in percent; `exact_hold_ms` is null where the formula says nothing.

    >>> from slicewright.advise.slices.example import advice
    >>> made = document(advice())
    >>> made["question"], made["recommendation"]["scheduling_parameter"], made["curve"][0]["slice_ms"]
    ('slices', 5, 0.5)
    """
    told = answer.recommendation
    made: dict[str, Any] = {"question": "slices", "files": list(answer.files), "recommendation": None}
    if told:
        parameter = told.parameter
        made["recommendation"] = {
            "slice_ms": told.slice_ms, "low": told.low_ms, "high": told.high_ms, "scheduling_parameter": parameter,
            "scheduling_parameter_slice_ms": parameter_slice_ms(parameter) if parameter is not None else None,
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    estimate = None if answer.weighs else in_json(answer.estimate_ms)
    made |= {
        "dispatcher": PRSM if answer.weighs else "slices",
        "estimate": estimate,
        "now": answer.now_ms,
        "needed": list(answer.needed),
    }
    if answer.at:
        made["at"] = [_point(point) for slice_ms in answer.at if (point := answer.point(slice_ms))]
    if answer.target:
        made["target"] = {"condition": str(answer.target.target), "slice_ms": answer.target.slice_ms}
    made["curve"] = [_point(one) for one in answer.curve]
    made["devices"] = [
        {
            "device": one.name, "partition": one.domain, "io_per_s": in_json(one.io_per_s),
            "service_ms": in_json(one.service_ms), "slice_above_half_of_service": one.dear,
        }
        for one in answer.devices
    ]  # fmt: skip
    made["partitions"] = [_domain(one) for one in answer.domains]
    made["readings"] = [_reading(answer, at) for at in range(len(answer.readings))]
    made["evidence"] = {
        "facts": list(answer.facts), "growth_factor": answer.growth, "switch_ms": answer.switch_ms,
        "switch_assumed": answer.switch_assumed, "processor": in_json(answer.processor),
    }  # fmt: skip
    made["warnings"] = list(answer.warnings)
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _point(point: SlicePoint) -> dict[str, Any]:
    made: dict[str, Any] = {"slice_ms": point.slice_ms, **_held(point.hold)}
    made |= _estimate("waiting", point.waiting)
    made |= {"lost_processors": in_json(point.lost), "switch_percent": in_json(point.switch_percent)}
    made |= _estimate("cost", point.cost)
    made["devices"] = {name: _held(held) for name, held in point.devices.items()}
    return made


def _held(held: Held) -> dict[str, float | None]:
    made = _estimate("hold_ms", held.simulated)
    return made | {
        "hold_ms_low": in_json(held.low_ms),
        "hold_ms_high": in_json(held.high_ms),
        "exact_hold_ms": in_json(held.exact_ms),
    }


def _estimate(name: str, value: Estimate) -> dict[str, float | None]:
    return {name: in_json(value.mean), f"{name}_half_width": in_json(value.half_width)}


def _domain(one: DomainLine) -> dict[str, Any]:
    made: dict[str, Any] = {"partition": one.name, "share_due_percent": in_json(100 * one.due)}
    got = one.got or Estimate(math.nan, math.nan, 0)
    made |= _estimate("share_got_percent", Estimate(100 * got.mean, 100 * got.half_width, got.replications))
    known = one.got is not None
    made |= {"idle_percent": in_json(100 * one.idle) if known else None, "cap_binds": one.binds if known else None}
    made["headroom"] = None
    if one.room:
        made["headroom"] = {
            "low": in_json(one.room.low), "high": in_json(one.room.high), "bound": in_json(one.room.bound),
            "full": one.room.full,
        }  # fmt: skip
    return made


def _reading(answer: SliceAnswer, at: int) -> dict[str, Any]:
    one = answer.readings[at]
    made: dict[str, Any] = {"name": one.name, "load": one.load, "accepted": one.accepted}
    return made | ({"least_ms": in_json(one.least_ms)} if one.accepted else {"why": one.why})
