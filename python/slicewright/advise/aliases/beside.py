"""Files beside a page of devices: how many aliases its control units have, and how busy its channels are.

D M=DEV and DEVSERV QPAVS list the aliases of a device.  RMF I/O QUEUING ACTIVITY has how many were in use at once, and
RMF CHANNEL PATH ACTIVITY the utilization of channels.  A page of devices has none of these.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from slicewright._core import ChannelReport, DirectAccessReport, QueuingReport
from slicewright.advise.aliases.evidence import PoolReport, called, unit_of
from slicewright.advise.aliases.readings import LEAST, paths_of, serial_of
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.question import Files
from slicewright.measured.families import titles
from slicewright.measured.rmf_pages import Kind, has_page, kinds
from slicewright.statistics import fixed, plural
from slicewright.values.errors import Problem, gathered, problem, refusal

_DEVICE = re.compile(r"^.{0,40}?\bDEVICE +([0-9A-F]{4,5}) +STATUS=", re.MULTILINE)
_CONFIGURED = re.compile(r"\bHYPERPAV ALIASES (?:CONFIGURED|IN POOL)\b[ =]*([0-9]+)")
_PATHS = re.compile(r"^.{0,40}?\bCHP((?: +[0-9A-F]{2})+)\s*$", re.MULTILINE)
_SERVED = re.compile(r"^\s*([0-9A-F]{4,5}) +[0-9A-F]{2} +(BASE|ALIAS)-H\b", re.MULTILINE)
_IN_POOL = re.compile(r"([0-9]+) DEVICE\(S\) IN HYPERPAV ALIAS POOL")
"""ASSUME: the line with the size of the pool.  The page of the message (IEE459I, MVS System Messages) leaves it out.

