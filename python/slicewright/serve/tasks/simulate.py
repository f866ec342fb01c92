"""The tasks of an experiment: a look at one setting, a look at a pinned one beside it, and a run in full."""

from __future__ import annotations

import base64
import functools
import io
import os
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import scenario_files
from slicewright.experiment.plan import Plan
from slicewright.report.html import embedded
from slicewright.serve.look import STEPS, Look
from slicewright.serve.reporter import Reporter
from slicewright.statistics import plural, seconds

if TYPE_CHECKING:
    from slicewright.run.run import Run

Setting = tuple[str, tuple[str, ...], str]
"""The text of a scenario, the changes on top of it, and the folder of the files that it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The arguments of a look or a run, as the page sends them."""

    text: str
    changes: Sequence[str]
    """Changes on top of the text, as `--set` takes them."""
    folder: str = "."
    pinned: Sequence[Any] = ()
    """The text and the changes of the pinned setting."""
    ask: int = 0
    """The number that the page gave; parts and results carry it."""
    pace_s: float = 0.0
    """The length of the first interval, which a part has given before: settings of a slider share random numbers."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Asked:
        """The arguments that are known; others are for people."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in arguments.items() if name in names})

    @property
    def looks(self) -> list[Look]:
        """The looks at the pinned setting, if there is one, and at the setting itself."""
        settings = [(self.pinned[0], self.pinned[1])] if self.pinned else []
        settings.append((self.text, self.changes))
        return [_look((text, tuple(changes), self.folder)) for text, changes in settings]


def simulate(reporter: Reporter, **arguments: Any) -> dict[str, Any]:
    """Look at a setting: parts with headline, tables and step, at the end figure and report.

    Each has the changes that it was asked with, as the page may have others by then.
    Arguments are those of `Asked`.  Raises InputError and RunError.
    """
    from slicewright.serve.shown import figure, measures, tables

    asked = Asked.of(arguments)
    looks = asked.looks
    pace_s = asked.pace_s or looks[0].pace()
    for (run,), plan in _steps(reporter, looks, pace_s):
        part = {"ask": asked.ask, "changes": asked.changes, "pace_s": pace_s, "step": _said(plan)}
        reporter.part(part | {"measures": measures(run), "tables": tables(run)})
    return {"ask": asked.ask, "changes": asked.changes, "figure": figure(run), "html": embedded(run.report())}


def pair(reporter: Reporter, **arguments: Any) -> dict[str, Any]:
    """Look at a setting and at a pinned one with common random numbers; parts have the paired differences too.

    Arguments are those of `Asked`.  Raises InputError and RunError.
    """
    from slicewright.compare.compare import compare
    from slicewright.serve.shown import differences, figure, measures, tables

    asked = Asked.of(arguments)
    looks = asked.looks
    pace_s = asked.pace_s or looks[-1].pace()
    for (before, after), plan in _steps(reporter, looks, pace_s):
        both = compare(before, after)
        part = {"ask": asked.ask, "changes": asked.changes, "pace_s": pace_s, "step": _said(plan)}
        part |= {"pinned": measures(before), "pinned_changes": asked.pinned[1]}
        reporter.part(part | {"measures": measures(after), "tables": tables(after), "differences": differences(both)})
    return {"ask": asked.ask, "changes": asked.changes, "figure": figure(after), "html": embedded(both.report())}


def full(reporter: Reporter, **arguments: Any) -> dict[str, Any]:
    """A run as the scenario says that it is measured: its report, and its run directory as a ZIP file in base 64.

    With a pinned setting there are two run directories, and the report compares them.  Arguments are those of `Asked`.
    Raises InputError and RunError.
    """
    from slicewright.compare.compare import compare
    from slicewright.experiment.progress import piece
    from slicewright.run.run import run

    asked = Asked.of(arguments)
    os.chdir(asked.folder)
    wanted = {"pinned": (asked.pinned[0], asked.pinned[1])} if asked.pinned else {}
    wanted["run"] = (asked.text, asked.changes)
    runs = {
        name: run(text.encode(), set=list(changes), progress=piece(reporter.progress, at, len(wanted)))
        for at, (name, (text, changes)) in enumerate(wanted.items())
    }
    report = compare(runs["pinned"], runs["run"]).report() if asked.pinned else runs["run"].report()
    return {"html": embedded(report), "zip": base64.b64encode(_zipped(runs)).decode()}


def _zipped(runs: dict[str, Run]) -> bytes:
    """Run directories as a ZIP file; entries have one date, so that the same runs give the same bytes."""
    data = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, run in runs.items():
            run.save(Path(folder, name))
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return data.getvalue()


@functools.lru_cache(maxsize=4)
def _cached(setting: Setting) -> Look:
    return Look.of(*setting)


def _look(setting: Setting) -> Look:
    """The look at a setting; that of a pinned one is kept, unless files are read that may have changed."""
    found = _cached(setting)
    reads = found.recordings or scenario_files(setting[0].encode(), "scenario.toml", list(setting[1]))
    return Look.of(*setting) if reads else found


def _steps(reporter: Reporter, looks: Sequence[Look], pace_s: float) -> Iterator[tuple[list[Run], Plan]]:
    """The runs of all looks, step by step; the plans are those of the last look, for all of them."""
    plans = list(looks[-1].plans(pace_s))
    for at, plan in enumerate(plans):
        runs: list[Run] = []
        for look in looks:
            for done, run in look.batches(plan):
                share = (len(runs) + done / plan.replications) / len(looks)
                reporter.progress((at + share) / max(len(plans), len(STEPS)))
                if run is not None:
                    runs.append(run)
        yield runs, plan


def _said(plan: Plan) -> str:
    """A step in words.

    >>> _said(Plan(0.2, 0.1, 4))
    '4 replications of 0.2 s after a warm-up of 0.1 s'
    """
    length, cut = seconds(plan.interval_s), seconds(plan.warm_up_s)
    return f"{plural(plan.replications, 'replication')} of {length} after a warm-up of {cut}"
