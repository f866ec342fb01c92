"""The answer about a filter on system calls: its cost, and that of other structures for it: a list, a bitmap, a tree.

A seccomp profile is a hook on a hot path, as installation exits are: most calls need an answer that is known before.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.advise.answer import Advised, Request
from slicewright.advise.exits.profile import ANSWERS, Container, Profile, assumed_container, is_profile, read_profile
from slicewright.advise.exits.syscalls import ALLOWED, Call, is_syscalls, read_syscalls
from slicewright.advise.report import Parts, advice_report
from slicewright.live.kept import is_kept_hooks
from slicewright.report.json import fields, records
from slicewright.report.model import Block, Face, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns
from slicewright.serialization.hooks import HookPrices, hooked_ns
from slicewright.statistics import fixed, percent, plural
from slicewright.values.errors import Problem, gathered, problem, refusal

BORROWED = HookPrices(call_ns=0.0, path_ns=60.0, filter_ns=23.0, rule_ns=0.18)
"""ASSUME: the way into the filter, a filter, and a comparison in it, borrowed from one machine of two processors.
Source: docs/decisions/0052-readers-of-linux.md."""
_RANGE = 3.0
"""ASSUME: other machines have a third of these prices to three times of them."""
_LEAST = 0.01
"""Share of the time of the calls below which a structure makes no difference."""
_DOMINATE = 10
_SHOWN = 12
"""Names in a list of calls."""
_STRUCTURES = """
    structure
    programs  what cost_s
    cost_ns_per_call          | .0      | cost a call          | ns
    people    share ?         | percent | of the calls' time
    programs  share_of_time
    html      what            |         | -
"""
_CALLS = """
    call
    people    count           | right   | calls
    people    of_calls        | percent
    people    of_time ?       | percent
    programs  calls total_s share_of_calls share_of_time
    answered ?
    cost_ns ?                 | .0      | filter               | ns
