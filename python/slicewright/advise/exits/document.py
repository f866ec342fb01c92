"""The answer about exits as JSON.

It leaves out words for people: those are on the page.
"""

from __future__ import annotations

from typing import Any

from slicewright.advise.constants import Reading
from slicewright.advise.exits.answer import ExitAnswer, ExitPoint
from slicewright.advise.exits.structures import COMPLETE
from slicewright.advise.exits.words import share
from slicewright.numerals import in_json
from slicewright.statistics import Estimate


def document(answer: ExitAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), a row per structure, readings, evidence.

    Savings are over slow exits at every request, in % of one processor; `saved_low` and `saved_high` are null where
    only one reading was simulated.

    >>> from slicewright.advise.exits.example import advice
    >>> made = document(advice())
    >>> made["question"], len(made["structures"]), made["recommendation"]["exits"]
    ('exits', 5, 'prebatch-single-area')
    """
    made: dict[str, Any] = {"question": "exits", "files": [answer.file], "partition": answer.partition}
    made["recommendation"] = None
    if answer.recommendation is None:
        made["reason"] = answer.reason
    else:
        point = answer.point(answer.recommendation)
        made["recommendation"] = {
            "exits": point.structure, "as_now": point.structure == answer.now,
            **_estimate("saved_percent", point.saved), **_estimate("from_now_percent", point.from_now),
            "alike": list(answer.alike),
        }  # fmt: skip
    made |= {"now": answer.now, "global_percent": in_json(share(answer)), "needed": list(answer.needed)}
    if answer.asked:
        made["at"] = [_point(answer, answer.point(one)) for one in answer.asked]
    if answer.target:
        made["target"] = {"condition": str(answer.target), "exits": list(answer.meets)}
    made["structures"] = [_point(answer, one) for one in answer.points]
    made["readings"] = [_reading(one) for one in answer.readings]
    made["evidence"] = {
        "facts": list(answer.facts), "least_percent": answer.least_percent, "growth_factor": answer.growth,
        "replications": answer.replications, "warm_up_s": answer.warm_up_s, "interval_s": answer.interval_s,
    }  # fmt: skip
    made["constants"] = [
        {"key": one.key, "value": one.value, "role": one.role, "why": one.why} for one in answer.constants
    ]
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _point(answer: ExitAnswer, point: ExitPoint) -> dict[str, Any]:
    made: dict[str, Any] = {"exits": point.structure, "now": point.structure == answer.now}
    made |= {"sees_every_request": point.structure in COMPLETE, "keeps_up": point.fits}
    for name, value in point.columns.items():
        made |= _estimate(name, value)
    made |= _estimate("saved_percent", point.saved)
    made |= {"saved_low": in_json(point.low), "saved_high": in_json(point.high)}
    return made | _estimate("from_now_percent", point.from_now)


def _estimate(name: str, value: Estimate) -> dict[str, float | None]:
    return {name: in_json(value.mean), f"{name}_half_width": in_json(value.half_width)}


def _reading(one: Reading[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"name": one.name, "what": one.what, "accepted": one.chosen is not None}
    if one.chosen is None:
        return made | {"why": one.why}
    return made | {"choose": one.chosen, **_estimate("saved_percent", one.gain)}
