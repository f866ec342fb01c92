"""The screens of 580/MDF: Configuration Attributes of each domain and System Scheduling (figures 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence

from slicewright._core import Scenario
from slicewright.pages.screens import fields as screen_fields
from slicewright.scenario.view import View
from slicewright.serve.panels.panel import Chart, Curve, Field, Line, Panel, Screen, Tables, column

_PERCENT = "1-100"
_SHARES = {
    "target": ("TARGET CPU PERCENTAGE", "target_percent"),
    "maximum": ("MAXIMUM CPU PERCENTAGE", "maximum_percent"),
}
PARAMETER = "scheduling_parameter"


def fields(view: View) -> list[Field]:
    """Target and maximum of each domain, and the scheduling parameter."""
    assert view.cec is not None
    found = [
        Field(
            f"{partition.name}.{key}",
            label,
            _PERCENT,
            key,
            "partition",
            partition.name,
            f"{getattr(partition, attribute):g}",
            "%",
        )
        for partition in view.partitions
        for key, (label, attribute) in _SHARES.items()
    ]
    value = str(view.cec.scheduling_parameter)
    return [*found, Field(PARAMETER, "SCHEDULING PARAMETER", "1-5", "", PARAMETER, "", value)]


def screens(scenario: Scenario, fields: Sequence[Field]) -> list[Screen]:
    """Configuration Attributes of each domain, and System Scheduling with a row per domain."""
    shown = screen_fields(scenario)
    domains = list(dict.fromkeys(row["domain"] for row in shown if row["screen"] == "CA"))
    changed = {(field.of, field.label): field for field in fields}
    found = [_scheduling(domains, changed)]
    for number, domain in enumerate(domains):
        lines = []
        for row in shown:
            if row["screen"] == "CA" and row["domain"] == domain:
                field = changed.get((domain, row["field"]))
                hint = f"(IF S, {field.hint})" if field else ""
                lines.append(Line(row["field"], hint, field.key if field else "", row["value"]))
        found.append(Screen("CA - CONFIGURATION ATTRIBUTES", f"Domain {number}, {domain}", lines))
    return found


def _scheduling(domains: Sequence[str], changed: dict[tuple[str, str], Field]) -> Screen:
    rows = []
    for number, domain in enumerate(domains):
        own = [changed[domain, label] for label, _ in _SHARES.values()]
        cells = [Line(f"{field.label} of {domain}", field.hint, field.key) for field in own]
        rows.append([Line("", value=str(number)), Line("", value=domain), *cells, Line("", field=f"{domain}.norm")])
    parameter = changed["", "SCHEDULING PARAMETER"]
    lines = [Line(parameter.label, f"(IF P, {parameter.hint})", parameter.key)]
    return Screen("SS - SET SYSTEM SCHEDULING", "", lines, ("DOMAIN #", "NAME", "TARG", "MAX", "NORM"), rows)


def charts(tables: Tables, view: View) -> list[Chart]:
    """The share of each domain with its settings, its use of processors, and how long its I/O waits for a slice."""
    names = [partition.name for partition in view.partitions]

    def curves(counter: str) -> list[Curve]:
        return [Curve(name, column(tables, "partitions", counter, partition=name)) for name in names]

    settings = [Curve(f"target of {name}", (), f"{name}.target") for name in names]
    settings += [Curve(f"maximum of {name}", (), f"{name}.maximum") for name in names]
    guests = list(dict.fromkeys(tables["guests"]["guest"]))
    return [
        Chart("Share of the processors", "%", [*curves("dispatched_percent"), *settings]),
        Chart("Processor time used, of one processor", "%", curves("cpu_percent")),
        Chart("Ended I/O held until the domain is dispatched", "ms", curves("hold_ms")),
        Chart(
            "Transaction time", "ms",
            [Curve(guest, column(tables, "guests", "transaction_ms", guest=guest)) for guest in guests],
        ),
    ]  # fmt: skip


PANEL = Panel(
    "580-mdf",
    "580/MDF: System Scheduling and Configuration Attributes",
    "Partitioning Large Processors, figures 2 and 3",
    fields,
    screens,
    charts,
)
