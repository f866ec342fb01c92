"""How the question about yields is answered: the yields of each partition, compared in simulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.answer import Case, Request
from slicewright.advise.comparison import Comparison, Options
from slicewright.advise.controlled import settling_s
from slicewright.advise.source import recorded
from slicewright.advise.yields.comparison import Locked, Measured, asked_for, constants, explore, locked, measured
from slicewright.advise.yields.report import explain, heading
from slicewright.advise.yields.yielding import ALLOWED, MOST_PROCESSORS, YIELDS, Asked, On, parse, wanted
from slicewright.experiment.plan import Plan, Precision
from slicewright.scenario.view import View
from slicewright.values.errors import Problem, nearest, problem

PRECISION = Precision(events=50_000, shortest_s=0.5, longest_s=30.0, most=6, worth=2_000_000)
"""Events are dispatches, acquisitions of locks and DIAGNOSEs."""


def _asked(text: str, problems: list[Problem]) -> Asked | None:
    found = parse(text)
    if found is None:
        why = "a bare number is a count of logical processors, a bare yield applies to every kind of virtual machine"
        allowed = f"1 to {MOST_PROCESSORS} processors, never, x44, x9c, sense-running, or by kind: 'CLIENT x9c'"
        near = nearest(text.split()[-1] if text.split() else "", YIELDS)
        what = f"neither processors nor yields: {text}"
        problems.append(problem(what, key="at", why=why, allowed=allowed, nearest=near))
    return found


def _refusals(view: View, file: str, request: Request) -> list[Problem]:
    """Without a control program, without spin locks in one, without a program that takes them."""
    partitions = locked(view)
    if not view.controlled:
        why = "a yield asks a control program to run another virtual processor"
        allowed = "a [[partition]] with control_program = { }, [[virtual_machine]] and [[spin_lock]] in it"
        return [problem("no control program to advise on", file=file, key="partition", why=why, allowed=allowed)]
    if not partitions:
        why = "a guest that never spins for a lock has no reason to yield"
        allowed = '[[spin_lock]] with virtual_machine = "NAME", and { lock = "NAME", steps = [...] } in a program'
        return [problem("no spin lock to advise on", file=file, key="spin_lock", why=why, allowed=allowed)]
    guests = [guest for partition in partitions for guest in partition.controlled.guests]
    taken = {step.lock for guest in view.guests if guest.name in guests for step in guest.every_step}
    allowed = '{ lock = "NAME", steps = [...] } in the program of a guest'
    found = [
        problem(
            f"no program takes a spin lock of partition {partition.name}",
            file=file, key="guest", why="no virtual processor would spin for it", allowed=allowed,
        )
        for partition in partitions
        if not taken & {lock for kind in partition.kinds for lock in kind.locks}
    ]  # fmt: skip
    found += [
        problem(
            f"virtual machine {kind.name} yields by {kind.yields}, which is not compared",
            file=file, key=f"virtual_machine.{kind.name}.yields",
            why="gains are divided by what each DIAGNOSE costs and saves, and one that halts issues none",
            allowed=f"{', '.join(YIELDS)}; `slicewright compare` compares two runs with any yields",
        )
        for partition in partitions
        for kind in partition.kinds
        if kind.yields not in YIELDS
    ]  # fmt: skip
    found += recorded(
        view, file, "yields are compared over a simulated time of their own; a recording covers a fixed time"
    )
    return found or _unknown(partitions, request)


def _unknown(partitions: Sequence[Locked], request: Request) -> list[Problem]:
    """Kinds of virtual machines that are asked for and have no spin locks."""
    found = []
    for asked in request.at:
        for partition in partitions:
            try:
                wanted(partition.yields, asked)
            except KeyError as error:
                kind = str(error.args[0])
                near, allowed = nearest(kind, partition.names), ", ".join(partition.names)
                what = f"no virtual machine with spin locks in {partition.name}: {kind}"
                found.append(problem(what, key="at", allowed=allowed, nearest=near))
    return found


def _changes(partition: Locked, on: On) -> list[str]:
    own = partition.controlled
    changes = [*on.yielding.changes()]
    if on.processors != own.now.processors:
        changes += [f"cec.processors={on.processors}"] if on.processors > own.physical else []
        changes.append(f"partition.{own.name}.logical_processors={on.processors}")
    return changes


def _plan(pilot: Measured, case: Case[Locked, On], own: Plan) -> tuple[Plan, bool]:
    """In vertical mode the control program's controller gets the time that it needs."""
    rate = sum(pilot.mean(name) for name in ("dispatches_per_s", "taken_per_s", "diagnoses_per_s"))
    controlled = case.subject.controlled
    small = controlled.now.unparking == "small"
    settles = settling_s(pilot.mean("tv_ratio"), controlled, small) if controlled.now.vertical else 0.0
    plan, dear = replace(PRECISION, settles_s=settles).plan(rate, own)
    return replace(plan, warm_up_s=float(f"{plan.warm_up_s:.3g}")), dear


COMPARISON = Comparison(
    options=Options(
        at=_asked,
        targets=("work_percent", "total_percent", "spinning_percent", "contended_percent", "wait_us", "ready"),
        # ASSUME: a difference in throughput of less than this is none.
        knobs={"least": 1.0},
        example="virtual_machine.CLIENT.spin_retry=0",
    ),
    pages=("no report has the time that guests hold locks, or their behaviour under another yield", ALLOWED),
    subjects=locked,
    refusals=_refusals,
    heading=heading,
    now=lambda partition: On(partition.yields, partition.processors),
    asked=lambda partition, request: asked_for(partition, request.at),
    changes=_changes,
    measured=measured,
    pilot=lambda partition: Plan(0.2, 0.3, 1),
    plan=_plan,
    constants=constants,
    explore=explore,
    explain=explain,
    words=On.words,
    # ASSUME: until vectors that began empty are as full as they will be.
    settles_s=1.0,
)
