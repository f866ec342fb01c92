"""The page of recorded arrivals: the columns of a file that a guest replays, and what stands in them.

It leaves out how a scenario names the file, which the reference of scenario files says.
"""

from __future__ import annotations

from slicewright.recording import COLUMNS, DEFAULT_BYTES, MOST_BYTES, MOST_RECORDS

from docs.generate.tables import table

WORDS = {
    "time_s": "when the I/O arrives, in seconds",
    "time_ms": "the same in milliseconds",
    "time_us": "the same in microseconds",
    "volume": "where it goes: the name of a volume or minidisk, or the device number of a volume",
    "bytes": f"how much it transfers, up to {MOST_BYTES >> 20} MiB",
    "access": "`read` or `write`; `R` and `W` do as well",
}
"""What stands in each column."""

ABSENT = {"volume": "required", "bytes": f"{DEFAULT_BYTES:,}", "access": "read"}
"""What holds where a column, or a cell of it, is absent."""

_BEFORE = f"""\
# Recorded arrivals

Made from the reader's own list of columns; not edited by hand.

A guest with `replay = "io.csv"` in place of `count` or `arrivals` does the I/Os of a recording, each at its own time:
nothing of when, where or how much is drawn. The file is CSV with a heading, or Parquet, told apart by content; its name
is relative to the scenario. It has up to {MOST_RECORDS:,} rows, in the order of time.

Time counts from the start of the first interval. The {{term}}`warm-up` comes before it, without recorded arrivals. What
is recorded for after the end of the last interval is not simulated."""

_AFTER = """\
```text
time_ms,volume,bytes,access
0,BWPVS0,4096,read
0.35,BWPVS1,4096,read
0.8,522A,8192,write
```

Whatever is wrong with the rows is listed at once, with line and column. A run directory keeps the file byte by byte, so
that the run can be repeated from it ([run directory](run-directory.md))."""


def page() -> str:
    """The page, in Markdown; raises KeyError for a column of which nothing is said here.

    >>> "| `volume` |" in page()
    True
    """
    rows = [(f"`{name}`", WORDS[name], ABSENT.get(name, "one of the three is required")) for name in COLUMNS]
    return "\n\n".join([_BEFORE, table(("column", "what it says", "absent"), rows), _AFTER]) + "\n"
