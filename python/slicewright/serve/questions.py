"""Tasks of files and texts: what they are, the questions that can be asked of them, problems and changes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import DeviceReport, InputError, Scenario
from slicewright.report.figure import Figure
from slicewright.report.model import Block, Lead, Notes, Report, Section, Verbatim
from slicewright.scenario.files import read_with_files
from slicewright.scenario.settings import parts, settings
from slicewright.serve.explored import field, form
from slicewright.serve.glance import glance, in_page_words, page_words
from slicewright.serve.tasks import Reporter, Task
from slicewright.statistics import plural
from slicewright.values.errors import Problem, listing, nearest, problem, refusal, sentence
from slicewright.values.settings import COMMANDS, INTERVAL, Option

if TYPE_CHECKING:
    from slicewright.advise.question import Files, Question
    from slicewright.measured.measured import Measured
    from slicewright.measured.read import MonitorData


_LOOKED_AT = 4096
_WITH_ALIASES = (
    "The bases as the page shows them, without the I/Os that aliases did. The printed response divides the requests"
    " that wait for a volume by the rate of its base alone; the response of the volume is shorter."
)
_MOST_TEXT = 200_000
"""Characters of a file that are shown as they are."""


def _describe(reporter: Reporter, folder: str, names: Sequence[str], **about: Any) -> dict[str, Any]:
    """The kind of the files, a report of what is in them, and the questions.

    `left` has the problems of files that cannot be read.  Raises InputError where there is no other file, or where the
    others do not go together.
    """
    os.chdir(folder)
    try:
        return _looked_at(names, [])
    except InputError:
        wrong = {name: problems for name in names if (problems := _problems_of(name))}
        good = [name for name in names if name not in wrong]
        if not good or not wrong:
            raise
    return _looked_at(good, [problem for problems in wrong.values() for problem in problems])


def _problems_of(name: str) -> list[Problem]:
    """The problems of a file by itself."""
    try:
        _kind_of([name])
    except InputError as error:
        return [{**each, "file": each["file"] or name} for each in error.problems]
    return []


def _looked_at(names: Sequence[str], left: list[Problem]) -> dict[str, Any]:
    return _kind_of(names) | {"names": [name.removeprefix("./") for name in names], "left": left}


def _kind_of(names: Sequence[str]) -> dict[str, Any]:
    from slicewright.measured.listings import is_fcx102

    if Path(names[0]).is_dir():
        return _directories(names)
    if (cluster := _cluster(names)) is not None:
        return cluster
    if _is_monitor_data(names[0]) or is_fcx102(Path(names[0]).read_bytes()):
        return _monitor_data(names)
    if _is_of_linux(names[0]):
        return _of_linux(names)
    return _text(names)


def _directories(names: Sequence[str]) -> dict[str, Any]:
    """A run, or what changed between two of them."""
    from slicewright.measured.loading import load
    from slicewright.results.compare import compare
    from slicewright.run.run import Run

    name, *more = names
    run = load(name)
    if len(more) > 1:
        raise refusal(problem(f"{len(names)} runs", allowed="one run, or two that are compared"))
    if more:
        return _found("two runs", compare(run, load(more[0])).report(), [])
    if not isinstance(run, Run):
        from slicewright.serve.pictures import pictures

        report = run.report()
        rest = [section for section in report.sections if section.title != "Interval by interval"]
        drawn = replace(report, sections=[Section("", pictures(run)), *rest])
        return _found("a measured run", drawn, _questions_of_day([name])) | _of_day(run)
    return _found("a simulated run", run.report(), []) | {"scenario": run.scenario, "compares": True}


def _cluster(names: Sequence[str]) -> dict[str, Any] | None:
    """Series of a cluster; None for other files."""
    from slicewright.advise.limits.fleet.cluster import cluster_of
    from slicewright.advise.limits.fleet.contents import contents_of, rows_of
    from slicewright.advise.limits.fleet.series.read import read_cluster
    from slicewright.advise.options import AdviceOptions
    from slicewright.advise.questions import QUESTIONS
    from slicewright.serve.pictures import fleet_picture

    cluster = cluster_of(names, AdviceOptions())
    if cluster is None:
        return None
    fleet = read_cluster(cluster)
    asked = [_question(question, "fleet") for question in QUESTIONS.values() if question.fleet is not None]
    return _found("series of a cluster", _drawn(contents_of(fleet, cluster.name), fleet_picture(rows_of(fleet))), asked)


def _drawn(report: Report, *figures: Figure | None) -> Report:
    """The contents of files with pictures first; the forms of the page say what can be asked."""
    drawn = Section("", [figure for figure in figures if figure is not None])
    sections = [replace(each, blocks=[*_without_commands(each.blocks)]) for each in report.sections]
    return replace(report, facts=(), sections=[drawn, *sections])


def _without_commands(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks without the names of commands that take the files."""
    for block in blocks:
        if not isinstance(block, Notes):
            yield block
        elif block.name not in ("Answers", "Needs"):
            yield replace(block, lines=[line.partition(": report --page")[0] for line in block.lines])


