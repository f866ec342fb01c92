"""Pages of what is enqueued on by name: ENQUEUE ACTIVITY in the style of RMF, and contention in that of DISPLAY GRS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slicewright.run.pages.rmf import table_page_of, title_of

if TYPE_CHECKING:
    from slicewright.run.results import Results


def enqueue_page_of(run: Results) -> str:
    """The resources by name that were in contention, as a page in the style of RMF ENQUEUE ACTIVITY.

    Times are in ms, queue lengths in percent of the time in contention; means over replications.

    """
    return table_page_of(run, "rmf-enqueue")


def contention_page_of(run: Results) -> str:
    """Owners, waiters and blockers of the resources in contention at the end of replication 0; deadlocks by number.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run = slicewright.run(starter("enq-exits"), replications=2, set={"measure.interval": "2 s"})
    >>> print(contention_page_of(run))
    Contention in the style of DISPLAY GRS,C and DISPLAY GRS,ANALYZE, written by slicewright
    ...
    """
    from slicewright._core import contention_page

    note = title_of(run, run.name)["note"]
    if run.replications > 1:
        note += "; that of the first"
    return contention_page(note, {name: list(values) for name, values in _at_the_end(run).items()})


def contention_rows(run: Results) -> list[dict[str, Any]]:
    """The same as rows, one per request.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run = slicewright.run(starter("mm1"), replications=2, set={"measure.interval": "2 s"})
    >>> contention_rows(run)
    []
    """
    columns = _at_the_end(run)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _at_the_end(run: Results) -> dict[str, list[Any]]:
    """The columns of the log with the rows of the last interval."""

    end_s = run.view.measure.measured_s
    frame = run.contention
    return frame.filter((frame["at_s"] - end_s).abs() < 1e-6).to_dict(as_series=False)