Devices that are listed do not count a pool: the command lists as many as it is asked for.
"""
_ALIKE = 5.0
"""ASSUME: channels whose utilizations differ by less than this, in percentage points, serve the same control units."""
_MOST_PATHS = 8
"""Channel paths of a device (z/Architecture, path-installed mask)."""


@dataclass(frozen=True, slots=True)
class _Displayed:
    """A reply of the console about one device: its aliases, its channel paths, and the command."""

    device: str
    aliases: int | None
    paths: tuple[str, ...]
    command: str
    file: str


def is_displayed(data: bytes) -> bool:
    """Whether a file is the reply to D M=DEV or DEVSERV QPAVS.

    >>> is_displayed(b"IEE174I 10.15.00 DISPLAY M 201"), is_displayed(b"FCX108")
    (True, False)
    """
    return re.search(rb"\bIEE174I\b.*\bDISPLAY M\b|\bIEE459I\b.*\bDEVSERV\b", data) is not None


def beside(files: Files, question: AliasRequest) -> tuple[Files, AliasRequest]:
    """The pages of devices among files, and the request with what the other files say; raises InputError."""
    problems: list[Problem] = []
    displayed: list[_Displayed] = []
    reports = []
    for name, data in files:
        found = set(kinds(data))
        if is_displayed(data):
            for replies in gathered(problems, functools.partial(_displayed, data, name)):
                displayed += replies
        elif Kind.DEVICES in found or not found & {Kind.CHANNELS, Kind.QUEUING}:
            reports.append((name, data))
    if files and not reports and not problems:
        why = "aliases and channels say nothing without the I/O of volumes"
        allowed = "RMF DIRECT ACCESS DEVICE ACTIVITY of the same time beside it"
        problems.append(problem("no page of devices", file=files[0][0], why=why, allowed=allowed))
    if problems:
        raise refusal(*problems)
    pages = [file for file in reports if Kind.DEVICES in kinds(file[1]) and b"FCX108" not in file[1]]
    others = [file for file in files if {Kind.CHANNELS, Kind.QUEUING} & set(kinds(file[1]))]
    if not pages:
        if displayed:
            why = "a DEVICE page of z/VM has a row for each alias, and QUERY PAV lists them"
            raise refusal(problem(f"{displayed[0].command} beside no RMF page", file=displayed[0].file, why=why))
        return reports, question
    units = dict(pair for name, data in pages for pair in _units(data, name))
    question = _with_aliases(question, displayed, units)
    for name, data in others:
        if Kind.QUEUING in kinds(data) and ((name, data) not in pages or has_page(QueuingReport, data, name)):
            question = _with_queuing(question, data, name, set(units.values()))
    question = _with_channels(question, others, {path for reply in displayed for path in reply.paths})
    if problems := [lack for name, data in pages for lack in _in_use(data, name, question)]:
        raise refusal(*problems)
    notes = [note for name, data in pages for note in (*_marks(data, name), *_left_out(data, name))]
    return reports, replace(question, beside=(*question.beside, *notes))


def _displayed(data: bytes, file: str) -> list[_Displayed]:
    """The devices of replies to D M=DEV, each with its aliases and paths, or those of DEVSERV QPAVS with their pool."""
    text = data.decode("latin-1")
    starts = [(named.start(), named[1]) for named in _DEVICE.finditer(text)]
    ends = [*(at for at, _ in starts[1:]), len(text)][: len(starts)]
    replies = []
    for (at, device), end in zip(starts, ends, strict=True):
        block = text[at:end]
        count, paths = _CONFIGURED.search(block), _PATHS.search(block)
        names = tuple(paths[1].split()) if paths else ()
        replies.append(_Displayed(_short(device), int(count[1]) if count else None, names, "D M=DEV", file))
    for reply in text.split("IEE459I")[1:]:
        pool = _IN_POOL.search(reply)
        shared = int(pool[1]) if pool else None
        bases = [device for device, kind in _SERVED.findall(reply) if kind == "BASE"]
        replies += [_Displayed(_short(device), shared, (), "DEVSERV QPAVS", file) for device in bases]
    if not any(reply.aliases for reply in replies):
        what = "no HyperPAV alias in a reply of the console"
        allowed = "HYPERPAV ALIASES CONFIGURED = N of D M=DEV, or N DEVICE(S) IN HYPERPAV ALIAS POOL of DEVSERV QPAVS"
        raise refusal(problem(what, file=file, allowed=allowed))
    return replies


def _short(device: str) -> str:
    """A device number with four digits where the subchannel set is 0, as pages of devices are read."""
    return device[1:] if len(device) == 5 and device[0] == "0" else device


def _units(data: bytes, file: str) -> Iterator[tuple[str, str]]:
    """Each device of a page with its control unit."""
    for row in DirectAccessReport.read(data, file).fields():
        device = _short(row.get("DEV NUM", "").upper())
        yield device, unit_of(row.get("LCU", "").upper(), device)


def _with_aliases(question: AliasRequest, displayed: Sequence[_Displayed], units: Mapping[str, str]) -> AliasRequest:
    """The request with the aliases of control units as the console lists them."""
    found: dict[str, tuple[int, _Displayed]] = {}
    problems = []
    for reply in displayed:
        lcu = units.get(reply.device)
        if lcu is None:
            why = f"the page has {', '.join(list(units)[:3])} ..."
            problems.append(problem("no device of the page", file=reply.file, key=reply.device, why=why))
        elif reply.aliases is not None:
            given = found.setdefault(lcu, (reply.aliases, reply))[0]
            told = question.aliases.get(lcu, question.aliases.get("", given))
            if {given, told} != {reply.aliases}:
                why = f"{reply.command} has {reply.aliases}, and elsewhere there are {told if told != given else given}"
                problems.append(problem("two numbers of aliases", file=reply.file, key=called(lcu), why=why))
    if problems:
        raise refusal(*problems)
    aliases = {**question.aliases, **{lcu: count for lcu, (count, _) in found.items()}}
    notes = [
        f"{called(lcu)}: {plural(count, 'HyperPAV alias', 'HyperPAV aliases')} by {reply.command} ({reply.file})"
        for lcu, (count, reply) in found.items()
    ]
    return replace(question, aliases=aliases, beside=(*question.beside, *notes))


def _with_queuing(question: AliasRequest, data: bytes, file: str, units: set[str]) -> AliasRequest:
    """The request with the aliases that I/O QUEUING ACTIVITY shows, which are never more than there are.

    Where an I/O found no alias, all of them were in use: HPAV MAX is how many there are.
    """
    aliases, notes, problems = dict(question.aliases), [], []
    printed = ""
    for row in QueuingReport.read(data, file).fields():
        printed, wait, most = row.get("LCU", printed), row.get("HPAV WAIT", ""), row.get("HPAV MAX", "")
        lcu = next((unit for unit in units if unit and printed and int(unit, 16) == int(printed, 16)), "")
        if not lcu or not re.fullmatch(r"[0-9]+", most):
            continue
        told = aliases.get(lcu, aliases.get(""))
        if told is not None and told < int(most):
            why = f"HPAV MAX: {most} were in use at once"
            problems.append(
                problem(
                    plural(told, "alias", "aliases"), file=file, key=f"LCU {lcu}", why=why, allowed=f"{most} or more"
                )
            )
        elif told is None and float(wait) > 0:
            aliases[lcu] = int(most)
            notes.append(
                f"LCU {lcu}: {most} HyperPAV aliases, all in use at once when I/Os found none (HPAV MAX, {file})"
            )
        notes.append(f"LCU {lcu}: {wait} of its I/Os found no alias free (HPAV WAIT, {file})")
    if problems:
        raise refusal(*problems)
    return replace(question, aliases=aliases, beside=(*question.beside, *notes))


def _with_channels(question: AliasRequest, files: Files, paths: set[str]) -> AliasRequest:
    """The request with the utilization of the channels, where the pages say which serve the volumes.

    D M=DEV names the paths of a device; without it channels that are about as busy as each other are taken to be these.
    """
    busy: dict[str, float] = {}
    named = []
    for name, data in files:
        if Kind.CHANNELS in kinds(data) and (Kind.DEVICES not in kinds(data) or has_page(ChannelReport, data, name)):
            table: dict[str, list[Any]] = ChannelReport.read(data, name).table("channels")
            rows = zip(table["channel"], table["busy_percent"], strict=True)
            busy |= {channel: float(percent) for channel, percent in rows if percent is not None}
            named.append(name)
    known = {channel: percent for channel, percent in busy.items() if channel in paths or not paths}
    if not known or question.assumed.channel_busy_percent is not None or question.assumed.channel is not None:
        return question
    low, high = min(known.values()), max(known.values())
    source = f"CHANNEL PATH ACTIVITY, {', '.join(named)}"
    if (not paths and high - low > _ALIKE) or len(known) > _MOST_PATHS:
        note = (
            f"{source}: {plural(len(known), 'channel')}, {fixed(low, 1)} to {fixed(high, 1)} % busy; not used, because "
            "the page does not say which serve these volumes (D M=DEV does)"
        )
        return replace(question, beside=(*question.beside, note))
    assumed = replace(question.assumed, channel_busy_percent=high)
    which = "those of D M=DEV" if paths else "all of the page"
    note = f"{plural(len(known), 'channel')}, {fixed(low, 1)} to {fixed(high, 1)} % busy ({which}; {source})"
    return replace(question, assumed=assumed, paths=len(known), channels=source, beside=(*question.beside, note))


def of_pool(question: AliasRequest, pool: Sequence[PoolReport], pools: Sequence[Sequence[PoolReport]]) -> AliasRequest:
    """The request for one of the pools of the pages: its part of the utilization of channels that a page gives.

    ASSUME: the I/Os of all pools of a page keep the channels busy for the same time each.
    """
    known = question.assumed.channel_busy_percent
    if not question.channels or known is None:
        return question
    every = sum(report.io_per_s for reports in pools for report in reports if report.file == pool[-1].file)
    busy = known * pool[-1].io_per_s / every
    return replace(
        question, assumed=replace(question.assumed, channel_busy_percent=busy if busy >= 100 * LEAST else 0.0)
    )


def over_capacity(pools: Sequence[PoolReport], question: AliasRequest) -> list[Problem]:
    """A problem for each pool whose printed I/O needs more channels than are assumed for it."""
    if question.assumed.channel is None:
        return []
    problems = []
    for pool in pools:
        needed, paths = pool.io_per_s * serial_of(question.assumed) / 1000, paths_of(pool)
        if needed > paths * (1 + _ROUNDED):
            what = f"{fixed(pool.io_per_s, 0)} I/O/s keep {needed:.2f} channels busy, and {paths} is assumed"
            if paths > 1:
                what = what.replace("is assumed", "are there")
            allowed = "the reply to D M=DEV beside an RMF page, which names the paths; another channel or io_size"
            problems.append(problem(what, file=pool.file, key="assume channel", allowed=allowed))
    return problems


_ROUNDED = 0.02
"""ASSUME: printed rates and published times of channels are off by up to 2 % together."""


def _in_use(data: bytes, file: str, question: AliasRequest) -> list[Problem]:
    """A problem for each control unit whose volumes had more aliases in use on average than it is said to have."""
    used: dict[str, float] = {}
    for row in DirectAccessReport.read(data, file).fields():
        if found := re.fullmatch(r"([0-9]+\.[0-9]+)\*?H\*?", row.get("PAV", ""), re.IGNORECASE):
            lcu, rounding = row.get("LCU", "").upper(), 0.5 * 10.0 ** -len(found[1].partition(".")[2])
            unit = unit_of(lcu, _short(row["DEV NUM"].upper()))
            used[unit] = used.get(unit, 0.0) + max(0.0, float(found[1]) - 1 - rounding)
    given = {unit: question.aliases.get(unit, question.aliases.get("")) for unit in used}
    return [
        problem(
            f"{plural(count, 'alias', 'aliases')}", file=file, key=called(unit),
            why=f"PAV of its volumes shows {used[unit]:.1f} in use on average",
            allowed=f"{math.ceil(used[unit])} or more",
        )
        for unit, count in given.items()
        if count is not None and used[unit] > count
    ]  # fmt: skip


def _marks(data: bytes, file: str) -> Iterator[str]:
    """A note on each mark of PAV: `*` is a number that changed in the interval, X a pool of several control units."""
    for row in DirectAccessReport.read(data, file).fields():
        pav, name = row.get("PAV", ""), row.get("VOLUME SERIAL") or row.get("DEV NUM", "")
        if "*" in pav:
            yield f"{name}: PAV {pav.strip('*HX')} on average, and changed in the interval"
        if "X" in pav.upper():
            yield f"{name}: SuperPAV, so aliases of other control units of its group may help, too"


def _left_out(data: bytes, file: str) -> Iterator[str]:
    """A note on the pages of a listing from which nothing is read here."""
    known = (Kind.DEVICES.value, Kind.CHANNELS.value, Kind.QUEUING.value)
    others = [title for title in dict.fromkeys(titles(data)) if title not in known]
    if others:
        yield f"{file}: pages ignored: {', '.join(others)}"
