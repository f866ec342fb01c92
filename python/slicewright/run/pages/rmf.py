"""A simulated run as RMF pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from slicewright.run.pages.checks import checks, remarks
from slicewright.scenario.sharing import Domain, Sharing, sharing_of, volumes_by_partition
from slicewright.values.catalogue import TABLE_PAGES

if TYPE_CHECKING:
    from slicewright.run.results import Results

VIEWS = ("true", "sampled")
"""How a page sees queues: by exact times from outside, or as the domain's own program samples them."""

_START = "\nshares are those at the start; the scenario changes them"


def direct_access_page_of(
    run: Results, level: str = "current", view: str | None = None, partition: str | None = None
) -> str:
    """The run as pages in the style of RMF DIRECT ACCESS DEVICE ACTIVITY: a row per volume, means over replications.

    `level` is "current" (z/OS) or "classic" (MVS/XA, where IOSQ is made of the sampled queue).  RESP is the sum of
    IOSQ, PEND, DISC and CONN (Partitioning Large Processors, 4.0).  In the view "sampled" each domain that measures
    itself has its own page, with the queue, samples and cycle of its program.  It is the default where
    there is such a domain, and the same as "true" where there is none.  `partition` leaves the page of its volumes
    alone.  Raises ValueError for an unknown level or view, KeyError for an unknown partition.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run = slicewright.run(starter("mm1"), replications=2)
    >>> print(direct_access_page_of(run, "classic"))
                                  D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y
    ...
    """
    if view is not None and view not in VIEWS:
        raise ValueError(f"view {view!r}; allowed: {', '.join(VIEWS)}")
    inside = [domain for domain in _domains(run) if domain.cycle_s is not None and view != "true"]
    volumes = volumes_by_partition(run.view)
    if partition is not None:
        named = {domain.name: domain for domain in _domains(run)}[partition]
        return _direct_access(run, level, named, (volumes.get(partition, []), named in inside))
    if not inside:
        return _direct_access(run, level, None, None)
    pages = [
        _direct_access(run, level, domain, (volumes[domain.name], True)) for domain in inside if domain.name in volumes
    ]
    own = {name for domain in inside for name in volumes.get(domain.name, ())}
    rest = [name for name in run.volumes["volume"].to_list() if name not in own]
    if rest:
        pages.append(_direct_access(run, level, None, (rest, False)))
    return "\n".join(pages)


def cpu_pages_of(run: Results) -> dict[str, str]:
    """The logical processors of each partition of the run as a page in the style of RMF CPU ACTIVITY, by partition.

    LPAR BUSY is the time dispatched, switches included, MVS BUSY the time with work, dispatched or not.  PARKED is by a
    control program.
    % VIA TPI is 100 TPI / (SLIH + TPI).  Empty where the run has no partitions.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run = slicewright.run(starter("two-domains"), replications=2, set={"measure.interval": "5 s"})
    >>> list(cpu_pages_of(run))
    ['PEMDFI', 'PEMDFT']
    """
    import polars as pl

    from slicewright._core import cpu_page

    sharing = sharing_of(run.view)
    pages = {}
    for domain in sharing.domains if sharing else ():
        title = title_of(run, domain.name) | {"samples": 0} | _inside(run, domain)
        title["shares"] = sharing.logical_shares(domain.name) if sharing else []
        own = run.control_processors.filter(pl.col("partition") == domain.name)
        title["parked"] = own["parked_percent"].to_list()
        title["note"] += _START if sharing and sharing.changing else ""
        rows = run.logical_processors.filter(pl.col("partition") == domain.name)
        online = run["online_processors"].filter(pl.col("partition") == domain.name)["online_percent"].to_list()
        if online:  # the page has no line for a processor that was never online
            there = [number for number, percent in enumerate(online) if percent > 0]
            rows = rows[there]
            title["shares"] = [title["shares"][number] for number in there]
            online = [online[number] for number in there]
        title["online"] = online
        pages[domain.name] = cpu_page(title, rows.to_dict(as_series=False))
    return pages


