"""How the question about polarization is answered: the settings of each partition, compared in simulations."""

from __future__ import annotations

from dataclasses import replace

from slicewright.advise.answer import Case, Request
from slicewright.advise.comparison import Comparison, Options
from slicewright.advise.controlled import Controlled, constants, controlled, settling_s
from slicewright.advise.polarization.comparison import Measured, explore, measured
from slicewright.advise.polarization.report import explain, heading
from slicewright.advise.polarization.setting import ALLOWED, SMALL, Setting, Wanted, parse, wanted
from slicewright.advise.source import recorded
from slicewright.experiment.plan import Plan, Precision
from slicewright.scenario.view import View
from slicewright.values.errors import Problem, nearest, problem

PRECISION = Precision(events=100_000, shortest_s=8.0, longest_s=60.0, most=10, worth=4_000_000)
"""Events are dispatches."""


def _asked(text: str, problems: list[Problem]) -> Wanted | None:
    found = parse(text)
    if found is None:
        why = "a bare number is a count of logical processors, one with % a CPUPAD"
        allowed = (
            "horizontal, 'vertical rebalance', 'CPUPAD 300 %', 'UNPARKING SMALL', 6, or several: 'rebalance, 300 %, 6'"
        )
        near = nearest(text, ("horizontal", "vertical", "rebalance", "reshuffle", "CPUPAD", "UNPARKING"))
        problems.append(problem(f"not a setting: {text}", key="at", why=why, allowed=allowed, nearest=near))
    return found


def _refusals(view: View, file: str, request: Request) -> list[Problem]:
    partitions = controlled(view)
    found = [
        problem(
            f"no guest in partition {partition.name}", file=file, key="guest",
            why="without virtual processors to dispatch, all settings are equal",
            allowed="virtual_machine = a kind of its virtual machines",
        )
        for partition in partitions if not partition.guests
    ]  # fmt: skip
    if not partitions:
        why = "polarization is a setting of a control program"
        allowed = "a [[partition]] with control_program = { }, and [[virtual_machine]] in it; slicewright new zvm"
        found.append(problem("no control program to advise on", file=file, key="partition", why=why, allowed=allowed))
    return found + recorded(
        view, file, "settings are compared over a simulated time of their own; a recording covers a fixed time"
    )


def plan(pilot: Measured, case: Case[Controlled, Setting], own: Plan) -> tuple[Plan, bool]:
    """How long to simulate, from a pilot: about `PRECISION.events` dispatches, no longer than the scenario's own plan.

    The controller gets all the time that it needs where T/V may reach its threshold, or where a setting parks by need
    whatever T/V is. Else it gets five decisions, as each places anew.
    """
    asked = any(dict(setting).get("unparking") == SMALL for setting in case.request.at)
    settles = settling_s(pilot.mean("tv_ratio"), case.subject, asked or case.now.unparking == SMALL)
    shortest = max(PRECISION.shortest_s, 4 * case.subject.controller.every_s)
    longest = max(PRECISION.longest_s, shortest)
    precision = replace(PRECISION, shortest_s=shortest, longest_s=longest, settles_s=settles)
    found, dear = precision.plan(pilot.mean("dispatches_per_s"), own)
    return replace(found, warm_up_s=float(f"{found.warm_up_s:.3g}")), dear


COMPARISON = Comparison(
    options=Options(
        at=_asked,
        targets=("work_percent", "total_percent", "tv_ratio", "unparked", "ready"),
        # ASSUME: a difference in work, or in processor time, below `loss` counts as none. More wait for a processor
        # than `wait`, of the time that guests run, is too much.
        knobs={"loss": 1.0, "wait": 10.0},
        example='cec.machine="z10"',
    ),
    pages=("it describes one setting, not the behaviour of guests under another", ALLOWED),
    subjects=controlled,
    refusals=_refusals,
    heading=heading,
    now=lambda partition: partition.now,
    asked=lambda partition, request: [wanted(partition.now, setting) for setting in request.at],
    changes=lambda partition, setting: setting.changes(partition.name, partition.now, partition.physical),
    measured=measured,
    pilot=lambda partition: Plan(3 * partition.controller.every_s, 3 * partition.controller.every_s, 1),
    plan=plan,
    constants=constants,
    explore=explore,
    explain=explain,
    words=Setting.words,
)
