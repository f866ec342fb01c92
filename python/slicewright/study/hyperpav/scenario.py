"""The scenario of a published HyperPAV run: the one text that `reproduce`, `calibrate` and the shipped files share.

Every choice made here was declared before any run: docs/decisions/0003-hyperpav-study.md.
"""

from __future__ import annotations

from slicewright.study.hyperpav.constants import Constants
from slicewright.study.hyperpav.published import Kind, Report

VOLUMES = {
    "BWPVS0": "522A",
    "BWPVS1": "522B",
    "BWPVS2": "522C",
    "BWPVS3": "522D",
    "BWPVT0": "522E",
    "BWPVT1": "522F",
    "BWPVT2": "5230",
    "BWPVT3": "5231",
}
"""Labels and base device numbers as Y032180H prints them."""

FIRST_ALIAS = 0x5249
GUESTS_PER_VOLUME = 3
PATHS = 4
UNIT = "LSS-52"

FITTED = "fitted to Y032180H and Y032182H (published/hyperpav/calibrated.toml)"


def scenario(report: Report, constants: Constants) -> str:
    """The run as a complete scenario file (TOML).

    >>> from slicewright.study.hyperpav.published import reports
    >>> from slicewright.study.hyperpav.constants import Constants
    >>> text = scenario(reports()[1], Constants("sharing", 0.15, 0.7, 0.05, 4.0))
    >>> [line for line in text.splitlines() if line.startswith("aliases")]
    ['aliases = 8']
    """
    parts = [_head(report), _control_unit(constants)]
    if report.kind == "HyperPAV":
        parts.append(_pool(report.aliases))
    parts += [_volume(name, report, constants) for name in VOLUMES]
    parts += [_guest(name, constants) for name in VOLUMES]
    return "\n".join([*parts, _MEASURE])


def pool(aliases: int, kind: Kind = "HyperPAV") -> Report:
    """The same eight volumes with another number of aliases: a point that nobody published.

    `aliases` counts those of all eight volumes; in classic PAV it must be a multiple of eight (ValueError).

    >>> pool(13).aliases, pool(16, "classic PAV").aliases
    (13, 2)
    """
    from pathlib import Path

    if kind == "classic PAV":
        if aliases % len(VOLUMES):
            raise ValueError("classic aliases are bound: as many for each of the eight volumes")
        return Report(f"classic-{aliases}", Path(), kind, 1, aliases // len(VOLUMES))
    return Report(f"pool-{aliases}", Path(), kind, len(VOLUMES), aliases)


def _head(report: Report) -> str:
    text = f"""\
# {report.title}: the published run {report.table} as a scenario.
# It leaves out what the report does not show: other volumes, other systems at the disks, the guests' CPU time.

name = "{report.table}: {report.title}"

[source]
document = "z/VM HyperPAV Support"
report = "{report.table}"
"""
    if report.kind == "classic PAV":
        text += "# Taken as one of eight volumes all driven alike, the report showing one: docs/decisions/0003.\n"
    return text


def _control_unit(constants: Constants) -> str:
    text = f'[[control_unit]]\nname = "{UNIT}"\npaths = {PATHS}\n'
    if constants.form == "sharing":
        text += f'sharing = "{constants.quantity("sharing")}"\ncalibrated = "sharing: {FITTED}; paths as printed"\n'
    return text


def _pool(aliases: int) -> str:
    return f"""\
[[alias_pool]]
name = "{UNIT}"
aliases = {aliases}
first_alias = "{FIRST_ALIAS:04X}"
# redispatch is left at its default, none: what a freed alias does next is not documented.
"""


def _volume(name: str, report: Report, constants: Constants) -> str:
    lines = ["[[volume]]", f'name = "{name}"', f'device = "{VOLUMES[name]}"', f'control_unit = "{UNIT}"']
    if report.kind == "HyperPAV":
        lines.append(f'alias_pool = "{UNIT}"')
    elif report.aliases:
        first = FIRST_ALIAS + report.aliases * list(VOLUMES).index(name)
        lines += [f"aliases = {report.aliases}", f'first_alias = "{first:04X}"']
    also = "; aliases as in the report" if report.kind == "classic PAV" and report.aliases else ""
    lines += [f'gap = "{constants.quantity("gap")}"', f'calibrated = "gap: {FITTED}{also}"', "", "[volume.service]"]
    lines += ['pend = "0.2 ms"', 'disconnect = "0.2 ms"', 'source = "Pend and Disc as printed in Y032180H"', ""]
    lines += ["[volume.service.connect]", f'exponential = "{constants.quantity("connect")}"']
    if constants.form == "per_concurrent":
        lines.append(f'per_concurrent = "{constants.quantity("per_concurrent")}"')
    lines.append(f'calibrated = "{FITTED}; its shape is not published: exponential is assumed"')
    return "\n".join(lines) + "\n"


def _guest(volume: str, constants: Constants) -> str:
    think = constants.quantity("think")
    return f"""\
[[guest]]
name = "IO3390-{volume}"
count = {GUESTS_PER_VOLUME}
source = "three requests circulate per volume: Little's law on all six reports"
program = [
  {{ think = {{ exponential = "{think}" }}, calibrated = "{FITTED}; exponential is assumed" }},
  {{ io = {{ volume = "{volume}" }} }},
]
"""


_MEASURE = """\
[measure]
interval = "10 min"
warm_up = "auto"
replications = 10
source = "interval: that of the report; the rest: how this study measures"
"""
