"""Panels: screens of the documents with fields that an operator changes while a scenario runs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright._core import Scenario
from slicewright.run.pages.screens import fields as screen_fields
from slicewright.scenario.derived import srm_settings
from slicewright.scenario.view import View
from slicewright.serve.tasks import Reporter, Task
from slicewright.values.carried import data_folder
from slicewright.values.errors import Problem, nearest, problem, refusal

_MOST_CHANGES = 200
"""Changes of one run; an operator makes some dozens in five simulated minutes."""
_LONGEST_VALUE = 40
_NUMBER = re.compile(r"\d+(\.\d+)?", re.ASCII)

_Tables = Mapping[str, Mapping[str, Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class _Field:
    """A field that can be changed: its label on the screen, and the setting of `[[change]]` that it is."""

    key: str
    label: str
    hint: str
    setting: str
    """The name of the setting in the table of its change; empty where the change is the value itself."""
    change: str
    """The kind of change: `partition`, `srm`, `scheduling_parameter`."""
    of: str
    """The partition that is changed; empty where the change is of all."""
    value: str
    """The value at the start."""
    unit: str = ""
    words: tuple[str, ...] = ()
    """The words that it takes; empty for a number."""

    def written(self, value: str) -> str:
        """The value as TOML: the language checks it.

        >>> _Field("t", "TARGET", "", "target", "partition", "A", "50", "%").written("70")
        '"70 %"'
        """
        if self.unit:
            return json.dumps(f"{value} {self.unit}")
        return value if value.isascii() and value.isdigit() else json.dumps(value)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a screen: a label and a field, or a value that the run does not change."""

    label: str
    hint: str = ""
    field: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class _Screen:
    """A screen as the document prints it: its title, what it is of, its lines, and below them a table of fields."""

    title: str
    of: str
    lines: Sequence[_Line]
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[_Line]] = ()


@dataclass(frozen=True, slots=True)
class _Curve:
    """A counter over the intervals: its label, and how a row of the run gives it."""

    label: str
    values: Sequence[float | None]
    field: str = ""
    """The field whose setting this is: it is drawn as a thin line of steps."""


@dataclass(frozen=True, slots=True)
class _Chart:
    """Curves with one unit."""

    title: str
    unit: str
    curves: Sequence[_Curve]


@dataclass(frozen=True, slots=True)
class _Panel:
    """A screen of a document: where its scenario is, its fields and screens, and its charts."""

    name: str
    title: str
    document: str
    fields: Callable[[View], list[_Field]]
    screens: Callable[[Scenario, Sequence[_Field]], list[_Screen]]
    charts: Callable[[_Tables, View], list[_Chart]]
    processors: Callable[[_Tables, View], list[dict[str, Any]]] = lambda tables, view: []
    """The logical processors of a control program: number, and lists over the intervals."""
    together: Callable[[Mapping[str, str], Sequence[str]], list[Problem]] = lambda now, entered: []
    """Problems of fields that do not go together: from the value of each, and the fields of the last Enter."""

    @property
    def text(self) -> str:
        """The scenario, before any change."""
        return (data_folder("scenarios") / "panels" / f"{self.name}.toml").read_text("utf-8")


def _with_changes(panel: _Panel, fields: Sequence[_Field], changes: Sequence[Any]) -> str:
    """The scenario with the changes of an operator as `[[change]]` tables, each at its simulated instant.

    `changes` has an object per Enter: `at_s`, and `values` by field.  Raises InputError for anything else.
    """
    known = {field.key: field for field in fields}
    if len(changes) > _MOST_CHANGES:
        raise refusal(problem("too many changes", key="changes", allowed=f"up to {_MOST_CHANGES} in one run"))
    parts = [panel.text]
    for change in changes:
        at_s, values = _checked(change, known)
        tables: dict[tuple[str, str], list[str]] = {}
        for key, value in values.items():
            field = known[key]
            tables.setdefault((field.change, field.of), []).append(_setting(field, value))
        for (kind, of), settings in tables.items():
            parts.append(f'\n[[change]]\nat = "{at_s:g} s"\n{kind} = {_table(kind, of, settings)}\n')
    return "".join(parts)


