"""What the examples of this folder start from: the published report of one volume without aliases, and its advice."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache, partial

import polars as pl
from slicewright.advise.aliases.answer import Answer, compare
from slicewright.advise.aliases.curve import Curve
from slicewright.advise.aliases.day import DayAnswer, answer_day
from slicewright.advise.aliases.depth import DepthAnswer, answer_depths
from slicewright.advise.aliases.evidence import PoolReport, borrow, read_pools
from slicewright.advise.aliases.from_reports import Basis, Case, answer_reports
from slicewright.advise.aliases.readings import Explored, Search, explore_pool
from slicewright.advise.aliases.request import AliasRequest, Assumed
from slicewright.advise.day import Day
from slicewright.advise.target import Target
from slicewright.experiment.plan import Plan
from slicewright.measured.measured import Measured
from slicewright.reading.pool import (
    Load,
    LoadSimulations,
    VolumeLoad,
    concurrency,
    plan_for,
    scenario_text,
)
from slicewright.run.run import run
from slicewright.values.carried import study_folder

TABLE = "Y040180P"
"""The run: one volume, no aliases (z/VM HyperPAV Support, DASD Tuning via Classic PAV)."""

FILE = study_folder("hyperpav") / "device-reports" / f"{TABLE}.txt"

QUESTION = AliasRequest(
    target=Target("response_ms", "<=", 1.5), assumed=Assumed(population=3, sharing_percent=2.0, redispatch="none")
)
"""ASSUME: three requests; sharing and policy are given, so that there is little to search and examples are quick."""

INTERVAL_S = 20.0
"""Length of an interval of the day."""

IOS = 20_000
"""I/Os simulated per point: fewer than advice takes, which is enough for one or two digits."""


@cache
def report(table: str = TABLE) -> PoolReport:
    """The first pool of a published report."""
    return read_pools((FILE.parent / f"{table}.txt").read_bytes(), f"{table}.txt")[0]


def load() -> Load:
    """A first guess of the load behind the report: three requests, service as printed."""
    volume = VolumeLoad("BWPVS0", "522A", "3390-3", 3, 755.0, 0.3, 0.2, 0.2, 0.9)
    return Load("guess", "pool-522A", (volume,), 0.03, 2.0, "assumed", "none", False, 4)


@cache
def simulations() -> LoadSimulations:
    """Where the examples simulate: four short replications."""
    return LoadSimulations(plan_for(report().io_per_s, 4000 / report().io_per_s, IOS, 4), case().sources)


def case() -> Case:
    """The report with the question."""
    return Case((report(),), QUESTION, borrow())


def search() -> Search:
    """The search for the readings of the report."""
    return Search(case().reports, QUESTION.assumed, case().borrowed, simulations())


@cache
def explored() -> Explored:
    """The readings that it finds."""
    return explore_pool(search())


@cache
def curves() -> list[Curve]:
    """The curve of each reading that fits."""
    loads = [reading.load for reading in explored().accepted]
    return [Curve(load.name, partial(simulations().simulate, load), 2 * (concurrency(load) or 1)) for load in loads]


@cache
def basis() -> Basis:
    """The reports, readings and comparison that the words of the answer describe."""
    return Basis(case().reports, explored(), compare(curves(), QUESTION, (0, 2), 0.0), case().borrowed, QUESTION)


@cache
def advice() -> Answer:
    """The answer, simulated at full length."""
    return answer_reports(case())


@cache
def day() -> Day:
    """Three intervals of one volume without aliases: its guests are two, in the second interval three."""
    few, many = (run(_world(population), replications=1) for population in (2, 3))
    raw = dict(few.raw)
    for name in raw:
        parts = [each.raw[name].with_columns(interval=pl.lit(at)) for at, each in enumerate((few, many, few))]
        raw[name] = pl.concat(parts) if not few.raw[name].is_empty() else few.raw[name]
    ends = [int(1e6 * INTERVAL_S * at) for at in range(1, 4)]
    measured = Measured(name="LAB", version="", raw=raw, replications=1, starts_us=[0, *ends[:2]], ends_us=ends)
    return Day("monday", measured, (0, 1, 2))


@cache
def day_advice() -> DayAnswer:
    """The advice on that day, with sharing and policy given."""
    (found,) = answer_day(day(), AliasRequest(assumed=replace(QUESTION.assumed, population=None, arrivals="closed")))
    return found


def _world(population: int) -> str:
    """The volume of the first guess, with this number of guests."""
    first = load()
    volume = replace(first.volumes[0], population=population)
    return scenario_text(replace(first, volumes=(volume,)), 0, Plan(INTERVAL_S, 0.5, 1), case().sources)


def depth_advice() -> DepthAnswer:
    """Advice on queue depth, from results of fio made up for a disk that serves four requests at once.

    >>> depth_advice().recommendation.aliases
    4
    """
    jobs = [
        {
            "jobname": f"d{depth}", "job options": {"filename": "/dev/sdb", "iodepth": str(depth)},
            "read": {"iops": min(depth, 4) * 1000.0, "bw": 4096, "runtime": 1000,
                     "lat_ns": {"mean": 1e6 * max(1.0, depth / 4)}, "clat_ns": {}},
        }
        for depth in (1, 2, 4, 8)
    ]  # fmt: skip
    data = json.dumps({"fio version": "fio-3.33", "jobs": jobs}).encode()
    return answer_depths([("fio.json", data)], AliasRequest())[0]
