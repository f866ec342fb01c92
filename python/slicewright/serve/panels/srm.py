"""SET SRM of z/VM: the settings by which a control program parks processors and places virtual processors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slicewright._core import Scenario
from slicewright.scenario.derived import srm_settings
from slicewright.scenario.view import View
from slicewright.serve.panels.panel import Chart, Curve, Field, Line, Panel, Screen, Tables, column

_WORDS = ("small", "medium", "large")
_SETTINGS = (
    ("cpupad", "CPUPAD", "0-6400", "%", ()),
    ("excessuse", "EXCESSUSE", "how much of what others leave it counts on", "", ("none", "low", "medium", "high")),
    ("unparking", "UNPARKING", "how many processors stay unparked", "", _WORDS),
    ("polarization", "POLARIZATION", "", "", ("horizontal", "vertical")),
    ("method", "DSPWDMETHOD", "how virtual processors are placed", "", ("reshuffle", "rebalance", "none")),
    ("slice", "DSPSLICE", "1-100", "ms", ()),
)


def fields(view: View) -> list[Field]:
    """The settings of the one control program."""
    (partition,) = view.controlled
    assert partition.control_program is not None
    now = srm_settings(partition.control_program)
    return [
        Field(key, label, hint, key, "srm", partition.name, now[key].removesuffix(unit).strip(), unit, words)
        for key, label, hint, unit, words in _SETTINGS
    ]


def screens(scenario: Scenario, fields: Sequence[Field]) -> list[Screen]:
    """One screen with a line per setting."""
    lines = [Line(field.label, field.hint, field.key) for field in fields]
    return [Screen("SET SRM", f"Control program of {fields[0].of}", lines)]


def charts(tables: Tables, view: View) -> list[Chart]:
    """Unparked processors, use of processors, dispatch vectors, and moves between them."""
    (partition,) = view.controlled

    def of(counter: str, label: str) -> Curve:
        return Curve(label, column(tables, "control_programs", counter, partition=partition.name))

    return [
        Chart("Unparked processors", "", [of("unparked", "unparked")]),
        Chart(
            "Processor time, of one processor", "%",
            [of("total_percent", "all"), of("guests_percent", "guests"), of("nonchargeable_cp_percent", "CP")],
        ),
        Chart(
            "Virtual processors that wait in a dispatch vector", "",
            [of("vector_depth", "mean over vectors")],
        ),
        Chart("Dispatches on another processor than the last", "%", [of("moved_percent", "moved")]),
    ]  # fmt: skip


def processors(tables: Tables, view: View) -> list[dict[str, Any]]:
    """The logical processors: polarity, parked and busy percent, and the depth of the dispatch vector, by interval."""
    (partition,) = view.controlled
    names = {"polarity": "polarity", "parked": "parked_percent", "busy": "busy_percent", "depth": "vector_depth"}
    return [
        {"number": number}
        | {
            key: column(tables, "control_processors", name, partition=partition.name, number=number)
            for key, name in names.items()
        }
        for number in range(partition.logical_processors)
    ]


PANEL = Panel(
    "set-srm", "z/VM: SET SRM", "z/VM HiperDispatch, Table 1 and its settings", fields, screens, charts, processors
)