def _on_screen(fields: Sequence[_Field], problems: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Problems of a scenario as an operator meets them: at fields of the screen, without places in a file.

    >>> target = _Field("A.target", "TARGET CPU PERCENTAGE", "1-100", "target", "partition", "A", "50", "%")
    >>> _on_screen([target], [problem("too much", key="change[1].partition.target", line=9)])[0]["key"]
    'TARGET CPU PERCENTAGE'
    """
    labels = {field.setting or field.key: field.label for field in fields}
    kept = ("what", "why", "allowed", "nearest", "remedy")
    return [
        problem(**{name: each[name] for name in kept}, key=labels.get(str(each["key"]).rpartition(".")[2], ""))
        for each in problems
    ]


def _setting(field: _Field, value: str) -> str:
    return f"{field.setting} = {field.written(value)}" if field.setting else field.written(value)


def _table(kind: str, of: str, settings: Sequence[str]) -> str:
    """The value of a change: the setting itself, or an inline table that begins with its partition."""
    if not of:
        return settings[-1]
    owner = "name" if kind == "partition" else "partition"
    return f"{{ {owner} = {json.dumps(of)}, {', '.join(settings)} }}"


def _checked(change: Any, known: Mapping[str, _Field]) -> tuple[float, dict[str, str]]:
    at_s = change.get("at_s") if isinstance(change, dict) else None
    values = change.get("values") if isinstance(change, dict) else None
    if not isinstance(at_s, int | float) or isinstance(at_s, bool) or not math.isfinite(at_s) or at_s < 0:
        raise refusal(problem("not an instant", key="at_s", allowed="seconds from 0 on"))
    if not isinstance(values, dict) or not values:
        raise refusal(problem("nothing is changed", key="values", allowed=", ".join(known)))
    for key, value in values.items():
        if key not in known:
            raise refusal(problem("no such field", key=key, allowed=", ".join(known), nearest=nearest(key, known)))
        field = known[key]
        if not isinstance(value, str) or not 0 < len(value.strip()) <= _LONGEST_VALUE:
            raise refusal(problem("not a value", key=field.label, allowed=field.hint))
        if not field.words and not _NUMBER.fullmatch(value.strip()):
            raise refusal(problem(f"not a number: {value.strip()}", key=field.label, allowed=field.hint))
    return float(at_s), {key: value.strip() for key, value in values.items()}


def _column(tables: _Tables, table: str, name: str, **rows: Any) -> list[float | None]:
    """A column of the rows with these values, interval by interval.

    >>> _column({"t": {"interval": [0, 0], "of": ["a", "b"], "x": [1.0, 2.0]}}, "t", "x", of="b")
    [2.0]
    """
    own = tables[table]
    wanted = [at for at in range(len(own["interval"])) if all(own[key][at] == value for key, value in rows.items())]
    return [own[name][at] for at in wanted]


_PERCENT = "1-100"
_SHARES = {
    "target": ("TARGET CPU PERCENTAGE", "target_percent"),
    "maximum": ("MAXIMUM CPU PERCENTAGE", "maximum_percent"),
}
_PARAMETER = "scheduling_parameter"


def _mdf_fields(view: View) -> list[_Field]:
    """Target and maximum of each domain, and the scheduling parameter."""
    assert view.cec is not None
    found = [
        _Field(
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
    return [*found, _Field(_PARAMETER, "SCHEDULING PARAMETER", "1-5", "", _PARAMETER, "", value)]


def _mdf_screens(scenario: Scenario, fields: Sequence[_Field]) -> list[_Screen]:
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
                lines.append(_Line(row["field"], hint, field.key if field else "", row["value"]))
        found.append(_Screen("CA - CONFIGURATION ATTRIBUTES", f"Domain {number}, {domain}", lines))
    return found


def _scheduling(domains: Sequence[str], changed: dict[tuple[str, str], _Field]) -> _Screen:
    rows = []
    for number, domain in enumerate(domains):
        own = [changed[domain, label] for label, _ in _SHARES.values()]
        cells = [_Line(f"{field.label} of {domain}", field.hint, field.key) for field in own]
        rows.append([_Line("", value=str(number)), _Line("", value=domain), *cells, _Line("", field=f"{domain}.norm")])
    parameter = changed["", "SCHEDULING PARAMETER"]
    lines = [_Line(parameter.label, f"(IF P, {parameter.hint})", parameter.key)]
    return _Screen("SS - SET SYSTEM SCHEDULING", "", lines, ("DOMAIN #", "NAME", "TARG", "MAX", "NORM"), rows)


def _mdf_charts(tables: _Tables, view: View) -> list[_Chart]:
    """The share of each domain with its settings, its use of processors, and how long its I/O waits for a slice."""
    names = [partition.name for partition in view.partitions]

    def curves(counter: str) -> list[_Curve]:
        return [_Curve(name, _column(tables, "partitions", counter, partition=name)) for name in names]

    settings = [_Curve(f"target of {name}", (), f"{name}.target") for name in names]
    settings += [_Curve(f"maximum of {name}", (), f"{name}.maximum") for name in names]
    guests = list(dict.fromkeys(tables["guests"]["guest"]))
    return [
        _Chart("Share of the processors", "%", [*curves("dispatched_percent"), *settings]),
        _Chart("Processor time used, of one processor", "%", curves("cpu_percent")),
        _Chart("Ended I/O held until the domain is dispatched", "ms", curves("hold_ms")),
        _Chart(
            "Transaction time", "ms",
            [_Curve(guest, _column(tables, "guests", "transaction_ms", guest=guest)) for guest in guests],
        ),
    ]  # fmt: skip


def _mdf_together(now: Mapping[str, str], entered: Sequence[str]) -> list[Problem]:
    """Shares that contradict each other, each with the other field that has to change at the same Enter."""
    shares = {key: float(value) for key, value in now.items() if _NUMBER.fullmatch(value) and float(value) <= 100}
    targets = {key.removesuffix(".target"): share for key, share in shares.items() if key.endswith(".target")}
    labels = {key: label for key, (label, _) in _SHARES.items()}
    found = []
    for name, target in targets.items():
        maximum = shares.get(f"{name}.maximum", 100.0)
        if maximum >= target:
            continue
        other, within = ("maximum", f"{target:g} % to 100 %")
        if f"{name}.maximum" in entered and f"{name}.target" not in entered:
            other, within = ("target", f"up to {maximum:g} %")
        what = f"{name} has a maximum of {maximum:g} % below a target of {target:g} %"
        found.append(_together(labels["target"], what, f"{labels[other]} of {name}", within))
    total = sum(targets.values())
    if total > 100:
        others = [name for name in targets if f"{name}.target" not in entered] or [*targets][1:]
        rest = total - sum(targets[name] for name in others)
        within = f"up to {max(0.0, 100 - rest):g} %{' in all' if len(others) > 1 else ''}"
        what = f"the targets of all domains are {total:g} %"
        found.append(_together(labels["target"], what, f"{labels['target']} of {' and '.join(others)}", within))
    return found


def _together(key: str, what: str, other: str, within: str) -> Problem:
    return problem(what, key=key, remedy=f"change {other} too, before you press Enter: {within}")


_MDF = _Panel(
    "580-mdf",
    "580/MDF: System Scheduling and Configuration Attributes",
    "Partitioning Large Processors, figures 2 and 3",
    _mdf_fields,
    _mdf_screens,
    _mdf_charts,
    together=_mdf_together,
)


_WORDS = ("small", "medium", "large")
_SETTINGS = (
    ("cpupad", "CPUPAD", "0-6400", "%", ()),
    ("excessuse", "EXCESSUSE", "how much of what others leave it counts on", "", ("none", "low", "medium", "high")),
    ("unparking", "UNPARKING", "how many processors stay unparked", "", _WORDS),
    ("polarization", "POLARIZATION", "", "", ("horizontal", "vertical")),
    ("method", "DSPWDMETHOD", "how virtual processors are placed", "", ("reshuffle", "rebalance", "none")),
    ("slice", "DSPSLICE", "1-100", "ms", ()),
)


def _srm_fields(view: View) -> list[_Field]:
    """The settings of the one control program."""
    (partition,) = view.controlled
    assert partition.control_program is not None
    now = srm_settings(partition.control_program)
    return [
        _Field(key, label, hint, key, "srm", partition.name, now[key].removesuffix(unit).strip(), unit, words)
        for key, label, hint, unit, words in _SETTINGS
    ]


def _srm_screens(scenario: Scenario, fields: Sequence[_Field]) -> list[_Screen]:
    """One screen with a line per setting."""
    lines = [_Line(field.label, field.hint, field.key) for field in fields]
    return [_Screen("SET SRM", f"Control program of {fields[0].of}", lines)]


def _srm_charts(tables: _Tables, view: View) -> list[_Chart]:
    """Unparked processors, use of processors, dispatch vectors, and moves between them."""
    (partition,) = view.controlled

    def of(counter: str, label: str) -> _Curve:
        return _Curve(label, _column(tables, "control_programs", counter, partition=partition.name))

    return [
        _Chart("Unparked processors", "", [of("unparked", "unparked")]),
        _Chart(
            "Processor time, of one processor", "%",
            [of("total_percent", "all"), of("guests_percent", "guests"), of("nonchargeable_cp_percent", "CP")],
        ),
        _Chart(
            "Virtual processors that wait in a dispatch vector", "",
            [of("vector_depth", "mean over vectors")],
        ),
        _Chart("Dispatches on another processor than the last", "%", [of("moved_percent", "moved")]),
    ]  # fmt: skip


def _srm_processors(tables: _Tables, view: View) -> list[dict[str, Any]]:
    """The logical processors: polarity, parked and busy percent, and the depth of the dispatch vector, by interval."""
    (partition,) = view.controlled
    names = {"polarity": "polarity", "parked": "parked_percent", "busy": "busy_percent", "depth": "vector_depth"}
    return [
        {"number": number}
        | {
            key: _column(tables, "control_processors", name, partition=partition.name, number=number)
            for key, name in names.items()
        }
        for number in range(partition.logical_processors)
    ]


_SRM = _Panel(
    "set-srm",
    "z/VM: SET SRM",
    "z/VM HiperDispatch, Table 1 and its settings",
    _srm_fields,
    _srm_screens,
    _srm_charts,
    _srm_processors,
)


PANELS: Mapping[str, _Panel] = {panel.name: panel for panel in (_MDF, _SRM)}
"""The panels by name, in the order of the documents."""


def _panel(reporter: Reporter, name: str, changes: Sequence[Any] = (), **about: Any) -> dict[str, Any]:
    """The screens with their fields, the charts over all intervals, and the scenario with the changes.

    Raises InputError for a name or a change that cannot be, and RunError for a run that cannot go on.
    """
    from slicewright._core import InputError, Scenario
    from slicewright.values.errors import nearest, problem, refusal

    if name not in PANELS:
        raise refusal(problem("no such panel", key=name, allowed=", ".join(PANELS), nearest=nearest(name, PANELS)))
    own = PANELS[name]
    file = f"{name}.toml"
    fields = own.fields(Scenario.read(own.text.encode(), file).view)
    text = _with_changes(own, fields, changes)
    try:
        scenario = Scenario.read(text.encode(), file)
    except InputError as error:
        now = {field.key: field.value for field in fields}
        for change in changes:
            now |= change["values"]
        joint = own.together(now, [*changes[-1]["values"]])
        alone = _on_screen(fields, getattr(error, "problems", []))  # those with a reason are about several fields
        alone = [each for each in alone if not (joint and each["why"])]
        raise refusal(*joint, *alone) from error
    view = scenario.view
    tables = scenario.simulate(1, (0, 1), 1, 0.0, reporter.progress)
    return {
        "name": own.name,
        "title": own.title,
        "document": own.document,
        "fields": fields,
        "screens": own.screens(scenario, fields),
        "charts": own.charts(tables, view),
        "processors": own.processors(tables, view),
        "interval_s": view.measure.interval_s,
        "intervals": view.measure.intervals,
        "scenario": text,
        "file": file,
    }


def _panels(reporter: Reporter, **about: Any) -> dict[str, Any]:
    """Which panels there are: name, title and document of each."""

    listed = [{"name": each.name, "title": each.title, "document": each.document} for each in PANELS.values()]
    return {"panels": listed}


TASKS: dict[str, Task] = {"panels": Task(_panels), "panel": Task(_panel)}
