"""What a plan takes: a scenario, a day of monitor data, or pages of devices, each as a scenario with its readings."""

from __future__ import annotations

import os
from collections.abc import Sequence

from slicewright._core import InputError, Scenario
from slicewright.scenario.source import Source, scenario_problem
from slicewright.values.codec import read_toml
from slicewright.values.errors import problem, refusal
from slicewright.values.files import read_bytes, shown
from slicewright.values.parameters import check

Inputs = Source | Sequence[str | os.PathLike[str]]
"""A scenario, a day, or the names of one file or several pages of one system."""


def scenario_from(given: Inputs, aliases: Sequence[str] = ()) -> Source:
    """The scenario of some files: as it is, or the one that `fit` or the readings of pages give.

    `aliases` has sizes of pools that records or pages do not give.  Raises InputError for what holds no load.
    """
    files: list[str | os.PathLike[str]] = []
    if not isinstance(given, str | bytes | os.PathLike | Scenario) and isinstance(given, Sequence):
        files = [*given]
        check(*(scenario_problem(each) for each in files))
        if not files:
            raise refusal(problem("no file", key="scenario", allowed="a scenario, a day, or pages of devices"))
    else:
        check(scenario_problem(given))
        if isinstance(given, bytes | Scenario) or "\n" in os.fspath(given):
            return given
        files = [given]
    if len(files) == 1 and _is_day(files[0]):
        from slicewright.fitting.evidence import sizes_of
        from slicewright.fitting.fit import fit

        return fit(files[0], aliases=sizes_of(aliases)).text
    named = [(shown(file), read_bytes(file)) for file in files if file != "-"]
    if len(files) > 1 or not all(_is_scenario(*file) for file in named):
        return _of_pages(files, named, aliases)
    if aliases:
        why = "a scenario says how many aliases its pools have"
        raise refusal(problem("changes nothing", key="aliases", why=why, remedy="--set alias_pool.NAME.aliases=N"))
    return files[0]


def _is_day(file: str | os.PathLike[str]) -> bool:
    from slicewright.measured.form import is_monitor_data

    return os.path.isdir(file) or is_monitor_data(file)  # noqa: PTH112  a name too long is no error here


def _is_scenario(name: str, data: bytes) -> bool:
    """Whether a file is a scenario: by its name or its tables, or because it is TOML at all."""
    from slicewright.advise.source import is_scenario

    if is_scenario(name, data):
        return True
    try:
        read_toml(dict[str, object], data, name)
    except InputError:
        return False
    return True


def _of_pages(
    files: Sequence[str | os.PathLike[str]], named: Sequence[tuple[str, bytes]], aliases: Sequence[str]
) -> bytes:
    from slicewright.advise.aliases.as_scenario import scenario_of
    from slicewright.advise.aliases.request import check as request_of
    from slicewright.advise.options import AdviceOptions
    from slicewright.measured.families import refused
    from slicewright.measured.linux.forms import tool_of
    from slicewright.measured.linux.lsdasd import is_lsdasd

    allowed = "a scenario, a directory of read --out, a MONWRITE or SMF file, or pages: FCX108, RMF DEVICE with PAV"
    for file, (name, data) in zip(files, named, strict=True):
        if _is_day(file):
            why = "a day has its intervals in one file or directory"
            raise refusal(
                problem("a day beside other files", file=name, why=why, remedy="slicewright read FILES --out")
            )
        if len(files) > 1 and _is_scenario(name, data):
            why = "a scenario gives its load; the load of a page has to be found"
            raise refusal(
                problem("a scenario beside other files", file=name, why=why, allowed="one scenario, or pages")
            )
        if tool_of(data) is not None or is_lsdasd(data):
            why = "it does not say why requests of a disk wait, so no load follows from it"
            raise refusal(problem("output of a tool of Linux", file=name, why=why, allowed=allowed))
    check(*refused(named, "advise"))  # whose readers of pages these are
    return scenario_of(named, request_of(AdviceOptions.of(aliases=list(aliases)))).encode()
