"""Pages of devices as a scenario: one reading of each pool, and the others as `[[reading]]`."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from slicewright.advise.aliases.from_reports import Case, cases_of, search
from slicewright.advise.aliases.readings import Reading
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.question import Files
from slicewright.reading.pool import OTHER_IOS, OTHER_REPLICATIONS, machine_text, plan_for
from slicewright.scenario.changes import changes_of
from slicewright.statistics import plural
from slicewright.values.codec import read_toml
from slicewright.values.errors import problem, refusal
from slicewright.values.progress import Progress, silent

_WHOLE = ("channel", "guest")
"""Tables that a reading gives all at once: what one has and another has not cannot be taken away key by key."""
_BY_KEY = ("control_unit", "alias_pool", "volume")
_NOTES = {"assume", "calibrated", "borrowed", "source"}


def scenario_of(files: Files, request: AliasRequest, progress: Progress = silent) -> str:
    """The scenario that reproduces pages of devices, with every other reading as a table.

    Raises InputError where the files are no such pages, or no load is known that reproduces them.
    """
    cases = cases_of(files, request, progress)
    found = [(case, search(case)) for case in cases]
    wrong = [
        problem(each.reason, file=case.reports[-1].file, key=f"pool {case.reports[-1].name}",
                remedy="; ".join(need for need in each.needed if "--assume" not in need))
        for case, each in found
        if each.reason or each.explored is None
    ]  # fmt: skip
    if wrong:
        raise refusal(*wrong)
    every = [(case, each.explored.accepted) for case, each in found if each.explored is not None]
    sets = [
        [(case, readings[min(at, len(readings) - 1)]) for case, readings in every]
        for at in range(max(len(readings) for _, readings in every))
    ]
    texts = [_text(chosen) for chosen in sets]
    # A scenario with channels cannot be changed to one without.
    first = next((at for at, text in enumerate(texts) if "[[channel]]" not in text), 0)
    rest = [at for at in range(len(texts)) if at != first]
    lines = [*_opens(sets)]
    names: list[str] = []
    # Texts of our own, written alike: only their tables show in what two readings differ.
    tables = [read_toml(dict[str, Any], text.encode(), "") for text in texts]
    for at in rest:
        changes = _changes(tables[first], tables[at])
        if not changes:  # its load is that of the scenario
            continue
        name = "; ".join(dict.fromkeys(reading.load.name for _, reading in sets[at]))
        names.append(name)
        name += f" ({names.count(name)})" if names.count(name) > 1 else ""
        lines += ["[[reading]]", f"name = {json.dumps(name, ensure_ascii=False)}", "set = '''"]
        lines += [*changes, "'''", ""]
    return texts[first] + "\n" + "\n".join(lines)


def _text(chosen: Sequence[tuple[Case, Reading]]) -> str:
    rate = sum(case.reports[-1].io_per_s for case, _ in chosen)
    slowest = max(4000 / max(volume.io_per_s, 1e-9) for case, _ in chosen for volume in case.reports[-1].volumes)
    plan = plan_for(rate, slowest, OTHER_IOS * len(chosen), OTHER_REPLICATIONS)
    loads = [(reading.load, case.reports[-1].aliases_present, case.sources) for case, reading in chosen]
    names = ", ".join(dict.fromkeys(case.sources.reports for case, _ in chosen))
    return machine_text(f"{names} as read", loads, plan)


def _opens(sets: Sequence[Sequence[tuple[Case, Reading]]]) -> Iterator[str]:
    """The values in which readings differ, and what no page shows."""
    loads = [[reading.load for _, reading in chosen] for chosen in sets]
    pools = list(zip(*loads, strict=True))
    volumes = [[volume.name for volume in pool[0].volumes] for pool in pools]
    several = {
        f"guests of {plural(sum(map(len, volumes)), 'volume')}": (
            "other populations fit as well",
            any(len({_arrives(load) for load in pool}) > 1 for pool in pools),
        ),
        "growth of service": (
            "other growths fit as well, with other connect times",
            any(len({load.sharing_percent for load in pool}) > 1 for pool in pools),
        ),
        "use of freed aliases": (
            "undocumented; other rules fit as well",
            any(len({load.redispatch for load in pool}) > 1 for pool in pools),
        ),
        "channels": ("not on the pages", any(load.serial_ms for load in itertools.chain(*pools))),
        "other intervals": ("a page is one interval: no other was held out to test the load", True),
    }
    for value, (why, differs) in several.items():
        if differs:
            yield from ("[[open]]", f"value = {json.dumps(value)}", f"why = {json.dumps(why)}", "")


def _arrives(load: Any) -> tuple[Any, ...]:
    return tuple((volume.population, volume.batch, volume.geometric) for volume in load.volumes)


def _changes(given: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The changes that make one machine of another with the same volumes, as `--set` has them."""
    made: dict[str, Any] = {}
    for kind in _BY_KEY:
        for was, now in zip(given.get(kind, ()), other.get(kind, ()), strict=True):
            keys = [key for key in now if key not in _NOTES and now[key] != was.get(key)]
            made |= {f'{kind}."{now["name"]}".{key}': now[key] for key in keys}
    whole = {kind: other[kind] for kind in _WHOLE if other.get(kind, []) != given.get(kind, [])}
    # Channels come before the control unit that names them.
    return changes_of({**whole, **made})
