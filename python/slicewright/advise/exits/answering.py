"""How the question about exits is answered: from a scenario with ENQs, a table of rates, a day, or system calls."""

from __future__ import annotations

from slicewright.advise.answer import Request
from slicewright.advise.comparison import Comparison, Options
from slicewright.advise.exits.comparison import ExitAnswer, ExitCase, enqueuing, explore, measured
from slicewright.advise.exits.prices import constants
from slicewright.advise.exits.rates import ALLOWED, as_scenario, is_rates, read_rates
from slicewright.advise.exits.structures import SHORT, parse
from slicewright.advise.exits.words import explain, heading
from slicewright.advise.question import Files
from slicewright.advise.source import recorded
from slicewright.errors import Problem, nearest, problem, refusal
from slicewright.experiment.outcome import Outcome
from slicewright.experiment.plan import Plan, Precision
from slicewright.experiment.progress import Progress, silent
from slicewright.scenario.view import View

PRECISION = Precision(events=10_000, shortest_s=0.5, longest_s=60.0, most=10)
"""Events are pairs of ENQ and DEQ."""


def answer(files: Files, request: Request, progress: Progress = silent) -> list[ExitAnswer]:
    """An answer per partition whose guests enqueue, from one scenario or one table of rates; raises InputError."""
    rates = [file for file in files if not file[0].endswith(".toml") and is_rates(file[1])]
    if not rates:
        return COMPARISON.answer(files, request, progress)
    if len(files) > 1:
        other = next(file for file in files if file is not rates[0])
        raise refusal(problem("a second file", file=other[0], allowed=ALLOWED))
    name, data = rates[0]
    return COMPARISON.answer([(name, as_scenario(read_rates(data, name), name).encode())], request, progress)


def _asked(text: str, problems: list[Problem]) -> str | None:
    found = parse(text)
    if found is None:
        known = list(SHORT.values())
        near = nearest(text.lower(), known)
        problems.append(problem(f"no way through exits: {text}", key="at", allowed=", ".join(known), nearest=near))
    return found


def _refusals(view: View, file: str, request: Request) -> list[Problem]:
    if enqueuing(view):
        return recorded(
            view, file, "structures are compared over a simulated time of their own; a recording covers a fixed time"
        )
    why = "exits cost time only where programs issue ENQ and DEQ"
    allowed = '[serialization], [[enqueue]], and { enq = "NAME", do = [...] } in the program of a partition\'s guest'
    return [problem("no ENQ to advise on", file=file, key="enqueue", why=why, allowed=allowed)]


def _plan(pilot: Outcome, case: ExitCase, own: Plan) -> tuple[Plan, bool]:
    return PRECISION.plan(pilot.mean("pairs_per_s"), own)


COMPARISON = Comparison(
    options=Options(
        at=_asked,
        targets=(
            "cpu_percent", "cpu_us_per_pair", "elapsed_us_per_pair", "lock_held_percent", "lock_wait_us", "pairs_per_s",
        ),
        # ASSUME: a difference in processor time of less than this is none.
        knobs={"least": 1.0},
        example='serialization.answer="2 ms"',
    ),
    pages=("it does not contain requests and their rates", ALLOWED),
    subjects=enqueuing,
    refusals=_refusals,
    heading=heading,
    now=lambda partition: partition.now,
    asked=lambda partition, request: request.at,
    changes=lambda partition, structure: [f'serialization.exits="{structure}"'],
    measured=measured,
    pilot=lambda partition: Plan(0.5, 0.1, 2),
    plan=_plan,
    constants=lambda scenario, partition: constants(scenario),
    explore=explore,
    explain=explain,
)  # fmt: skip