def _is_monitor_data(name: str) -> bool:
    """Whether a file is binary: pages and scenarios are text, in EBCDIC too."""
    with Path(name).open("rb") as stream:
        head = stream.read(_LOOKED_AT)
    as_text = head.decode("cp037") if head.count(b"\x40") > head.count(b" ") else head.decode("latin-1")
    odd = sum(not (character.isprintable() or character in "\r\n\t\f\x85") for character in as_text)
    return odd > len(as_text) / 20


def _monitor_data(names: Sequence[str]) -> dict[str, Any]:
    from slicewright.measured.read import read

    data = read(names)
    if len(data.runs) != 1:
        return _measured("monitor data", data, [])
    return _measured("monitor data", data, _questions_of_day(names)) | _of_day(data.of())


def _measured(kind: str, data: MonitorData, asked: list[dict[str, Any]]) -> dict[str, Any]:
    """The contents of files with measured intervals, drawn system by system."""
    from slicewright.advise.contents import contents_report
    from slicewright.serve.pictures import pictures

    figures = [figure for run in data.runs.values() for figure in pictures(run)]
    return _found(kind, _drawn(contents_report(data), *figures), asked)


def _of_day(run: Measured) -> dict[str, Any]:
    """The questions that lack records, the fit of a load where there are volumes, and that it can be compared."""
    loads = not run.raw["volumes"].is_empty() and len(run.starts_us) > 1
    fits = [form("fit", "Which load gives these intervals?")] if loads else []
    return {"lacks": _lacking(run), "fits": fits, "compares": True}


def _lacking(run: Measured) -> list[dict[str, Any]]:
    """The questions that measured intervals do not answer, with the records that they lack for each."""
    from slicewright.advise.day import Day
    from slicewright.advise.questions import QUESTIONS

    day = Day(run.name, run, tuple(range(len(run.starts_us))))
    asked = [(each.asks, each.day.missing(day)) for each in QUESTIONS.values() if each.day is not None]
    return [{"asks": asks, "missing": [*map(page_words, missing)]} for asks, missing in asked if missing]


def _is_of_linux(name: str) -> bool:
    """Whether a tool of Linux wrote a file about disks."""
    from slicewright.measured.linux.forms import tool_of
    from slicewright.measured.linux.text import HEAD

    with Path(name).open("rb") as stream:
        return tool_of(stream.read(HEAD)) is not None


def _of_linux(names: Sequence[str]) -> dict[str, Any]:
    """Reports of Linux's disks: what they hold, and what they answer."""
    from slicewright.advise.linux_files import family_of
    from slicewright.advise.questions import answered_by_data
    from slicewright.measured.read import read

    data = read(names)
    asked = {question.name: question for _, questions in answered_by_data(data) for question in questions}
    kinds = [found[0] for name in names if (found := family_of(name, Path(name).read_bytes())) is not None]
    return _measured(", ".join(dict.fromkeys(kinds)), data, [_question(each, "linux") for each in asked.values()])


def _text(names: Sequence[str]) -> dict[str, Any]:
    from slicewright.advise.command import read
    from slicewright.advise.linux_files import refused_for
    from slicewright.advise.questions import question_of
    from slicewright.advise.source import is_scenario

    files = read(names)
    if any(is_scenario(*file) for file in files):
        return _scenario(files)
    asked = question_of(files)
    if problems := refused_for(asked.name, [file for file in files if not asked.reads([file])]):
        raise refusal(*problems)
    kind, blocks = _page(files, asked)
    text = [Verbatim(name, data.decode("utf-8", "replace")[:_MOST_TEXT]) for name, data in files]
    report = Report(", ".join(name for name, _ in files), kind, sections=[Section("", blocks), Section("", text)])
    problems = _refused(asked, files)
    needed = {option for each in problems for option in _remedies(each)}
    if problems and not needed & {option.key for option in _on_page(asked)}:
        missing = [page_words(sentence(each)) for each in problems]
        return _found(kind, report, []) | {"lacks": [{"asks": asked.asks, "missing": missing}]}
    return _found(kind, report, [_question(asked, "page", needed)])


