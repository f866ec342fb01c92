"""An answer about slices from a scenario: its load is given, so there is one reading."""

from __future__ import annotations

from collections.abc import Callable

from slicewright._core import Scenario
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.build import Case, Given, build
from slicewright.advise.slices.machine import Machine, machine_of
from slicewright.advise.slices.request import MARGIN_PERCENT, SliceRequest
from slicewright.advise.source import doubts, grown, recorded
from slicewright.errors import Problem, problem, refusal
from slicewright.scenario.view import View

COMPARED = "the curve simulates other slices over a time of its own; a recording covers a fixed time"
"""Why recorded arrivals are refused."""


def answer_scenario(
    data: bytes, file: str, question: SliceRequest, progress: Callable[[float], None] = lambda share: None
) -> SliceAnswer:
    """The answer for the machine as it was built; raises InputError where no partitions share it in slices.

    >>> from slicewright._core import starter
    >>> found = answer_scenario(starter("two-domains").encode(), "two-domains.toml", SliceRequest())
    >>> found.recommendation.parameter
    5
    """
    scenario = Scenario.read(data, file)
    machine = machine_of(scenario.view)
    wrong = _options(question, file) + _nothing_to_share(machine, file) + recorded(scenario.view, file, COMPARED)
    if wrong or machine is None:
        raise refusal(*wrong)
    changes = scenario.view.changes
    changed = ("changes during the run are ignored: advice is for the machine as defined",) if changes else ()
    steady, stated = scenario.without_changes(), scenario.given("cec.switch") != "default"
    given = Given(
        (file,), f"{file}  scenario", (Case("given", "as the scenario has it", steady),), now=True, switch_told=stated,
        facts=("the scenario gives the load: one reading",),
        open=("slicewright explain lists the sources of the scenario's numbers", *_dedicated(scenario.view), *changed,
              *doubts(grown(steady, question.growth))),
        headroom=True,
    )  # fmt: skip
    return build(given, machine, question, progress)


def _options(question: SliceRequest, file: str) -> list[Problem]:
    assumed = question.assumed
    given = {
        "slices": question.slice_ms is not None,
        "share": bool(question.shares),
        "assume partitions": assumed.partitions is not None,
        "assume processors": assumed.processors is not None,
        "assume busy": bool(assumed.busy),
        "assume slih": assumed.slih_ms is not None,
        "assume service": assumed.service is not None,
        "assume arrivals": assumed.arrivals is not None,
        "assume margin": assumed.margin_percent != MARGIN_PERCENT,
    }
    why = "the scenario gives it: change it there, or compare other slices with --at"
    return [
        problem("does not apply to a scenario", file=file, key=key, why=why) for key, there in given.items() if there
    ]


def _nothing_to_share(machine: Machine | None, file: str) -> list[Problem]:
    if machine is None:
        why = "partitions share processors in slices"
        allowed = (
            "[cec] with processors and a slice, and two or more [[partition]] in mode MP; slicewright new two-domains"
        )
        return [problem("no slices to advise on", file=file, key="cec", why=why, allowed=allowed)]
    if len(machine.domains) < 2:
        why = "a partition that shares with no other never waits for a processor"
        return [
            problem("no slices to advise on", file=file, key="partition", why=why, allowed="two or more in mode MP")
        ]
    if not machine.devices:
        why = "advise slices measures how long ended I/O waits for a slice"
        allowed = "[[volume]] with partition = the name of one in mode MP"
        return [problem("no volume of a partition in slices", file=file, key="volume", why=why, allowed=allowed)]
    return []


def _dedicated(view: View) -> tuple[str, ...]:
    own = [partition.name for partition in view.partitions if partition.dedicated]
    names = {partition.name for partition in view.partitions} - set(own)
    elsewhere = [volume.name for volume in view.volumes if volume.partition not in names]
    lines = []
    if own:
        lines.append(f"{', '.join(own)}: processors of its own, no slices")
    if elsewhere:
        lines.append(f"{len(elsewhere)} volumes belong to no partition with slices: ignored")
    return tuple(lines)
