"""Does the listing of a run's pools show the pool of each device, and does our own reader understand it?"""

from __future__ import annotations

import json
from pathlib import Path

import slicewright
from slicewright._core import PoolListing
from slicewright.run.pages.run import pool_listing_of

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

SCENARIOS = ROOT / "scenarios"
SHORT = ["measure.interval=1 s", "measure.sample=50 ms", "measure.replications=2"]


def test_our_own_reader_reads_back_every_pool() -> None:
    result = slicewright.run(SCENARIOS / "two-pools.toml", set=SHORT)
    listing = PoolListing.read(pool_listing_of(result).encode(), "listing").devices()
    pools = {row["device"]: row["pool"] for row in listing if row["role"] == "base"}
    assert pools == dict(result.volumes.select("device", "pool").iter_rows())
    aliases = [row["device"] for row in listing if row["role"] == "pool-alias"]
    assert aliases == result.devices.filter(role="pool-alias")["device"].to_list()


def test_classic_aliases_stand_with_their_base() -> None:
    result = slicewright.run(SCENARIOS / "hyperpav/Y040182P.toml", set=SHORT)
    listing = {row["device"]: row for row in PoolListing.read(pool_listing_of(result).encode(), "listing").devices()}
    bound = result.devices.filter(role="bound-alias")
    assert bound.height > 2
    for base in set(bound["base"]):
        aliases = bound.filter(base=base)["device"].to_list()
        assert listing[base]["aliases"] == aliases
        assert {listing[alias]["base"] for alias in aliases} == {base}


def test_the_command_prints_it_and_as_json_every_device(small: Path, tmp_path: Path, slicewright: CommandLine) -> None:
    slicewright("run", small, "--out", tmp_path / "run")
    text = slicewright("report", tmp_path / "run", "--page", "query-pav").out
    assert "Device 1000 is a HyperPAV base in pool POOL" in text
    assert "the wording is ours" in text
    rows = json.loads(slicewright("report", tmp_path / "run", "--page", "query-pav", "--format", "json").out)
    assert [(row["role"], row["pool"]) for row in rows].count(("pool-alias", "POOL")) == 2
    assert {row["pool"] for row in rows} == {"POOL"}
