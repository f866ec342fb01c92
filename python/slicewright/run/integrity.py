"""Every file of a run directory held against its manifest, and those that follow from others against these."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from slicewright._core import Scenario, __version__
from slicewright.run.directory import NUMBERS, OF_EVERY_RUN, REPORT, SCENARIO, load_manifest, read
from slicewright.run.manifest import MANIFEST, MEASURED, Facts, read_checked
from slicewright.run.tables import ENTITY
from slicewright.values.errors import Problem, problem

State = Literal["ok", "damaged", "missing", "extra", "differs", "not checked"]
"""`differs`: it is what was written, and it does not follow from the files that it was made of."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found of one file: its name in the directory, a state, and why where it is not ok.

    >>> Verdict("numbers.json", "missing").fine
    False
    """

    file: str
    state: State
    why: str = ""

    @property
    def fine(self) -> bool:
        """Whether nothing is wrong with it; a page of another version cannot be checked."""
        return self.state in ("ok", "not checked")

    def as_row(self) -> dict[str, str]:
        """File, state, why.

        >>> Verdict("numbers.json", "missing").as_row()["state"]
        'missing'
        """
        return asdict(self)

    def as_problem(self, directory: str) -> Problem:
        """As a problem of the run directory.

        >>> Verdict("numbers.json", "missing").as_problem("runs/1")["file"]
        'runs/1/numbers.json'
        """
        return problem(self.state, file=f"{directory}/{self.file}", why=self.why)


def verify(directory: str | os.PathLike[str]) -> list[Verdict]:
    """A verdict on every file of a run directory, by name.

    Sizes and SHA-256 are compared with the manifest, and estimates with `raw/`.  Numbers are compared with the
    scenario, and the page with the run (by the version that wrote it).  Raises InputError when the manifest cannot be
    read or is damaged.

    >>> import tempfile
    >>> from slicewright import run
    >>> from slicewright._core import starter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = run(starter("mm1"), replications=2, out=f"{folder}/mm1")
    ...     _ = Path(folder, "mm1", "numbers.json").write_text("[]")
    ...     [verdict.file for verdict in verify(f"{folder}/mm1") if not verdict.fine]
    ['numbers.json']
    """
    folder = Path(directory)
    manifest = load_manifest(directory)
    verdicts = {MANIFEST: Verdict(MANIFEST, "ok")}
    measured = manifest.get("kind") == MEASURED
    for name in (*(() if measured else OF_EVERY_RUN), *manifest["files"]):
        verdicts[name] = _as_written(folder, name, manifest)
    for name in _present(folder):
        verdicts.setdefault(name, Verdict(name, "extra", f"no file of {MANIFEST}"))
    if not measured and all(verdict.fine or verdict.state == "extra" for verdict in verdicts.values()):
        verdicts |= {verdict.file: verdict for verdict in _derived(folder, manifest)}
    return [verdicts[name] for name in sorted(verdicts)]


def _as_written(folder: Path, name: str, manifest: Facts) -> Verdict:
    try:
        read_checked(folder, name, manifest["files"])
    except FileNotFoundError:
        return Verdict(name, "missing")
    except (OSError, ValueError) as error:
        return Verdict(name, "damaged", str(error).removeprefix(f"{name}: "))
    return Verdict(name, "ok")


def _present(folder: Path) -> Iterator[str]:
    """All that is in the directory and no folder, sorted; a link is not followed."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if Path(place, name).is_symlink()]
        yield from sorted(Path(place, name).relative_to(folder).as_posix() for name in (*files, *links))


def _derived(folder: Path, manifest: Facts) -> Iterator[Verdict]:
    """Verdicts on the files that follow from others, where all are what was written."""
    import polars as pl

    from slicewright.report.html import render
    from slicewright.run.pages.run import run_report

    run = read(folder)
    if [dict(row) for row in Scenario.read(run.scenario.encode(), SCENARIO).explain()] != list(run.numbers):
        yield Verdict(NUMBERS, "differs", f"is not the numbers of {SCENARIO}")
    for table in ENTITY:
        name = f"{table}.parquet"
        written = pl.read_parquet(io.BytesIO((folder / name).read_bytes()))
        if not written.equals(run[table], null_equal=True):
            yield Verdict(name, "differs", f"is not the estimates that follow from raw/{name}")
    if manifest["slicewright"] != __version__:
        yield Verdict(REPORT, "not checked", f"written by version {manifest['slicewright']}, this is {__version__}")
    elif (folder / REPORT).read_text(encoding="utf-8") != render(run_report(run)):
        yield Verdict(REPORT, "differs", "is not the page of this run")