def partition_page_of(run: Results, seen_from: str | None = None) -> str:
    """The partitions of the run as a page in the style of RMF PARTITION DATA; empty where the run has none.

    EFFECTIVE is the time dispatched; a partition that waits and stays dispatched is effective (WAIT COMPLETION YES).
    TOTAL = LPAR MGMT + EFFECTIVE, where LPAR MGMT is what switching to the partition took.  `seen_from` is the
    partition whose RMF is meant to print it, the first one by default.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run = slicewright.run(starter("two-domains"), replications=2, set={"measure.interval": "5 s"})
    >>> "*PHYSICAL*" in partition_page_of(run)
    True
    """
    from slicewright._core import partition_page

    sharing = sharing_of(run.view)
    if sharing is None or run.partitions.is_empty():
        return ""
    title = title_of(run, run.name) | {
        "samples": 0,  # partitions are measured, not sampled
        "seen_from": seen_from or sharing.domains[0].name,
        "physical": sharing.processors,
        "waits": sharing.waits,
        "dispatch_interval": _dispatch_interval(sharing),
        "settings": [
            (_weight(domain), "YES" if domain.capped else "NO", _online(run, domain.name)) for domain in sharing.domains
        ],
    }
    title["note"] += _START if sharing.changing else ""
    if all(domain.weight is None for domain in sharing.domains if not domain.dedicated):
        title["note"] += "\nWGT is TARGET CPU PERCENTAGE; CAPPING DEF says whether MAXIMUM CPU PERCENTAGE is below 100"
    return partition_page(title, run.partitions.to_dict(as_series=False))


def table_page_of(run: Results, page: str) -> str:
    """The page of this name that is made of one table (`catalogue.TABLE_PAGES`): means over replications."""
    from slicewright._core import table_page

    title = title_of(run, run.name) | {"samples": 0}  # these tables are measured, not sampled
    return table_page(page, title, run[TABLE_PAGES[page].table].to_dict(as_series=False))


def _online(run: Results, partition: str) -> float | None:
    """How many processors of a partition were online on average; None where all were all the time."""
    import polars as pl

    percents = run["online_processors"].filter(pl.col("partition") == partition)["online_percent"]
    return None if percents.is_empty() else float(percents.sum()) / 100


def _dispatch_interval(sharing: Sharing) -> str:
    """As printed: a slice that all have alike, a run time that the scenario sets, or that PR/SM computes it."""
    lengths = set(sharing.slices().values())
    if sharing.slice_s is None:
        return "DYNAMIC" if sharing.run_s is None else f"{1000 * sharing.run_s:g} ms"
    return f"{1000 * lengths.pop():g} ms" if len(lengths) == 1 else ""


def _direct_access(run: Results, level: str, domain: Domain | None, of: tuple[list[str], bool] | None) -> str:
    """One page, of a domain or of all: of these volumes, or of all, and whether as the domain's own program saw it."""
    import polars as pl

    from slicewright._core import direct_access_page

    devices, rows = run.devices, run.volumes
    volumes, inside = of or (None, False)
    if volumes is not None:
        rows = rows.filter(pl.col("volume").is_in(volumes))
        devices = devices.filter(pl.col("label").is_in(volumes))
    title = title_of(run, run.name if domain is None else domain.name)
    title |= {"level": level, "view": "true", "partitions": list(_names(run))}
    if domain is not None and inside:
        title |= _inside(run, domain) | {"view": "sampled"}
        title["note"] += "".join(f"\n{remark}" for remark in remarks(checks(run)) if f" of {domain.name}: " in remark)
    return direct_access_page(title, devices.to_dict(as_series=False), rows.to_dict(as_series=False))


def title_of(run: Results, name: str) -> dict[str, Any]:
    """The facts on a run in the head of a page, under this name."""
    from slicewright.statistics import plural

    measure = run.view.measure
    return {
        "run": name,
        "interval_s": run.measured_s,
        "samples": measure.intervals * round(measure.interval_s / measure.sample_s),
        "cycle_s": None,
        "note": f"simulated by slicewright {run.version}, {plural(run.replications, 'replication')}, seed {run.seed}",
    }


def _inside(run: Results, domain: Domain) -> dict[str, Any]:
    """Samples and cycle of the program that measures a domain from inside; nothing to tell where there is none."""
    import polars as pl

    if domain.cycle_s is None:
        return {}
    (row,) = run.partitions.filter(pl.col("partition") == domain.name).to_dicts()
    taken = row["samples_taken"]
    return {"samples": 0 if taken is None else round(taken), "cycle_s": domain.cycle_s}


def _domains(run: Results) -> tuple[Domain, ...]:
    sharing: Sharing | None = sharing_of(run.view)
    return sharing.domains if sharing else ()


def _names(run: Results) -> Iterator[str]:
    yield from (domain.name for domain in _domains(run))


def _weight(domain: Domain) -> str:
    if domain.dedicated:
        return "DED"
    wanted = domain.target if domain.weight is None else domain.weight
    return "-" if wanted is None else f"{wanted:g}"