def _refused(asked: Question[Any, Any], files: Files) -> list[Problem]:
    """The problems of a question that is asked without any option."""
    from slicewright.advise.options import AdviceOptions
    from slicewright.measured.rmf_pages import kinds

    problems = list(asked.lacks(files)) if any(kinds(data) for _, data in files) else []
    try:
        asked.check(files, AdviceOptions())
    except InputError as error:
        problems += error.problems
    return problems


def _remedies(lack: Problem) -> list[str]:
    """The option that a problem is about, or else the first that it names as its remedy."""
    named = re.findall(r"--([a-z-]+)", f"{lack['allowed']} {lack['remedy']}")
    return [lack["key"], *(name.replace("-", "_") for name in named[:1])]


def _scenario(files: Files) -> dict[str, Any]:
    name, data = files[0]
    written = data.decode("utf-8", "replace")
    text = Verbatim("The scenario as it is written", written)
    try:
        scenario = read_with_files(data, name, (), ".")
    except InputError as error:
        problems = Notes("Problems", [sentence(problem) for problem in error.problems])
        report = Report(name, "a scenario with problems", sections=[Section("", [problems, text])])
        return _found("a scenario with problems; open it to mend them", report, []) | {"scenario": written}
    notes = [warning["what"] for warning in scenario.warnings]
    blocks: list[Block] = [Notes("Notes", notes)] if notes else []
    report = Report(scenario.name, "a scenario", sections=[Section("", [*blocks, text])])
    return _found("a scenario", report, _questions_of_scenario(data)) | {"scenario": written}


def _page(files: Files, asked: Question[Any, Any]) -> tuple[str, list[Block]]:
    """What pages of reports show: of a DEVICE page, its volumes; of others, what the question takes."""
    from slicewright.advise.aliases.evidence import is_listing
    from slicewright.advise.linux_files import family_of
    from slicewright.measured.rmf_pages import kinds

    families = [family for name, data in files if (family := family_of(name, data)) is not None]
    if families:
        return ", ".join(dict.fromkeys(what for what, _ in families)), []
    if asked.name == "limits":
        return "copies of a group's cpu.stat", _copies(files)
    titles = list(dict.fromkeys(kind.value for _, data in files for kind in kinds(data)))
    if titles:
        return f"RMF: {', '.join(titles)}", _printed(files, asked)
    if asked.name != "aliases":
        return asked.files, []
    pages = [(name, data) for name, data in files if not is_listing(data)]
    if not pages:
        return "a listing of pools (QUERY PAV)", [Notes("Notes", ["drop the DEVICE report of the same system with it"])]
    return "a DEVICE report (FCX108) of z/VM", [block for name, data in pages for block in _devices(data, name)]


def _copies(files: Files) -> list[Block]:
    """The counters between copies of cpu.stat; of one copy what is missing."""
    from slicewright.serve.pictures import copies_picture

    figure = copies_picture(files)
    if figure is not None:
        return [figure]
    return [Notes("Notes", ["one copy of the counters: a second one, a minute or more later, gives an interval"])]


def _printed(files: Files, asked: Question[Any, Any]) -> list[Block]:
    """The tables of RMF pages as bars, and what the question needs beside them."""
    from slicewright.measured.read import read
    from slicewright.serve.pictures import pictures

    try:
        data = read([name for name, _ in files])
    except InputError:  # the question says what is wrong with a page that it takes
        return []
    needs = [page_words(sentence(lack)) for lack in asked.lacks(files)]
    notes: list[Block] = [Notes("What the question needs beside the page", needs)] if needs else []
    return [*(figure for run in data.runs.values() for figure in pictures(run)), *notes]


def _devices(data: bytes, name: str) -> list[Block]:
    """The volumes of a DEVICE page, pool by pool; where membership cannot be decided, why."""
    import polars as pl

    from slicewright.advise.aliases.evidence import intervals, read_pools
    from slicewright.measured.rmf_pages import refuse_others
    from slicewright.run.pages.run_rows import volumes_bar

    if problems := refuse_others(name, data, "a DEVICE report (FCX108) of z/VM"):
        raise refusal(*problems)
    blocks: list[Block] = []
    page, *later = intervals(data)
    DeviceReport.read(page, name)  # raises InputError for what is no such page
    try:
        pools = read_pools(page, name, (), None)
    except InputError as error:
        return [Notes("Notes", [listing(getattr(error, "problems", []))])]
    for pool in pools:
        rows = [
            {
                "volume": volume.name, "pend_ms": volume.base.pend_ms, "disc_ms": volume.base.disc_ms,
                "conn_ms": volume.base.conn_ms, "response_ms": volume.base.response_ms,
                "queue_depth": volume.base.queue_depth,
            }
            for volume in pool.volumes
        ]  # fmt: skip
        head = f"{pool.name}: {plural(len(pool.volumes), 'volume')}, {pool.io_per_s:,.0f} I/O/s"
        aliases = plural(pool.aliases_present, "alias", "aliases")
        aside = f"{pool.queue_depth:.2f} I/Os wait, {pool.response_ms:.2f} ms response, {aliases}"
        aside += f"; the first of {1 + len(later)} intervals" if later else ""
        shown = _WITH_ALIASES if pool.aliases_present else "The volumes as the page shows them."
        blocks += [Lead(head, aside), volumes_bar(pl.DataFrame(rows)).captioned(shown)]
    return blocks


