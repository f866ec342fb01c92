"""The page of published data: which documents and reports are shipped, and the role and band of every value."""

from __future__ import annotations

from slicewright.results.judge import Ruling
from slicewright.study.hyperpav import reports
from slicewright.study.studies import named

from docs.generate.tables import table

_BEFORE = """\
# Published data

Made from `published/`; not edited by hand.

Published measurements are data: a folder per source with the copied numbers and a `study.toml`, whose roles and bands
were written before any run that they judge. The page of [roles and verdicts](../concepts/roles-and-verdicts.md)
explains the roles and the verdicts. The results are on the validation pages of
[hyperpav](../validation/hyperpav.md), [mdf](../validation/mdf.md), [hiperdispatch](../validation/hiperdispatch.md),
[diag9c](../validation/diag9c.md), [grs-exits](../validation/grs-exits.md) and [outside](../validation/outside.md).

## hyperpav

Six DEVICE (FCX108) pages from “z/VM HyperPAV Support”, z/VM 5.3: eight 3390-3 volumes of one logical subsystem under a
disk exerciser. The pages are kept to the byte in `published/hyperpav/device-reports/`; every value is computed from
them at full precision.  Constants fitted to the calibrated cells are kept in `published/hyperpav/calibrated.toml`,
written by `slicewright reproduce --calibrate`."""

_MDF = """\
## mdf

Tables 1 to 4 and figure 8 of “Partitioning Large Processors”: IMS and TSO in two domains of an Amdahl 580/MDF, at
scheduling parameters 1, 3 and 5. The document does not describe the column BASE. The numbers are in
`published/mdf/mdf.toml`, with the setup, figures 5 and 6, and the identities that they obey. Constants fitted to the
column of parameter 1 are in `published/mdf/calibrated.toml`. Roles are those of the study's first form; in the
adopted form of [decision 0011](../decisions/0011-mdf-adopted.md) 33 of the 53 are informed.

### Every number, its role and its band"""

_HIPERDISPATCH = """\
## hiperdispatch

Table 1 of “z/VM HiperDispatch” and the numbers in its text on figures 1 to 4: tiles of virtual servers on 1 to 32
processors of a zEC12 and a z10, in horizontal and vertical mode. The numbers are in
`published/hiperdispatch/hiperdispatch.toml`, with the setup and the identities that they obey. A gain is 0 where the
text says that there was little effect. Constants fitted to the calibrated cells are kept in
`published/hiperdispatch/calibrated.toml`. Roles are those of the study's first form; in the adopted form of [decision
0014](../decisions/0014-hiperdispatch-free-wake-ups.md) all 33 judged cells are informed.

### Every number of the figures and of Table 1, its role and its band"""

_DIAG9C = """\
## diag9c

Tables 1 to 4 of “Diagnose X'9C' Support”: an Apache workload under z/VM 5.3 in pairs of runs, in which guests that spin
for locks yield by DIAGNOSE X'44' and by X'9C'. The numbers are in `published/diag9c/diag9c.toml`, with the setup of
each run. Constants fitted to the calibrated cells are an ensemble of sets, kept in
`published/diag9c/calibrated.toml`. The part of table 3 that repeats run E is not listed twice.

### Every number of tables 1 to 4, its role and its band"""

_GRS_EXITS = """\
## grs-exits

The five times of “GRS/MIM Installation Exit Performance”: 999,999 pairs of ENQ and DEQ, not global, for one resource,
on five levels of the operating system and of a multi-image manager. The numbers are in
`published/grs-exits/grs-exits.toml`, with the path of a request on each level. The prices that follow from the
calibrated rows are in `published/grs-exits/calibrated.toml`.

### Every number, its role and its band"""


_OUTSIDE = """\
## outside

Seven measurements of other people: spin locks on too few processors, and small programs under CPU limits. Titles,
authors, addresses, numbers, inputs and assumptions are in `published/outside/outside.toml`. No constant is fitted
([decision 0096](../decisions/0096-outside-study.md)).

### Every number, its role and its band"""


def page() -> str:
    """The page, in Markdown.

    >>> "| Y032181H |" in page()
    True
    """
    parts = [*_hyperpav(), _MDF, _listed("mdf"), _HIPERDISPATCH, _listed("hiperdispatch")]
    parts += [_DIAG9C, _listed("diag9c"), _GRS_EXITS, _listed("grs-exits"), _OUTSIDE, _listed("outside")]
    return "\n\n".join(parts) + "\n"


def _hyperpav() -> list[str]:
    listed = reports()
    runs = [(report.table, report.title, f"{report.bases}", f"{report.aliases_per_volume:g}") for report in listed]
    parts = [_BEFORE, table(("report", "what was run", "bases shown", "aliases per volume"), runs)]
    parts.append("### Every value, its role and its band")
    study = named("hyperpav")
    spec, rows = study.spec(), []
    for cell in study.published(spec):
        place, ruling = cell.place, spec.ruling(cell.place.table, cell.place.row)
        number = f"{cell.value:.4g} {place.unit}".strip()
        rows.append((place.table, f"`{place.row}`", number, _role(ruling), _band(ruling), ruling.note))
    return [*parts, table(("report", "value", "published", "role", "band", "note"), rows)]


def _listed(name: str) -> str:
    study = named(name)
    spec, rows = study.spec(), []
    for cell in study.published(spec):
        ruling = spec.ruling(cell.place.table, cell.place.row, cell.place.column)
        number = f"{cell.value:g} {cell.place.unit}".strip()
        place = (cell.place.table, f"`{cell.place.row}`", cell.place.column)
        rows.append((*place, number, _role(ruling), _either(ruling), ruling.note))
    return table(("table", "value", "column", "published", "role", "band", "note"), rows)


def _role(ruling: Ruling) -> str:
    return f"{ruling.role}, must" if ruling.must else ruling.role


def _band(ruling: Ruling) -> str:
    if not ruling.scored:
        return ""
    return f"{100 * ruling.band.rel:g} %" if ruling.band.rel else f"{ruling.band.abs:g}"


def _either(ruling: Ruling) -> str:
    """A band that may have two parts, of which the wider decides."""
    if not ruling.scored:
        return ""
    band = ruling.band
    parts = [f"{100 * band.rel:g} %" if band.rel else "", f"{band.abs:g}" if band.abs else ""]
    return " or ".join(part for part in parts if part)
