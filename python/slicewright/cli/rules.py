"""Rules that `explain` prints: what weights entitle partitions to, and how name lists change a request."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from slicewright.cli.command import Given
from slicewright.report.text import aligned
from slicewright.statistics import fixed, plural
from slicewright.values.console import print_json
from slicewright.values.errors import printed, problem, refusal, visible

if TYPE_CHECKING:
    from slicewright._core import NameLists
    from slicewright.scenario.entitlement import Machine


def names(given: Given) -> int:
    """Print the lists that are searched for a request, the entry that matches, and the resulting scope."""
    from slicewright.serialization.name_lists import Request, differences, explained, read_systems

    lacking = [f"--{key}" for key in ("qname", "rname") if getattr(given, key) is None]
    lacking += [] if given.what else ["a name list"]
    if lacking:
        why = "a request has a qname and a rname"
        raise refusal(*(problem(f"{each} is missing", why=why) for each in lacking))
    systems = read_systems(given.what)
    request = Request(given.scope, given.qname, given.rname)
    answers = [explained(lists, request) for lists in systems]
    differ = differences(systems)
    if given.format == "json":
        name = {"qname": given.qname, "rname": given.rname, "asked": answers[0]["asked"]}
        print_json({**name, "identical": not differ, "systems": _with_warnings(systems, answers)})
    else:
        print("\n".join(_page(request, answers)))
        _warn(systems)
    if differ:
        raise refusal(*differ)
    return 0


def _page(request: Any, answers: list[dict[str, Any]]) -> list[str]:
    """The lines of a result: the request, and for each system its searches in their order and the outcome."""
    asked = answers[0]["asked"]
    what = "RESERVE" if asked == "RESERVE" else f"ENQ, SCOPE={asked},"
    lines = [visible(f"{what} of {request.qname} {request.rname}")]
    for answer in answers:
        lines += ["", visible(answer["file"])]
        for number, search in enumerate(answer["searches"], 1):
            match = "no entry matches" if search["text"] is None else f"line {search['line']}: {search['text']}"
            lines.append(visible(f"  {number}. {search['name']}: {match}"))
        lines += ["  no list is searched"] * (not answer["searches"])
        lines.append(f"  becomes {answer['treatment']}")
    return lines


def _with_warnings(systems: list[NameLists], answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**answer, "warnings": lists.warnings()} for lists, answer in zip(systems, answers, strict=True)]


def _warn(systems: list[NameLists]) -> None:
    sys.stdout.flush()
    for warning in (warning for lists in systems for warning in lists.warnings()):
        print(printed([warning], "warning"), file=sys.stderr)


_Rows = Sequence[dict[str, Any]]

_HEADS = (
    ("", "", "", "", "share per", "entitled", "all busy", "at most", "vertical", "each", "horizontal"),
    ("partition", "weight", "share", "logicals", "logical", "cores", "cores", "cores", "VH VM VL", "VM", "each"),
)


def entitlements(cores: str, partitions: list[str], format: str) -> int:
    """Print what each partition is entitled to by its weight, and its vertical high, medium and low counts."""
    from slicewright.scenario.entitlement import read_machine

    machine = read_machine(cores, partitions)
    rows = machine.rows()
    if format == "json":
        facts = {"cores": machine.cores, "shared_cores": machine.shared}
        print_json({**facts, "partitions": rows, "means": _meaning(machine, rows)})
        return 0
    print(f"{_head(machine)}\n")
    print("\n".join(_table(rows)))
    print("\n" + "\n".join(f"  {line}" for line in _meaning(machine, rows)))
    for what in dict.fromkeys(row["assumed"] for row in rows if row["assumed"]):
        print(f"  Assumed of {_names([row for row in rows if row['assumed'] == what])}: {what}.")
    return 0


def _meaning(machine: Machine, rows: _Rows) -> list[str]:
    """The meaning of the numbers, in a sentence or two each: first about weights, then about vertical mode."""
    sharing = [row for row in rows if row["weight"] is not None]
    if not sharing:
        return ["Every core is dedicated to one logical core, or unused; no weight binds."]
    return [_binding(machine, sharing), _vertical(machine, sharing)]


def _head(machine: Machine) -> str:
    sharing = [partition for partition in machine.partitions if not partition.dedicated]
    own = len(machine.partitions) - len(sharing)
    said = plural(machine.cores, "core")
    if own:
        said += f", {machine.cores - machine.shared} of them dedicated to {plural(own, 'partition')}"
    if sharing:
        logicals = sum(partition.logicals for partition in sharing)
        said += f"; {plural(logicals, 'logical')} of {plural(len(sharing), 'partition')} on {machine.shared} shared"
    return said


def _table(rows: _Rows) -> list[str]:
    cells = [
        [
            row["partition"],
            "dedicated" if row["weight"] is None else str(row["weight"]),
            _percent(row["share_percent"]),
            str(row["logicals"]),
            _percent(row["logical_share_percent"]),
            fixed(row["entitlement_cores"], 2),
            fixed(row["contended_cores"], 2),
            str(row["most_cores"]),
            " ".join(f"{row[f'vertical_{kind}']:2}" for kind in ("high", "medium", "low")),
            _percent(row["medium_percent"]),
            _percent(row["horizontal_percent"]),
        ]
        for row in rows
    ]
    left = [at == 0 for at in range(len(_HEADS[0]))]
    return [f"  {line}".rstrip() for line in aligned([*_HEADS, *cells], left)]


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{fixed(value, 1)} %"


def _binding(machine: Machine, sharing: _Rows) -> str:
    over = [row for row in sharing if row["entitlement_cores"] > row["logicals"]]
    idle = machine.shared - sum(row["contended_cores"] for row in sharing)
    if not over:
        return "Weights bind only when all are busy; until then each has what it wants up to `at most`, unless capped."
    names = _names(over)
    beyond = sum(row["entitlement_cores"] - row["logicals"] for row in over)
    said = (
        f"{names} {'has' if len(over) == 1 else 'have'} too few logicals for {fixed(beyond, 2)} of the entitled cores"
    )
    if idle > 1e-9:
        return f"{said}; {fixed(idle, 0)} of the {machine.shared} shared cores stay unused."
    return f"{said}; when all are busy the others have them, by weight."


def _vertical(machine: Machine, sharing: _Rows) -> str:
    highs, mediums, lows = (sum(row[f"vertical_{kind}"] for row in sharing) for kind in ("high", "medium", "low"))
    said = f"In vertical mode highs keep {highs} of the {machine.shared} shared cores"
    if not highs:
        said = f"In vertical mode no logical core has one of the {machine.shared} shared cores for itself"
    entitled = sum(row["vertical_medium"] * (row["medium_percent"] or 0) / 100 for row in sharing)
    if mediums:
        whole = abs(entitled - round(entitled)) < 1e-9
        amount = fixed(entitled, 0 if whole else 2)
        said += f"; {plural(mediums, 'medium')} {'is' if mediums == 1 else 'are'} entitled to {amount} more"
    if lows:
        said += f", {plural(lows, 'low')} to nothing"
    return said + "."


def _names(rows: _Rows) -> str:
    names = [row["partition"] for row in rows]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