def _questions_of_scenario(data: bytes) -> list[dict[str, Any]]:
    from slicewright.advise.questions import QUESTIONS

    view = Scenario.outline(data)
    shares = len(view.partitions) > 1
    asked = [each for each in QUESTIONS.values() if each.fits(view) and (shares or each.name != "slices")]
    return [_question(question, "scenario") for question in asked]


def _questions_of_day(names: Sequence[str]) -> list[dict[str, Any]]:
    """The questions for which measured intervals have the records."""
    from slicewright.advise.day import read_day
    from slicewright.advise.questions import answered_by

    day = read_day(names, None)
    if day is None:
        return []
    interval = field(INTERVAL.with_(help="Intervals to look at, from 0 [default: all]."))
    asked = [_question(each, "day") for each in answered_by(day)]
    return [each | {"options": [*each["options"], interval]} for each in asked]


_NEVER: Mapping[str, Mapping[str, Sequence[str]]] = {
    "day": {"slices": ("share",)},
    "page": {"slices": ("weight", "partition"), "limits": ("workload",)},
    "scenario": {"slices": ("slices", "weight", "partition", "share"), "aliases": ("growth", "pool", "aliases")},
    "linux": {"aliases": ("pool", "aliases")},
    "fleet": {},
}
"""Options that a question refuses for each kind of source: the page does not offer them there."""


def _question(question: Question[Any, Any], source: str, needed: Container[str] = ()) -> dict[str, Any]:
    """A question with its options, for a form; `needed` are those without which it is refused."""
    never = _NEVER[source].get(question.name, ())
    shared = [option.with_(help=question.help[option.key]) for option in _of_every_question() if option != INTERVAL]
    return {
        "name": question.name, "asks": question.asks, "help": dict(question.help),
        "shared": [field(option) for option in shared if option.key not in never],
        "options": [
            field(option.with_(required=option.key in needed))
            for option in _on_page(question) if option.key not in never
        ],
    }  # fmt: skip


def _of_every_question() -> list[Option]:
    """The options of every question that the page offers: those that lead to no file and are no flag."""
    return [option for option in COMMANDS["advise"] if option.metavar and option.metavar not in _ELSEWHERE]


def _found(kind: str, report: Report, questions: list[dict[str, Any]]) -> dict[str, Any]:
    from slicewright.report.html import embedded

    return {"kind": kind, "title": report.title, "html": embedded(report), "questions": questions}


_ELSEWHERE = ("FILE", "URL", "DIR", "SETTING")
"""Values of options that lead beyond the files that were dropped, or are of a second measurement."""
_OF_A_SERVER = ("selector", "since", "step", "top")
"""Options of a server that is asked for series, and of text: the page has neither."""


def _ask(
    reporter: Reporter,
    question: str | None,
    folder: str,
    names: Sequence[str],
    options: Mapping[str, Any],
    **about: Any,
) -> dict[str, Any]:
    """The answer as a part of the page, as JSON, and the scenarios behind it; raises InputError and RunError.

    Options that name a file or a server are refused: the page reads what was dropped, and asks nothing elsewhere.
    """
    from slicewright.advise.advice import answered
    from slicewright.advise.options import AdviceOptions
    from slicewright.report.model import joined

    typed = _typed(options)
    os.chdir(folder)
    with in_page_words():
        advice = answered(question, names, AdviceOptions.of(**typed), reporter.progress)
    scenarios = [list(advice.asked.scenarios(answer)) for answer in advice.answers]
    reports, documents = advice.reports(), advice.documents
    return {
        "question": advice.question.name,
        "title": joined(reports).title,
        "answers": [glance(report, document) for report, document in zip(reports, documents, strict=True)],
        "page": advice.html(),
        "documents": documents,
        "scenarios": [{"name": name, "text": text} for each in scenarios for name, text in each],
    }


