"""The task of panels: the screens of a document, and its scenario simulated with the changes of the operator so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from slicewright.serve.reporter import Reporter


def panel(reporter: Reporter, name: str, changes: Sequence[Any] = (), **about: Any) -> dict[str, Any]:
    """The screens with their fields, the charts over all intervals, and the scenario with the changes.

    Raises InputError for a name or a change that cannot be, and RunError for a run that cannot go on.
    """
    from slicewright._core import InputError, Scenario
    from slicewright.errors import nearest, problem, refusal
    from slicewright.serve.panels.listed import PANELS
    from slicewright.serve.panels.panel import on_screen, with_changes

    if name not in PANELS:
        raise refusal(problem("no such panel", key=name, allowed=", ".join(PANELS), nearest=nearest(name, PANELS)))
    own = PANELS[name]
    file = f"{name}.toml"
    fields = own.fields(Scenario.read(own.text.encode(), file).view)
    text = with_changes(own, fields, changes)
    try:
        scenario = Scenario.read(text.encode(), file)
    except InputError as error:
        raise refusal(*on_screen(fields, getattr(error, "problems", []))) from error
    view = scenario.view
    tables = scenario.simulate(1, (0, 1), 1, 0.0, reporter.progress)
    return {
        "name": own.name,
        "title": own.title,
        "document": own.document,
        "fields": [asdict(field) for field in fields],
        "screens": [asdict(screen) for screen in own.screens(scenario, fields)],
        "charts": [asdict(chart) for chart in own.charts(tables, view)],
        "processors": own.processors(tables, view),
        "interval_s": view.measure.interval_s,
        "intervals": view.measure.intervals,
        "scenario": text,
        "file": file,
    }


def panels(reporter: Reporter, **about: Any) -> dict[str, Any]:
    """Which panels there are: name, title and document of each."""
    from slicewright.serve.panels.listed import PANELS

    listed = [{"name": each.name, "title": each.title, "document": each.document} for each in PANELS.values()]
    return {"panels": listed}
