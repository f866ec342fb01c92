"""`slicewright report`: a run printed in the form that analysts know, or written for other tools."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, NoReturn

from slicewright.cli.command import Given, command
from slicewright.report import text
from slicewright.report.model import Column, Report, Section, Table
from slicewright.values.catalogue import (
    ALSO,
    OF_CONTROL_PROGRAMS,
    OF_DEVICES,
    OF_NAMES,
    OF_PARTITIONS,
    PAGES,
    TABLE_PAGES,
)
from slicewright.values.console import print_json
from slicewright.values.settings import FOR_TOOLS

if TYPE_CHECKING:
    from slicewright.measured.measured import Measured
    from slicewright.run.results import Results
    from slicewright.run.run import Run
    from slicewright.run.tabulated import Tabulated

_CATALOGUE = Report(
    "Pages",
    sections=[
        Section(
            "", [Table([Column("page", "page", itemgetter(0)), Column("shows", "", itemgetter(1))], [*PAGES.items()])]
        )
    ],
)


@command("report")
def report(given: Given) -> int:
    """Print a page of a run, or write the run as monitor data for other tools.

    \b
    Example:
      slicewright report runs/8 --page fcx108
      slicewright report runs/8 --verify
      slicewright report runs/mdf --page rmf-dasd-classic --view true --partition PEMDFI
      slicewright report runs/8 --format monwrite --out 8.monwrite
    """
    from slicewright.run.run import Run

    run, page, view, partition = given.run, given.page, given.view, given.partition
    interval, format = given.interval, given.format
    if given.verify:
        _refuse_beside("verify", page, view, partition)
        return _verified(run, format)
    if format in FOR_TOOLS:
        return _export(given)
    if given.out is not None:
        _refuse("it holds formats for other tools", key="out", allowed=f"--format {', '.join(FOR_TOOLS)}")
    if page is None:
        _loaded(run)
        print(text.render(_CATALOGUE), end="")
        return 0
    name = ALSO.get(page.lower(), page.lower())
    _refuse_unknown(name, view)
    if name == "checks":
        return _checks(run, format)
    result = _loaded(run)
    if not isinstance(result, Run):
        return _measured(result, name, interval, format)
    _refuse_missing(result, name)
    if interval is not None:
        _refuse("the run is simulated", key="interval", why=f"{name} shows the means over its intervals")
    _refuse_unknown_partition(result, name, partition)
    if format == "json":
        print_json(_rows(result, name, partition))
    else:
        print(_text(result, name, (view, partition)), end="")
    return 0


def _loaded(run: str) -> Run | Measured:
    from slicewright.measured.loading import load

    return load(run)


def _refuse_unknown(page: str, view: str | None) -> None:
    from slicewright.run.pages.rmf import VIEWS
    from slicewright.values.errors import nearest

    if page not in PAGES:
        _refuse(f"there is no page {page!r}", key="page", allowed=", ".join(PAGES), nearest=nearest(page, PAGES))
    if view is None:
        return
    if not page.startswith("rmf-dasd"):
        _refuse(f"{page} has one view", key="view", why="only rmf-dasd shows queues as they were and as sampled")
    if view not in VIEWS:
        _refuse(f"there is no view {view!r}", key="view", allowed=", ".join(VIEWS), nearest=nearest(view, VIEWS))


def _measured(run: Measured, page: str, interval: int | None, format: str) -> int:
    """The page of measured intervals: of one of them, or of the mean of all."""
    from slicewright.measured.pages import page_of, rows_of

    run = run if interval is None else run.at(interval)
    if format == "json":
        print_json(rows_of(run, page))
    else:
        print(page_of(run, page), end="")
    return 0


def _refuse_missing(run: Tabulated, page: str) -> None:
    """Refuse a page of something that the run does not have."""
    if page in OF_DEVICES and run.volumes.is_empty():
        _refuse("the run has no volumes", key="page", why=f"{page} is a page of their devices (volume in the scenario)")
    if page in OF_PARTITIONS and (run.partitions.is_empty() or not run.cgroups.is_empty()):
        _refuse("the run has no partitions", key="page", why=f"{page} is a page of partitions")
    if page in OF_CONTROL_PROGRAMS and run.control_programs.is_empty():
        why = f"{page} is a page of a control program (partition.control_program in the scenario)"
        _refuse("the run has no control program", key="page", why=why)
    made = TABLE_PAGES["rmf-enqueue"] if page in OF_NAMES else TABLE_PAGES.get(page)
    if made is not None and run[made.table].is_empty():
        _refuse(f"the run has no {made.lacks}", key="page", why=f"{page} is a page of {made.shows}")
    if page == "spinlocks" and run.spin_locks.is_empty():
        _refuse("the run has no spin locks", key="page", why=f"{page} is a page of them (spin_lock in the scenario)")


def _refuse_unknown_partition(run: Results, page: str, partition: str | None) -> None:
    from slicewright.values.errors import nearest

    if partition is None:
        return
    if page in OF_NAMES or not (page.startswith("rmf-") or page in OF_CONTROL_PROGRAMS):
        why = "only RMF pages and those of control programs are those of one"
        _refuse(f"{page} is not of partitions", key="partition", why=why)
    table = run.control_programs if page in OF_CONTROL_PROGRAMS else run.partitions
    names = table["partition"].to_list() if not table.is_empty() else []
    if partition not in names:
        of = "with a control program" if page in OF_CONTROL_PROGRAMS else ""
        what, near = f"there is no partition {partition!r} {of}".rstrip(), nearest(partition, names)
        _refuse(what, key="partition", allowed=", ".join(names) or "none: the run has no partitions", nearest=near)


def _refuse(what: str, **facts: str) -> NoReturn:
    from slicewright.values.errors import problem, refusal

    raise refusal(problem(what, **facts))


def _refuse_beside(key: str, *options: str | int | None) -> None:
    if any(option is not None for option in options):
        allowed = "RUN and --format" if key == "verify" else "RUN, --out, --replication, --system and --start"
        _refuse("prints no page", key=key, allowed=allowed)


def _export(given: Given) -> int:
    """Write a run in a format for other tools."""
    from slicewright.measured import dds
    from slicewright.measured.export import check_replication, clock_us, monwrite, smf, start_of
    from slicewright.measured.openmetrics import openmetrics
    from slicewright.statistics import plural
    from slicewright.values.files import refuse_unwritable, write_whole

    out, format, replication = given.out, given.format, given.replication
    _refuse_beside(format, given.page, given.view, given.partition, given.interval)
    if out is None:
        _refuse(f"--format {format} needs a file to write", key="out", remedy=f"name it: --out 8.{format}")
    loaded = _loaded(given.run)
    start = given.start or start_of(loaded)
    if format == "dds":
        count = dds.save(loaded, out, replication=replication, system=given.system, start_us=clock_us(start))
        print(f"{out}: {plural(count, 'document')}, written by slicewright; columns that it does not have are absent")
        return 0
    refuse_unwritable(out)
    if format == "openmetrics":
        check_replication(loaded, replication)
        data = openmetrics(loaded, replication=replication, start_us=clock_us(start)).encode()
        rest = "counters without a value have no sample"
    else:
        write = smf if format == "smf" else monwrite
        named = {} if given.system is None else {"system": given.system}
        data = write(loaded, replication=replication, start=start, **named)
        rest = "fields that it does not have are zero"
    write_whole(out, data)
    print(f"{out}: {plural(len(data), 'byte')}, written by slicewright; {rest}")
    return 0


def _verified(run: str, format: str) -> int:
    from slicewright.cli.guard import WRONG_INPUT
    from slicewright.run.integrity import verify
    from slicewright.statistics import plural
    from slicewright.values.errors import refusal

    verdicts = verify(run)
    wrong = [verdict for verdict in verdicts if not verdict.fine]
    if format == "json":
        print_json([verdict.as_row() for verdict in verdicts])
        return WRONG_INPUT if wrong else 0
    if wrong:
        raise refusal(*(verdict.as_problem(run) for verdict in wrong))
    print(f"{plural(len(verdicts), 'file')}: each is what was written, and estimates, numbers and page follow from it")
    for verdict in verdicts:
        if verdict.state != "ok":
            print(f"{verdict.state}: {verdict.file}: {verdict.why}")
    return 0


def _checks(run: str, format: str) -> int:
    from slicewright.run.pages.checked_files import checks_of_file
    from slicewright.run.pages.checks import checks_report

    checks = checks_of_file(run)
    if format == "json":
        print_json([check.as_row() for check in checks])
    else:
        print(text.render(checks_report(checks)), end="")
    return 0


def _text(run: Results, page: str, of: tuple[str | None, str | None]) -> str:
    """The page, in the requested view and of the requested partition."""
    from slicewright.run.pages.rmf import direct_access_page_of, partition_page_of, table_page_of
    from slicewright.run.pages.run import device_page_of, pool_listing_of

    view, partition = of
    if page in TABLE_PAGES:
        return table_page_of(run, page)
    if page == "contention":
        from slicewright.run.pages.enqueues import contention_page_of

        return contention_page_of(run)
    if page == "query-pav":
        return pool_listing_of(run)
    if page == "rmf-cpu" or page in OF_CONTROL_PROGRAMS:
        pages = _pages_by_partition(run, page)
        return pages[partition] if partition else "\n".join(pages.values())
    if page == "rmf-partition":
        return partition_page_of(run, partition)
    if page.startswith("rmf-dasd"):
        return direct_access_page_of(run, "classic" if page == "rmf-dasd-classic" else "current", view, partition)
    return device_page_of(run, "correct" if page == "fcx108-correct" else "toolkit")


def _pages_by_partition(run: Results, page: str) -> dict[str, str]:
    from slicewright.run.pages.control_programs import PARKING, log_pages_of, parking_pages_of
    from slicewright.run.pages.rmf import cpu_pages_of

    if page == "rmf-cpu":
        return cpu_pages_of(run)
    return parking_pages_of(run) if page == PARKING else log_pages_of(run, page)


def _rows(run: Results, page: str, partition: str | None) -> list[dict[str, Any]]:
    """The rows of the page: one per device, or per volume, processor or partition where the page has those."""
    if page in OF_CONTROL_PROGRAMS:
        from slicewright.run.pages.control_programs import rows_of

        return rows_of(run, page, partition)
    if page in TABLE_PAGES:
        return run[TABLE_PAGES[page].table].to_dicts()
    if page == "contention":
        from slicewright.run.pages.enqueues import contention_rows

        return contention_rows(run)
    if page == "query-pav":
        return _members(run)
    if page == "rmf-cpu":
        return run.logical_processors.to_dicts()
    if page == "rmf-partition":
        return run.partitions.to_dicts()
    return run.volumes.to_dicts() if page.startswith("rmf-dasd") else run.devices.to_dicts()


def _members(run: Results) -> list[dict[str, Any]]:
    """A row per device: its role, its pool (of a base too), and of a classic alias its base."""
    pools = dict(run.volumes.select("device", "pool").iter_rows())
    columns = run.devices.select("device", "role", "base", "pool").iter_rows()
    return [
        {"device": device, "role": role, "base": base, "pool": pool or pools.get(device, "")}
        for device, role, base, pool in columns
    ]