def _on_page(question: Question[Any, Any]) -> list[Option]:
    """The options of a question that the page offers.

    >>> from slicewright.advise.questions import QUESTIONS
    >>> [option.key for option in _on_page(QUESTIONS["aliases"])]
    ['pool', 'aliases']
    """
    return [
        option for option in question.options if option.metavar not in _ELSEWHERE and option.key not in _OF_A_SERVER
    ]


def _typed(options: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """The options that were given; raises InputError for those that the page does not have."""
    from slicewright.advise.questions import QUESTIONS

    known = {option.key: option.several for option in _of_every_question()}
    known |= {option.key: option.several for each in QUESTIONS.values() for option in _on_page(each)}
    given = {name: value for name, value in options.items() if value not in ("", [], None)}
    problems = []
    for name, value in given.items():
        if name not in known:
            why = "the page reads the files that were dropped, and asks no other server"
            problems.append(problem("no option of the page", key=name, nearest=nearest(name, known), why=why))
        elif not all(isinstance(each, str) for each in (value if isinstance(value, list) else [value])):
            problems.append(problem("not a text", key=name, allowed="the option as it is typed"))
    if problems:
        raise refusal(*problems)
    return {name: _as_given(value, known[name]) for name, value in given.items()}


def _as_given(value: str | list[str], several: bool) -> str | list[str]:
    """The value of an option, alone or in a list, as the command line has it."""
    if several:
        return [value] if isinstance(value, str) else value
    return value if isinstance(value, str) else ",".join(value)


_FILE = "scenario.toml"
"""The name of the text in problems."""


def _check(reporter: Reporter, text: str, folder: str = ".", ask: int = 0, **about: Any) -> dict[str, Any]:
    """The problems of a text with line and column; without problems its name, warnings and settings.

    A text that is no scenario is a result like any other: the page marks its problems in place.
    """
    try:
        scenario = read_with_files(text.encode(), _FILE, (), folder)
    except InputError as error:
        return {"ask": ask, "problems": [dict(problem) for problem in error.problems]}
    return {
        "ask": ask, "problems": [], "name": scenario.name, "warnings": [dict(each) for each in scenario.warnings],
        "settings": settings(scenario),
    }  # fmt: skip


def _rewrite(reporter: Reporter, text: str, changes: Sequence[str], folder: str = ".", **about: Any) -> dict[str, Any]:
    """The text with changes written into it; raises InputError."""
    return {"text": _rewritten(text, changes, folder)}


def _rewritten(text: str, changes: Sequence[str], folder: str | Path = ".") -> str:
    """The text that means the scenario with these changes of `--set`; raises InputError where that is none.

    A change that has no place in the text gives the resolved scenario instead, every default written out.

    >>> from slicewright._core import starter
    >>> new = _rewritten(starter("pool"), ["alias_pool.LSS-52.aliases=16", 'volume.*.service.pend="0.4 ms"'])
    >>> "aliases = 16" in new.splitlines(), new.count('pend = "0.4 ms"'), new.startswith("# A HyperPAV pool")
    (True, 8, True)
    """
    wanted = read_with_files(text.encode(), "scenario.toml", changes, folder)
    if not changes:
        return text
    import tomlkit

    try:
        document = tomlkit.parse(text)
        for change in changes:
            key, _, value = change.partition("=")
            for put in _places(document, parts(key.strip())):
                put(tomlkit.value(value.strip()))
        written = tomlkit.dumps(document)
        if read_with_files(written.encode(), "scenario.toml", (), folder).view == wanted.view:
            return written
    except (ValueError, LookupError, TypeError, AttributeError):
        pass  # the form of the text has no place for the key
    return wanted.resolved


def _places(node: Any, path: Sequence[str]) -> Iterator[Callable[[Any], None]]:
    """Functions that put a value at each place of a path; raises TypeError where the text has another form there."""
    first, *rest = path
    if isinstance(node, list):
        for index, inner in enumerate(node):
            named = inner.get("name") if isinstance(inner, dict) else None
            if first in ("*", str(index + 1) if named is None else named):
                yield from _places(inner, rest)
    elif not isinstance(node, dict):
        raise TypeError
    elif not rest or ".".join(path) in node:
        yield lambda value: node.__setitem__(".".join(path), value)
    else:
        yield from _places(node.setdefault(first, {}), rest)


TASKS: dict[str, Task] = {
    "describe": Task(_describe, reads="drop"),
    "ask": Task(_ask, "long", "drop"),
    "check": Task(_check, reads="text"),
    "rewrite": Task(_rewrite, reads="text"),
}