"""


@dataclass(frozen=True, slots=True)
class Structure:
    """One structure: what it costs for all calls, in seconds, and per call of the mean."""

    name: str
    what: str
    cost_s: float
    each_ns: float
    share: float | None
    """Of the time of the calls; None where the tool did not measure it."""


@dataclass(frozen=True, slots=True)
class _CallLine:
    """A call that dominates: its share of calls and of time, and how the profile answers it."""

    call: Call
    of_calls: float
    of_time: float | None
    answered: str
    cost_ns: float | None
    """With a list as it is, a bitmap before it; None without a profile."""


@dataclass(frozen=True, slots=True)
class FilterAnswer(Advised):
    """The answer about one table of system calls."""

    lines: tuple[_CallLine, ...]
    structures: tuple[Structure, ...]
    recommendation: str | None = None
    container: Container | None = None
    """The container that the rules of the profile count for."""


def answer_filters(files: Sequence[tuple[str, bytes]], request: Request) -> list[FilterAnswer]:
    """The answer from one table of calls, at most one profile, and this machine's prices where `live hooks` kept them.

    Raises InputError with every problem.

    >>> text = b"% time     seconds  usecs/call     calls    errors syscall\\n 99.00 0.002 20 100 read\\n" \\
    ...     b"------ ----------- ----------- --------- --------- ----------------\\n100.00 0.002 20 100 total\\n"
    >>> answer_filters([("a.txt", text)], Request())[0].recommendation
    """
    problems: list[Problem] = []
    tables = [file for file in files if is_syscalls(file[1])]
    profiles = [file for file in files if is_profile(file[1])]
    results = [file for file in files if is_kept_hooks(file[1])]
    others = [file for file in files if file not in (*tables, *profiles, *results)]
    problems += [problem("neither calls nor a profile", file=name, allowed=ALLOWED) for name, _ in others]
    problems += [problem("a second table of calls", file=name, allowed="one") for name, _ in tables[1:]]
    problems += [problem("a second profile", file=name, allowed="one seccomp profile") for name, _ in profiles[1:]]
    problems += [problem("a second result of live hooks", file=name, allowed="one") for name, _ in results[1:]]
    if not tables:
        why = "it does not say how often a call is made"
        what = "a profile alone" if profiles else "prices alone"
        problems.append(problem(what, file=(profiles or results)[0][0], why=why, allowed=f"beside it {ALLOWED}"))
    given = {"at": request.at, "growth": request.growth != 1.0, "target": request.target}
    problems += [problem("has no effect on filters of calls", key=key) for key, value in given.items() if value]
    assumed = assumed_container(request.changes, problems)
    if request.changes and not profiles:
        problems.append(problem("has no effect without a seccomp profile", key="assume"))
    calls, profile, prices = [], [], []
    for name, data in tables[:1]:
        calls += gathered(problems, functools.partial(read_syscalls, data, name))
    for name, data in profiles[:1]:
        profile += gathered(problems, functools.partial(read_profile, data, name, assumed))
    for name, data in results[:1]:
        prices += gathered(problems, functools.partial(_own_prices, data, name))
    if problems:
        raise refusal(*problems)
    names = tuple(name for name, _ in files)
    return [_answer(names, calls[0], profile[0] if profile else None, prices[0] if prices else None)]


def _own_prices(data: bytes, file: str) -> HookPrices:
    from slicewright.live.hooks import HooksResult
    from slicewright.live.kept import parsed

    result = parsed(data, file)
    assert isinstance(result, HooksResult), "its kind was looked at before"
    return result.prices


def _answer(
    files: tuple[str, ...], calls: Sequence[Call], profile: Profile | None, measured: HookPrices | None
) -> FilterAnswer:
    count = sum(call.calls for call in calls)
    known = [call.total_s for call in calls if call.total_s is not None]
    total = sum(known) if len(known) == len(calls) else None
    own = measured or BORROWED
    prices = _prices(profile, [call.name for call in calls], own) if profile else {}
    now = "bitmap" if profile is None or profile.container.has_bitmap else "list"
    lines = tuple(_line(call, (count, total), profile, prices.get(now)) for call in calls[:_DOMINATE])
    heading = f"{files[0]}  {plural(count, 'call')} of {plural(len(calls), 'kind')}"
    first = calls[0]
    share = f"{percent(first.total_s / total, 0)} of the time" if total and first.total_s is not None else "most calls"
    facts = [f"{first.name} dominates: {share}, {percent(first.calls / count, 0)} of the calls"]
    caveats = ["strace stops the program at each call: its times are longer than without it, its counts are not"]
    if profile is None:
        reason = "no seccomp profile is among the files"
        own_profile = "the container's profile as JSON: linux.seccomp of its config.json, or the runtime's default"
        return FilterAnswer(
            lines, (), files=files, heading=heading, reason=reason, facts=tuple(facts), caveats=tuple(caveats),
            needed=(own_profile,),
        )  # fmt: skip
    found = tuple(_structure(name, prices[name], calls, (count, total)) for name in _WHAT)
    asked = sum(call.calls for call in calls if not profile.is_constant(call.name))
    facts.append(
        f"{percent(asked / count)} of the calls run the filter: their arguments decide, or they are not allowed"
    )
    facts += _conditions(profile)
    caveats += _doubts(profile, calls)
    words = f"{own.path_ns:.3g} ns for the way, {own.filter_ns:.3g} a filter, {own.rule_ns:.3g} a rule"
    if measured is None:
        caveats.append(f"{words} {_BORROWED}")
    else:
        facts.append(f"{words}: measured by live hooks")
    caveats.append("a container with several profiles (runtime, systemd, its own) runs all: add their costs")
    best = min(found, key=lambda structure: structure.cost_s)
    today = next(structure for structure in found if structure.name == now)
    reason = ""
    if not total:
        reason = "the calls have no times, so the share of these that a structure saves is not known"
    elif (today.cost_s - best.cost_s) / total * (_RANGE if measured is None else 1.0) < _LEAST:
        reason = f"no structure saves {percent(_LEAST, 0)} of the time of the calls on {_kernel(profile)}"
    needed = tuple([] if total else ["strace -c with times, or perf trace -s"])
    return FilterAnswer(
        lines, found, None if reason else best.name, profile.container, files=files, heading=heading, reason=reason,
        facts=tuple(facts), caveats=tuple(caveats), needed=needed, open=_open(profile),
    )  # fmt: skip


_BORROWED = (
    "are borrowed from another machine; a third to three times of these leave the order of the structures as it is; "
    "slicewright live hooks measures yours"
)


def _kernel(profile: Profile) -> str:
    """The kernels that an answer is about."""
    major, minor = profile.container.kernel
    return f"Linux {major}.{minor}" if "kernel" in profile.container.sources else "Linux 5.11 and later"


def _conditions(profile: Profile) -> list[str]:
    """The rules that count, and the container that they count for."""
    without = f"{ANSWERS[profile.default]} without one"
    found = [f"{plural(len(profile.rules), 'rule that counts', 'rules that count')}; {without}"]
    if profile.left_out:
        names = ", ".join(profile.left_out[:_SHOWN]) + (", ..." if len(profile.left_out) > _SHOWN else "")
        found.append(f"conditions do not hold of rules for {names}")
    return [*found, profile.container.words()]


def _doubts(profile: Profile, calls: Sequence[Call]) -> list[str]:
    """Keys of a profile without a known meaning, and calls that succeeded although it refuses them."""
    found = []
    if profile.unknown:
        keys = ", ".join(profile.unknown[:_SHOWN])
        found.append(f"{profile.file} has keys that are not counted, since a runtime does not know them: {keys}")
    refused = [call for call in calls if profile.answer(call.name) == "refused"]
    done = [call.name for call in refused if call.errors is not None and call.errors < call.calls]
    if done:
        names = ", ".join(done[:_SHOWN])
        found.append(
            f"calls that the profile refuses succeeded: {names}; they were counted under another profile, or in a "
            "container with other capabilities (--assume caps=...)"
        )
    return found


def _open(profile: Profile) -> tuple[str, ...]:
    """Questions that remain where a condition is not given."""
    if not profile.newer:
        return ()
    names = ", ".join(profile.newer[:_SHOWN])
    return (f"rules for {names} count or not with a newer kernel than 5.11: --assume kernel=...",)


_WHAT = {
    "list": "every call runs the list (Linux before 5.11, or a filter that the bitmap cannot hold)",
    "bitmap": "calls that are always allowed are answered by a bitmap, others run the list (Linux 5.11 and later)",
    "ordered": "a bitmap, and the list begins with the calls that are made most",
    "tree": "a bitmap, and a binary tree in place of the list (libseccomp: SCMP_FLTATR_CTL_OPTIMIZE 2)",
}


def _prices(profile: Profile, calls: Sequence[str], prices: HookPrices) -> dict[str, Mapping[str, float]]:
    """Of each structure the price of each of these calls in ns: what the engine's exits add to it."""
    first: dict[str, int] = {}
    compared: dict[str, int] = {}
    for at, rule in enumerate(profile.rules):
        first.setdefault(rule.name, at + 1)
        compared[rule.name] = compared.get(rule.name, 0) + rule.comparisons
    deepest = math.log2(max(2, len(first)))

    def added(comparisons: float | None) -> float:
        behind = () if comparisons is None else (comparisons,)
        return hooked_ns(prices, behind) - hooked_ns(prices, None)

    plain, ordered, tree = {}, {}, {}
    for name in calls:
        own = compared.get(name, 0)
        plain[name] = added(first[name] + own if name in first else len(profile.rules))
        ordered[name] = added(1 + own) if name in first else plain[name]
        tree[name] = added(deepest + own)
    known = {name: added(None) for name in calls if profile.is_constant(name)}
    if not profile.container.has_bitmap:
        return {"list": plain, "bitmap": {**plain, **known}, "ordered": ordered, "tree": tree}
    return {"list": plain, "bitmap": {**plain, **known}, "ordered": {**ordered, **known}, "tree": {**tree, **known}}


