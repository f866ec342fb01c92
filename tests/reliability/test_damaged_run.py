"""Is every damage of a run directory reported in a few lines when the directory is read?"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import slicewright as package
from slicewright import InputError
from slicewright.run.manifest import text_of, written_in
from slicewright.run.tables import ENTITY

from tests.conftest import SMALL, CommandLine

Damage = Callable[[Path], object]


def _fact(**facts: Any) -> Damage:
    """Another manifest, with a right checksum of its own."""

    def damage(run: Path) -> None:
        manifest = json.loads((run / "manifest.json").read_text())
        del manifest["sha256"]
        (run / "manifest.json").write_text(text_of({**manifest, **facts}))

    return damage


def _text(name: str, text: str) -> Damage:
    """Written by a program that also keeps the manifest right."""

    def damage(run: Path) -> None:
        (run / name).write_text(text)
        _sign(run)

    return damage


def _sign(run: Path) -> None:
    try:
        files = {name: row for name, row in written_in(run).items() if name != "manifest.json"}
        _fact(files=files)(run)
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


def _replaced(name: str, put: Callable[[Path], object]) -> Damage:
    def damage(run: Path) -> None:
        (run / name).unlink()
        put(run / name)

    return damage


def _pipe(name: str) -> Damage:
    return _replaced(name, os.mkfifo)


def _folder(name: str) -> Damage:
    return _replaced(name, Path.mkdir)


def _loop(name: str) -> Damage:
    return _replaced(name, lambda path: path.symlink_to(path))


def _no_raw(run: Path) -> None:
    shutil.rmtree(run / "raw")
    (run / "raw").touch()


def _without(name: str) -> Damage:
    def damage(run: Path) -> None:
        facts = json.loads((run / "manifest.json").read_text())
        del facts[name], facts["sha256"]
        (run / "manifest.json").write_text(text_of(facts))

    return damage


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a newer format": (_fact(format=99), "format 99"),
    "a format of many words": (_fact(format=["a\n\x1b"] * 9999), "format ["),
    "facts in a list": (_text("manifest.json", "[]"), "is a damaged run directory"),
    "facts that are nothing": (_text("manifest.json", "null"), "is a damaged run directory"),
    "facts without end": (_text("manifest.json", "[" * 100_000), "is a damaged run directory"),
    "half the facts": (_cut("manifest.json"), "is a damaged run directory"),
    "no seed": (_without("seed"), "manifest.json: no seed"),
    "a name that is a number": (_fact(name=5), "manifest.json: name is not a text"),
    "a seed that is a text": (_fact(seed="1"), "manifest.json: seed is not a whole number of 64 bits"),
    "a seed that is true": (_fact(seed=True), "manifest.json: seed is not a whole number of 64 bits"),
    "a seed below zero": (_fact(seed=-1), "manifest.json"),
    "no time cut": (_fact(warm_up_s=None), "manifest.json: warm_up_s is not a number of seconds"),
    "time cut without end": (_fact(warm_up_s=float("inf")), "manifest.json: warm_up_s is not a number of seconds"),
    "a fact more": (_fact(sed=1), "manifest.json: unknown field 'sed'"),
    "an earlier format": (_fact(format=4), "format 4"),
    "a recording of half its facts": (_fact(recordings=[{"guest": "A"}]), "recordings is not a list of recordings"),
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
    "sums of no file": (_fact(files={"a": 1}), "manifest.json: files is not bytes and SHA-256 of each file"),
    "a file of elsewhere": (
        _fact(files={"../a.toml": {"bytes": 0, "sha256": "0" * 64}}),
        "manifest.json: files is not bytes and SHA-256 of each file",
    ),
    "a file without its sum": (_fact(files={}), "scenario.toml: is not among the files of manifest.json"),
    "a derived table cut": (_cut("volumes.parquet"), "volumes.parquet: is not what was written"),
    "a page cut": (_cut("report.html"), "report.html: is not what was written"),
    "a pipe in place of a table": (_pipe("raw/volumes.parquet"), "volumes.parquet: is not a regular file"),
    "a pipe in place of the manifest": (_pipe("manifest.json"), "manifest.json: is not a regular file"),
    "a folder in place of a table": (_folder("volumes.parquet"), "volumes.parquet: is not a regular file"),
    "a link to itself": (_loop("numbers.json"), "is a damaged run directory"),
    "another scenario": (_text("scenario.toml", "name = 'b'"), "scenario.toml: is not that of the checksum"),
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
def test_damage_is_reported(slicewright: CommandLine, sound: Path, tmp_path: Path, kind: str) -> None:
    damage, said = DAMAGES[kind]
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    damage(run)
    _refused(slicewright, run, sound, said)


@pytest.mark.parametrize(
    "name",
    [
        *("manifest.json", "scenario.toml", "numbers.json", "report.html", "volumes.parquet", "decisions.parquet"),
        *(f"raw/{table}.parquet" for table in ENTITY),
    ],
)
def test_a_file_that_is_missing_is_named(slicewright: CommandLine, sound: Path, tmp_path: Path, name: str) -> None:
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    (run / name).unlink()
    _refused(slicewright, run, sound, f"no {Path(name).name}")


def test_every_bit_of_the_manifest_counts(sound: Path, tmp_path: Path) -> None:
    data = (sound / "manifest.json").read_bytes()
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    unnoticed = []
    for bit in [*range(8 * 60), *random.Random(1).sample(range(8 * len(data)), 200)]:
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        (run / "manifest.json").write_bytes(changed)
        try:
            package.load(run)
        except InputError:
            continue
        unnoticed.append(bit)
    assert unnoticed == []
