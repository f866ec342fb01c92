"""Is every damage of a run directory told in a few lines, and never left to whoever stumbles over it later?

It leaves out directories that never were a run's.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import slicewright as package
from slicewright.damage import sums
from slicewright.tables import ENTITY

from tests.conftest import SMALL, CommandLine

Damage = Callable[[Path], object]


def _fact(**facts: Any) -> Damage:
    def damage(run: Path) -> None:
        manifest = json.loads((run / "manifest.json").read_text())
        (run / "manifest.json").write_text(json.dumps({**manifest, **facts}))

    return damage


def _text(name: str, text: str) -> Damage:
    """Written by a program that also keeps the manifest right."""

    def damage(run: Path) -> None:
        (run / name).write_text(text)
        _sign(run)

    return damage


def _sign(run: Path) -> None:
    try:
        _fact(files=sums(run))(run)
    except (ValueError, RecursionError, TypeError):
        return  # it was the manifest that was changed


def _table(table: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Damage:
    def damage(run: Path) -> None:
        file = run / "raw" / f"{table}.parquet"
        change(pl.read_parquet(file)).write_parquet(file)
        _sign(run)

    return damage


def _cut(name: str) -> Damage:
    return lambda run: (run / name).write_bytes((run / name).read_bytes()[:-20])


def _no_raw(run: Path) -> None:
    shutil.rmtree(run / "raw")
    (run / "raw").touch()


def _without(name: str) -> Damage:
    def damage(run: Path) -> None:
        facts = json.loads((run / "manifest.json").read_text())
        del facts[name]
        (run / "manifest.json").write_text(json.dumps(facts))

    return damage


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a newer format": (_fact(format=99), "format 99"),
    "a format of many words": (_fact(format=["a\n\x1b"] * 9999), "format ["),
    "facts in a list": (_text("manifest.json", "[]"), "is a damaged run directory"),
    "facts that are nothing": (_text("manifest.json", "null"), "is a damaged run directory"),
    "facts without end": (_text("manifest.json", "[" * 100_000), "is a damaged run directory"),
    "half the facts": (_cut("manifest.json"), "is a damaged run directory"),
    "no seed": (_without("seed"), "no 'seed' in manifest.json"),
    "a name that is a number": (_fact(name=5), "manifest.json: name is not a text"),
    "a seed that is a text": (_fact(seed="1"), "manifest.json: seed is not a whole number"),
    "a seed that is true": (_fact(seed=True), "manifest.json: seed is not a whole number"),
    "a seed below zero": (_fact(seed=-1), "manifest.json"),
    "no time cut": (_fact(warm_up_s=None), "manifest.json: warm_up_s is not a number"),
    "a note that is a number": (_fact(notes=[5]), "manifest.json: notes is not a list of texts"),
    "more replications than rows": (_fact(replications=4), "system.parquet"),
    "numbers of another kind": (_text("numbers.json", '[{"key": 5}]'), "numbers.json"),
    "numbers without end": (_text("numbers.json", "[" * 100_000), "is a damaged run directory"),
    "half a table": (_cut("raw/volumes.parquet"), "volumes.parquet: is not what was written"),
    "a file in place of tables": (_no_raw, "is a damaged run directory"),
    "a table of another": (_table("volumes", lambda frame: frame.rename({"volume": "v"})), "no column volume"),
    "a column less": (_table("devices", lambda frame: frame.drop("io_per_s")), "no column io_per_s"),
    "texts for numbers": (_table("volumes", lambda frame: frame.with_columns(io_per_s=pl.lit("1"))), "io_per_s holds"),
    "rows of no replication": (
        _table("volumes", lambda frame: frame.with_columns(replication=pl.lit(None, pl.Int64))),
        "rows of no replication",
    ),
    "a scenario of another": (_cut("scenario.toml"), "scenario.toml: is not what was written"),
    "sums of no file": (_fact(files={"a": 1}), "manifest.json: files is not a SHA-256 for each file"),
    "a file without its sum": (_fact(files={}), "is not what was written"),
    "no rows": (_table("system", lambda frame: frame.clear()), "system.parquet"),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run directory as it should be."""
    out = tmp_path_factory.mktemp("runs") / "sound"
    package.run(SMALL, replications=2, out=out)
    return out


def _refused(slicewright: CommandLine, run: Path, sound: Path, said: str) -> None:
    for words in (["report", run, "--page", "fcx108"], ["report", run], ["compare", sound, run]):
        done = slicewright(*words)
        assert (done.status, done.out) == (2, ""), done.err
        assert said in done.err
        assert done.err.count("\n") <= 4
        assert len(done.err) <= 1000


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_is_told(slicewright: CommandLine, sound: Path, tmp_path: Path, kind: str) -> None:
    damage, said = DAMAGES[kind]
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    damage(run)
    _refused(slicewright, run, sound, said)


@pytest.mark.parametrize(
    "name", ["manifest.json", "scenario.toml", "numbers.json", *(f"raw/{table}.parquet" for table in ENTITY)]
)
def test_a_file_that_is_missing_is_named(slicewright: CommandLine, sound: Path, tmp_path: Path, name: str) -> None:
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    (run / name).unlink()
    _refused(slicewright, run, sound, f"no {Path(name).name}")