def _structure(
    name: str, prices: Mapping[str, float], calls: Sequence[Call], of: tuple[int, float | None]
) -> Structure:
    cost_s = sum(call.calls * prices[call.name] for call in calls) / 1e9
    count, total = of
    return Structure(name, _WHAT[name], cost_s, 1e9 * cost_s / count, cost_s / total if total else None)


def _line(
    call: Call, of: tuple[int, float | None], profile: Profile | None, prices: Mapping[str, float] | None
) -> _CallLine:
    count, total = of
    of_time = call.total_s / total if total and call.total_s is not None else None
    if profile is None or prices is None:
        return _CallLine(call, call.calls / count, of_time, "", None)
    return _CallLine(call, call.calls / count, of_time, profile.answer(call.name), prices[call.name])


def report(answer: FilterAnswer) -> Report:
    """The answer as a report."""
    blocks: list[Block] = []
    if answer.recommendation is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        best = next(structure for structure in answer.structures if structure.name == answer.recommendation)
        share = f", {percent(best.share)} of the time of the calls" if best.share is not None else ""
        cost = f"{fixed(best.each_ns, 0)} ns a call{share}"
        blocks += [Lead(f"The filter costs least as: {best.name}", cost), Paragraph(f"{best.what}.")]
    blocks += [_structures(answer), _calls(answer)]
    facts = [("structure", answer.recommendation or "none")]
    return advice_report(answer, Parts("System calls and their filter", "System calls", answer.heading, facts, blocks))


def document(answer: FilterAnswer) -> dict[str, Any]:
    """The answer as an object: recommendation (or null with `reason`), structures, calls, evidence, caveats."""
    assumed = {}
    if answer.container is not None:
        (major, minor), container = answer.container.kernel, answer.container
        assumed["assumed"] = {
            "arch": container.arch, "kernel": f"{major}.{minor}", "caps": sorted(container.caps),
            "given": dict(container.sources),
        }  # fmt: skip
    return fields(
        question="exits", files=list(answer.files), recommendation=answer.recommendation,
        **({"reason": answer.reason} if answer.recommendation is None else {}), needed=list(answer.needed), **assumed,
        structures=records(_structures(answer)), calls=records(_calls(answer)), evidence={"facts": list(answer.facts)},
        caveats=[*answer.open, *answer.caveats],
    )  # fmt: skip


def _structures(answer: FilterAnswer) -> Table[Structure]:
    values = {
        "structure": lambda each: each.name,
        "cost_ns_per_call": lambda each: each.each_ns,
        "share_of_time": lambda each: each.share,
    }
    return Table(
        columns(_STRUCTURES, values=values), answer.structures, face=Face.PEOPLE,
        marks=lambda each: ["choose"] if each.name == answer.recommendation else [],
    )  # fmt: skip


def _calls(answer: FilterAnswer) -> Table[_CallLine]:
    values = {
        "call": lambda line: line.call.name,
        "count": lambda line: f"{line.call.calls:,}",
        "calls": lambda line: line.call.calls,
        "total_s": lambda line: line.call.total_s,
        "share_of_calls": lambda line: line.of_calls,
        "share_of_time": lambda line: line.of_time,
        "answered": lambda line: line.answered or None,
    }
    return Table(columns(_CALLS, values=values), answer.lines, face=Face.PEOPLE)
