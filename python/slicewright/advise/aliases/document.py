"""The answer as the JSON that the contract names.

It leaves out words for people: those are on the page.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from slicewright.advise.aliases.answer import Answer, Now, ReadingLine
from slicewright.numerals import in_json


def document(answer: Answer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, readings, evidence, caveats.

    `estimate` is the total of the rule of thumb.  `at` and `target` are there when they were asked for.

    >>> from slicewright.advise.aliases.example import advice
    >>> made = document(advice())
    >>> made["pool"], made["recommendation"], made["estimate"]
    ('522A', {'aliases': 2, 'low': 2, 'high': 2}, 2)
    """
    recommended = asdict(answer.recommendation) if answer.recommendation else None
    made: dict[str, Any] = {"question": "aliases", "files": list(answer.files), "pool": answer.pool}
    made |= {"recommendation": recommended, "estimate": answer.estimate.aliases}
    if answer.recommendation is None:
        made["reason"] = answer.reason
    made["needed"] = list(answer.needed)
    if answer.at:
        made["at"] = [point.as_json() for count in answer.at if (point := answer.point(count))]
    if answer.target:
        told = answer.target
        made["target"] = {"condition": str(told.target), "aliases": told.aliases, "low": told.low, "high": told.high}
    made["curve"] = [point.as_json() for point in answer.curve]
    made["readings"] = [_reading(one) for one in answer.readings]
    made["evidence"] = {
        "aliases_present": answer.estimate.present,
        "reports": [_now(one) for one in answer.observed],
        "laws": [dict(law) for law in answer.laws],
        "facts": list(answer.facts),
        "growth_factor": answer.growth,
        "knee_percent": answer.knee_percent,
        "margin_percent": answer.margin_percent,
    }
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _now(now: Now) -> dict[str, float | None]:
    return {name: value if isinstance(value, int) else in_json(value) for name, value in asdict(now).items()}


def _reading(one: ReadingLine) -> dict[str, Any]:
    made: dict[str, Any] = {"name": one.name, "accepted": one.accepted, "saturated": one.saturated}
    made |= {"population": one.population, "arrivals": one.arrivals, "think_ms": in_json(one.think_ms)}
    if one.load:
        load = one.load
        made |= {
            "growth": load.growth,
            "sharing_percent": in_json(load.sharing_percent),
            "gap_ms": in_json(load.gap_ms),
        }
        made |= {"redispatch": load.redispatch, "requests": load.population}
    made["miss"] = in_json(one.miss)
    made["found"] = [
        {"io_per_s": in_json(io), "service_ms": in_json(service), "queue_depth": in_json(queue)}
        for io, service, queue in one.found
    ]
    if one.accepted:
        made["knee"] = one.knee
    else:
        made["why"] = one.why
    return made
