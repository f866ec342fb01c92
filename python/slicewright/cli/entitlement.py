"""`slicewright entitlement`: what weights promise partitions, as a table, and what that means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slicewright.cli.options import Format, print_json
from slicewright.report.text import aligned
from slicewright.statistics import fixed, plural

if TYPE_CHECKING:
    from slicewright.scenario.entitlement import Machine

_Rows = Sequence[dict[str, Any]]

_HEADS = (
    ("", "", "", "", "share per", "entitled", "all busy", "at most", "vertical", "each", "horizontal"),
    ("partition", "weight", "share", "logicals", "logical", "cores", "cores", "cores", "VH VM VL", "VM", "each"),
)


def entitlement(
    cores: Annotated[str, typer.Option("--cores", metavar="N", help="Physical cores of one type.")],
    partitions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME:WEIGHT:LOGICALS...",
            help="Partitions: a weight of 1 to 999, or the word dedicated; then the logical cores online.",
        ),
    ] = None,
    format: Format = "text",
) -> int:
    """Print what each partition is entitled to by its weight, and its vertical high, medium and low counts.

    \b
    Example:
      slicewright entitlement --cores 16 PROD:700:12 TEST:300:8
      slicewright entitlement --cores 16 VSE:dedicated:2 PROD:700:12 TEST:300:8
    """
    from slicewright.scenario.entitlement import read_machine

    machine = read_machine(cores, partitions or [])
    rows = machine.rows()
    if format == "json":
        facts = {"cores": machine.cores, "shared_cores": machine.shared}
        print_json({**facts, "partitions": rows, "means": meaning(machine, rows)})
        return 0
    print(f"{_head(machine)}\n")
    print("\n".join(_table(rows)))
    print("\n" + "\n".join(f"  {line}" for line in meaning(machine, rows)))
    for what in dict.fromkeys(row["assumed"] for row in rows if row["assumed"]):
        print(f"  Assumed of {_names([row for row in rows if row['assumed'] == what])}: {what}.")
    return 0


def meaning(machine: Machine, rows: _Rows) -> list[str]:
    """The meaning of the numbers, in a sentence or two each: first about weights, then about vertical mode.

    >>> from slicewright.scenario.entitlement import read_machine
    >>> machine = read_machine(8, ["A:600:8", "B:400:8"])
    >>> print("\\n".join(meaning(machine, machine.rows())))
    Weights bind only when all are busy; until then each has what it wants up to `at most`, unless capped.
    In vertical mode highs keep 6 of the 8 shared cores; 3 mediums are entitled to 2 more, 7 lows to nothing.
    """
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
