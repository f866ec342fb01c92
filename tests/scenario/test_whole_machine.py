"""A scenario of a whole machine: numbered tables, patterns, growth and paging, as commands and Python take them."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
import slicewright as sw
from slicewright.run.kinds import pooled_classes
from slicewright.scenario.source import read_scenario
from slicewright.scenario.starters import read_starter

from tests.conftest import CommandLine

SITES = ("site-zvm", "site-zos")
SHORT = {"measure.interval": "2 s", "measure.warm_up": "0.5 s", "measure.replications": 4}
NUMBERED = """
name = "Numbered"
assume = "made up"
[[volume]]
name = "BWP[S0..S3]"
device = "1000"
service = { connect = "1 ms" }
[[guest]]
name = "G"
count = 8
program = [ { think = "4 ms" }, { io = { uniform = ["BWP*"] } } ]
"""
WRITTEN = NUMBERED.replace(
    '[[volume]]\nname = "BWP[S0..S3]"\ndevice = "1000"\nservice = { connect = "1 ms" }\n',
    "".join(
        f'[[volume]]\nname = "BWPS{at}"\ndevice = "{1000 + at}"\nservice = {{ connect = "1 ms" }}\n' for at in range(4)
    ),
).replace('["BWP*"]', '["BWPS0", "BWPS1", "BWPS2", "BWPS3"]')


def test_the_short_form_is_the_long_form() -> None:
    short, long = (read_scenario(text, {"measure.interval": "1 s"}) for text in (NUMBERED, WRITTEN))
    assert short.resolved == long.resolved
    assert short.checksum == long.checksum


def test_members_are_changed_one_by_one() -> None:
    scenario = read_scenario(NUMBERED)
    changed = scenario.with_({"volume.BWPS2.gap": "0.1 ms"})
    assert [volume.gap_s for volume in changed.view.volumes] == [0, 0, 0.0001, 0]
    assert changed.with_({"volume.BWP[S0..S1].gap": "0.1 ms"}).given("volume.BWPS1.gap") == "set"


@pytest.mark.parametrize("words", [("site", "zvm"), ("site-zvm",)])
def test_a_starter_of_two_words(slicewright: CommandLine, words: tuple[str, ...]) -> None:
    assert slicewright("new", *words).out == sw.starter("site-zvm")


def test_a_site_without_a_system_is_refused_with_the_nearest(slicewright: CommandLine) -> None:
    said = slicewright("new", "site")
    assert said.status == 2
    assert "no starter is called `site`" in said.err
    assert "site-z" in said.err


@pytest.mark.parametrize("kind", SITES)
def test_a_site_runs_and_grows(kind: str) -> None:
    assert not read_starter(kind).warnings
    guests = {}
    for growth in ("0 %", "50 %"):
        run = sw.run(sw.starter(kind), set={**SHORT, "class.orders.growth": growth})
        guests[growth] = dict(run.pooled["guests"].group_by("guest").agg(pl.col("cycles_per_s").mean()).rows())
    assert guests["50 %"]["ORDERS"] == pytest.approx(1.5 * guests["0 %"]["ORDERS"], rel=0.1)
    assert guests["50 %"]["PAGING"] == pytest.approx(guests["0 %"]["PAGING"], rel=0.1)


def test_paging_is_as_many_ios_as_its_pages_make() -> None:
    run = sw.run(sw.starter("site-zvm"), set=SHORT)
    rates = dict(run.pooled["volumes"].group_by("volume").agg(pl.col("io_per_s").mean()).rows())
    paged = sum(rate for volume, rate in rates.items() if volume.startswith("PAGE"))
    # A Poisson stream of 200/s for four times 2 s has a standard error of 5/s.
    assert paged == pytest.approx((900 + 700) / 8, abs=15)


def test_the_view_has_classes_and_what_belongs_to_them() -> None:
    view = read_starter("site-zvm").with_({"class.office.growth": "10 %"}).view
    assert [each.name for each in view.classes] == ["orders", "reports", "office"]
    assert {guest.name: guest.of_class for guest in view.guests}["QUERIES"] == "orders"
    assert {guest.name: guest.growth_percent for guest in view.guests}["USERS"] == 10
    assert [(paging.name, paging.growth_percent) for paging in view.pagings] == [("PAGING", 10), ("SPOOLING", None)]


@pytest.mark.parametrize("kind", SITES)
def test_the_type_of_a_channel_is_explained_with_its_source(
    slicewright: CommandLine, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "site.toml"
    path.write_text(sw.starter(kind))
    rows = json.loads(slicewright("explain", path, "--format", "json").out)["numbers"]
    rows = [row for row in rows if row["key"].startswith("channel.") and row["key"].endswith(".per_io")]
    assert len(rows) == 4
    assert {row["role"] for row in rows} == {"default"}
    assert all("(IBM, FICON performance)" in row["why"] for row in rows)


def test_growth_is_an_axis_of_a_sweep(tmp_path: Path) -> None:
    made = sw.sweep(
        NUMBERED.replace("count = 8", 'count = 8\nclass = "all"') + '[[class]]\nname = "all"\n',
        ["class.all.growth=0..100:50 %"],
        set={"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2},
        out=tmp_path / "store",
    )
    rates = made.points.sort("class.all.growth").get_column("system.io_per_s").to_list()
    assert len(rates) == 3
    assert rates == sorted(rates)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ('growth = "40 %"', "unknown key `growth`"),
        ('[[class]]\nname = "a"\ngrowth = "-100 %"', "leaves nothing"),
        ('[[volume]]\nname = "P[0..]"\ndevice = "2000"\nservice = { connect = "1 ms" }', "there is no `count`"),
        ('[[volume]]\nname = "P0"\ncount = 2\ndevice = "2000"\nservice = { connect = "1 ms" }', "does not count up"),
        ('[[paging]]\nname = "P"\nvolumes = ["BWP*"]\nreads = "1/s"', "`pages_per_io` is missing"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(slicewright: CommandLine, tmp_path: Path, wrong: str, says: str) -> None:
    path = tmp_path / "wrong.toml"
    head, _, tail = NUMBERED.partition("[[volume]]")
    path.write_text(f"{head}{wrong}\n[[volume]]{tail}")
    said = slicewright("run", path)
    assert said.status == 2
    assert says in said.err
    assert "wrong.toml:" in said.err


@pytest.mark.parametrize("kind", SITES)
def test_a_class_is_its_guests_together(tmp_path: Path, kind: str) -> None:
    few = {**SHORT, "measure.replications": 2}
    run, grown = (sw.run(sw.starter(kind), set={**few, **more}) for more in ({}, {"class.orders.growth": "50 %"}))
    view = read_scenario(run.scenario).view
    names = [guest.name for guest in view.guests if guest.of_class == "orders"]
    own = run.pooled["guests"].filter(pl.col("guest").is_in(names))
    together = pooled_classes(run).filter(pl.col("class") == "@orders")
    first, whole = own.filter(pl.col("replication") == 0), together.row(0, named=True)
    assert whole["guests"] == len(names) > 1
    assert whole["cycles_per_s"] == pytest.approx(first["cycles_per_s"].sum())
    # Little's law holds for the class: people in it are cycles a second x the time of one.
    assert whole["cycles_per_s"] * whole["cycle_ms"] / 1000 == pytest.approx(whole["population"], rel=0.15)
    assert whole["cycle_p95_ms"] is None
    assert "PAGING" not in names
    assert "  @orders" in str(run)
    compared = sw.compare(run, grown)
    (more,) = [row for row in compared.of("classes", ["cycles_per_s"]) if row["entity"] == "@orders"]
    assert more["before"] == pytest.approx(together["cycles_per_s"].mean())
    assert more["change_percent"] == pytest.approx(50, abs=15)
    assert "classes.@orders" in {row.subject for row in compared.framed()}


def test_a_run_without_classes_has_no_table_of_them() -> None:
    assert "Classes of business" not in str(sw.run(NUMBERED, replications=1, set={"measure.interval": "1 s"}))
