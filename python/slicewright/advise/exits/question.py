"""The question about installation exits: one scenario with ENQs, or one table of request rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from slicewright.advise.answer import Request, reading_scenarios
from slicewright.advise.comparison import Comparison, Options
from slicewright.advise.day import Day
from slicewright.advise.exits.comparison import ExitAnswer, ExitCase, enqueuing, explore, measured
from slicewright.advise.exits.day_answer import DayExitAnswer, answer_day, missing
from slicewright.advise.exits.day_report import document as day_document
from slicewright.advise.exits.day_report import report as day_report
from slicewright.advise.exits.filter_report import document as filter_document
from slicewright.advise.exits.filter_report import report as filter_report
from slicewright.advise.exits.filters import FilterAnswer, answer_filters, is_filtering
from slicewright.advise.exits.prices import constants
from slicewright.advise.exits.rates import as_scenario, is_rates, read_rates
from slicewright.advise.exits.report import document, report
from slicewright.advise.exits.structures import SHORT, parse
from slicewright.advise.exits.words import explain, heading
from slicewright.advise.question import Files, OfDay, Question
from slicewright.advise.source import recorded
from slicewright.errors import Problem, nearest, problem, refusal
from slicewright.experiment.outcome import Outcome
from slicewright.experiment.plan import Plan, Precision
from slicewright.experiment.progress import Progress, silent
from slicewright.scenario.view import View

ALLOWED = "one scenario with [[enqueue]], or one table of rates: qname,rname,scope,pairs_per_s"
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


def _answer(files: Files, request: Request, progress: Progress) -> Sequence[ExitAnswer] | Sequence[FilterAnswer]:
    """The filter of system calls where tools of Linux counted these, else exits of ENQ and DEQ."""
    return answer_filters(files, request) if is_filtering(files) else answer(files, request, progress)


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


def _scenarios(found: ExitAnswer) -> Iterator[tuple[str, str]]:
    """Each structure and each reading."""
    for point in found.points:
        yield f"{point.variant}.toml", point.text
    yield from reading_scenarios(found.readings)


def _of_day(day: Day, request: Request, progress: Progress) -> list[DayExitAnswer]:
    """The answer on a day: each group is asked as a table of rates is."""

    def ask(world: bytes, asked: Request, part: Progress) -> ExitAnswer:
        return COMPARISON.answer([(day.name, world)], asked, part)[0]

    return answer_day(day, request, progress, ask)


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
QUESTION: Question[Request, Any] = Question(
    name="exits",
    asks="Which structure of installation exits takes the least processor time for your ENQs and DEQs?",
    files=f"{ALLOWED}; monitor data of a day; or strace -c or perf trace -s of a program, a"
    " seccomp profile, and a directory of live hooks",
    example="advise exits rates.csv --growth 20%",
    help={
        "at": "Structure of exits to mark in the table: batch, pooled, single area.",
        "growth": "Growth of the request rate: 20%, or 1.2x.",
        "target": "Name the structures that meet this condition: 'cpu_us_per_pair <= 150'.",
        "assume": "Smallest difference that counts (least=1%), or a key: 'serialization.answer=\"2 ms\"'.",
    },
    fits=lambda view: "resources that are enqueued on" if view.enqueues else "",
    reads=lambda files: any(is_rates(data) for _, data in files) or is_filtering(files),
    check=lambda files, options: COMPARISON.check(options),
    answer=_answer,
    document=lambda found: filter_document(found) if isinstance(found, FilterAnswer) else document(found),
    report=lambda found: filter_report(found) if isinstance(found, FilterAnswer) else report(found),
    scenarios=lambda found: iter(()) if isinstance(found, FilterAnswer) else _scenarios(found),
    alone=lambda found: "" if isinstance(found, FilterAnswer) else found.point(found.recommendation or found.now).text,
    alone_is="the scenario of the recommended structure",
    lead=lambda found: "" if isinstance(found, FilterAnswer) else found.subject.name,
    day=OfDay(
        records="72-5 (rate of ENQ and DEQ); 77-1 gives contention by name",
        missing=missing,
        answer=_of_day,
        document=day_document,
        report=day_report,
        scenarios=lambda found: _scenarios(found.hardest.answer),
        alone=lambda found: found.hardest.answer.point(found.recommendation or found.hardest.answer.now).text,
    ),
)
