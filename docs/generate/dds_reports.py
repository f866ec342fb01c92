"""The page of the reports that `export --format dds` writes: their columns, and the columns that they lack."""

from __future__ import annotations

from slicewright.measured.dds import REPORTS, Report

from docs.generate.tables import table

_BEFORE = """\
# DDS reports

Made from the columns in the code; not edited by hand.

`slicewright report RUN --format dds --out DIR` writes the intervals of a run, simulated or measured, as answers of
RMF's Distributed Data Server (DDS). Each answer is a document in XML: one Monitor III report of one interval of one
system, as `/gpm/rmfm3.xml?report=DEVR&resource=,SYSTEM,MVS_IMAGE` returns it. `DEVR-0003.xml` is the report DEVR of
interval 3, counted from 0; the file `LIST` has the names of all documents. `--system` names the system, `--start` is
its local time at the start.

**Origin.** The elements of a report are those of IBM's *z/OS RMF Reporter Programmer's Guide*, Report element: metric,
resource, time data, rows, column headers. Names of columns are those of the style sheet `reptrans.xsl` of the DDS. No
sample document was found. Elements of the time data were found in clients that read them, such as Zowe Zebra and IBM's
RMF plugin for Grafana.

**Absent** are columns that a run has no counter for, captions, and the number of samples. A cell is empty where its
value is not known:

- The shares of a volume in DEVR, where its I/Os ran on aliases. How the DDS divides by the exposures is not known.
- Physical utilization in CPC, for measured intervals: their records do not have the number of physical processors.
- UTC in the time data, where records have local time only."""


def page() -> str:
    """The page, in Markdown."""
    return "\n\n".join([_BEFORE, *(_section(name, report) for name, report in REPORTS.items())]) + "\n"


def _section(name: str, report: Report) -> str:
    rows = [(f"`{column.id}`", column.meaning, f"`{column.type}`") for column in report.columns]
    head = f"## {name}: {report.title}\n\nOne row per row of the table `{report.table}`.\n\n"
    return head + table(("column", "meaning", "type"), rows)
