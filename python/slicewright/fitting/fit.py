"""A fit: the scenario of a measured day, how certain its numbers are, and whether it predicts what it was not shown."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from slicewright._core import Scenario, __version__
from slicewright.advise.day import refuse_pages
from slicewright.fitting.estimate import Names, Service
from slicewright.fitting.evidence import (
    ALLOWED,
    Evidence,
    Period,
    Split,
    Targets,
    gathered,
    known_intervals,
    periods,
    targets,
)
from slicewright.fitting.model import plan_for
from slicewright.fitting.predict import Outcome, outcome
from slicewright.fitting.readings import Remaining, estimated, remaining
from slicewright.fitting.report import fit_report, glance
from slicewright.measured.loading import load
from slicewright.measured.measured import Measured
from slicewright.measured.read import read
from slicewright.measured.tables import when
from slicewright.report.model import Report
from slicewright.report.shown import Reported
from slicewright.scenario.left_open import FITTED
from slicewright.statistics import plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.files import refuse_unwritable, write_whole
from slicewright.values.files import shown as shown_name
from slicewright.values.parameters import (
    check,
    kind_problem,
    path_problem,
    progress_problem,
    text_problem,
    whole_problem,
)
from slicewright.values.progress import Progress, silent

MARK = FITTED
"""The first bytes of a written scenario: a later fit may replace it."""

_FINAL_IOS = 100_000
_FINAL_REPLICATIONS = 5
"""I/Os of a median volume in the simulation that is judged, and its replications."""

_SEARCHED = 0.9
"""The share of the time that the search takes."""

_MOST_ALIASES = 254

_Source = Measured | str | os.PathLike[str]


@dataclass(frozen=True, slots=True, repr=False)
class Fit(Reported):
    """A fitted scenario: `text` in TOML, `scenario` ready to run, `predicts` for the verdict, `outcome` for each value.

    >>> from tests.fitting.fit_example import fit
    >>> fit().predicts, fit().scenario.name
    (True, 'LABSYS as fitted')
    """

    measured: Measured
    evidence: Evidence
    split: Split
    periods: tuple[Period, ...]
    targets: Targets
    services: tuple[Service, ...]
    """Of each group."""
    outcome: Outcome
    left_open: Remaining
    text: str
    """The scenario in TOML, with a copy of the volumes for each period."""

    @property
    def predicts(self) -> bool:
        """Whether the fit predicts the intervals that it was not shown."""
        return self.outcome.predicts

    @property
    def scenario(self) -> Scenario:
        """The scenario, read and checked."""
        return Scenario.read(self.text.encode(), f"{self.measured.name} as fitted")

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the scenario; an earlier fit of the same name is replaced.

        Raises InputError when the name belongs to anything else, OSError as `open`.
        """
        refuse_other(file)
        write_whole(file, self.text.encode())

    def report(self) -> Report:
        """The fit as a report."""
        return fit_report(self)

    def glances(self) -> Sequence[Report]:
        """The verdict, and the figure of the day."""
        return [glance(self)]


def fit(
    source: _Source,
    *,
    shown: str | None = None,
    aliases: Mapping[str, int] | None = None,
    system: str | None = None,
    progress: Progress = silent,
) -> Fit:
    """The fit of a source: parameters and errors are those of `slicewright.fit`."""
    check(*_problems(source, shown, aliases, system), progress_problem(progress))
    measured = _measured(source, system)
    split = Split.of(len(measured.starts_us), shown, measured.name)
    evidence = gathered(measured, split.shown, aliases or {})
    split = split.among(known_intervals(measured))
    parts = tuple(periods(evidence, split, measured.starts_us))
    of = f"{measured.name}, {len(split.shown)} of {plural(len(measured.starts_us), 'interval')}"
    names = Names(measured.name, of)
    services, pools = estimated(evidence, parts, lambda share: progress(_SEARCHED / 2 * share))
    left = remaining(pools, names)
    progress(_SEARCHED)
    aimed = targets(evidence, parts)
    guests = np.array([volume.population for volume in left.model.volumes])
    plan = plan_for(aimed.io_per_s, guests, _FINAL_IOS, _FINAL_REPLICATIONS)
    chosen = left.noted(names)
    judged = outcome(evidence, split, parts, aimed, chosen.simulated(plan))
    progress(1.0)
    tally = judged.tally
    verdict = "predicts" if judged.predicts else "DOES NOT predict"
    lines = [
        f"{MARK.decode().removeprefix('# ')}{__version__} to {measured.name}, {measured.origin}.",
        f"Shown: {plural(len(split.shown), 'interval')}; {split.rule}.",
        f"The fit {verdict} the held-out intervals: {tally.matches} of {tally.scored} values lie in their bands.",
        "Assumed: connect and think times are exponential, paths are shared evenly, a freed alias goes to the pool.",
        f"Not identified: {left.words or 'nothing that was tried'}.",
        "The values are those of one reading; each [[reading]] below reproduces the shown intervals as well.",
    ]
    if len(parts) > 1:
        lines += ["", "Periods of one level of load; each has its copy of the volumes, with its clock in their names:"]
        lines += [
            f"  @{part.tag}  {when(measured.starts_us[part.shown[0]])} to {when(measured.ends_us[part.shown[-1]])}, "
            f"{plural(len(part.shown), 'interval')} shown"
            for part in parts
        ]
    head = (*lines, "")
    scenario = replace(chosen, remarks=head, tables=left.tables(judged.predicts)).text(plan)
    return Fit(measured, evidence, split, parts, aimed, services, judged, left, scenario)


def refuse_other(file: str | os.PathLike[str]) -> None:
    """Raise InputError unless the name is free or an earlier fit, or OSError where it cannot be written.

    >>> refuse_other("scenario.toml")
    """
    refuse_unwritable(file)
    path = Path(file)
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as stream:
            ours = stream.read(len(MARK)) == MARK
        if not ours:
            allowed = "a new name, or a scenario that fit has written"
            raise refusal(problem("holds something else", file=shown_name(file), key="out", allowed=allowed))


def _problems(source: object, shown: object, aliases: object, system: object) -> list[Problem | None]:
    found = [None if isinstance(source, Measured) else path_problem("source", source, "a Measured, or a path")]
    found.append(None if shown is None else text_problem("shown", shown, ALLOWED))
    found.append(None if system is None else text_problem("system", system, "the name of a system"))
    wrong = None if aliases is None else kind_problem("aliases", aliases, Mapping, 'a mapping, {"0001": 8}')
    found.append(wrong)
    if wrong is None and isinstance(aliases, Mapping):
        found += [text_problem("aliases", pool, "the name of a pool") for pool in aliases]
        found += [whole_problem(f"aliases[{pool!r}]", count, 0, _MOST_ALIASES) for pool, count in aliases.items()]
    return found


def _measured(source: _Source, system: str | None) -> Measured:
    """The measured run of a directory or a file."""
    if isinstance(source, Measured):
        return source
    if not _is_directory(source):
        return read([source]).of(system)
    found = load(source)
    if isinstance(found, Measured):
        refuse_pages(found, shown_name(source))
        return found
    why = "a fit is of measured intervals, and a simulated run has its scenario"
    remedy = "slicewright report --format monwrite writes a run as monitor data, slicewright read reads them"
    raise refusal(problem("is a simulated run", file=shown_name(source), why=why, remedy=remedy))


def _is_directory(source: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a directory; one that the system refuses is not, and the reader names the reason."""
    try:
        return Path(source).is_dir()
    except OSError:
        return False
