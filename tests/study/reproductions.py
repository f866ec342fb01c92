"""The quick reproduction of each study, simulated once in a session of tests and shared by its workers."""

from __future__ import annotations

import fcntl
import pickle
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

from slicewright.results.judge import Cell
from slicewright.study.reproduction import Reproduction, Request
from slicewright.study.studies import named
from slicewright.study.study import Study

QUICK = Request(quick=True)


@dataclass(frozen=True)
class Reproductions:
    """The simulations of `reproduce STUDY --quick`, kept in a folder that all workers see."""

    folder: Path

    def of(self, name: str) -> Reproduction:
        """The quick reproduction of a study."""
        return self._kept(name)[0]

    def study(self, name: str) -> Study:
        """A study whose quick reproduction is the kept one; any other is simulated."""
        study = named(name)

        def reproduce(request: Request) -> Reproduction:
            if replace(request, done=QUICK.done, progress=QUICK.progress) != QUICK:
                return study.reproduce(request)
            result, runs = self._kept(name)
            for run, cells in runs:
                request.done(run, cells)
            return result

        same = copy(study)
        vars(same)["reproduce"] = reproduce
        return same

    def _kept(self, name: str) -> tuple[Reproduction, list[tuple[str, list[Cell]]]]:
        file = self.folder / f"{name}.pickle"
        with (self.folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                runs: list[tuple[str, list[Cell]]] = []
                request = replace(QUICK, done=lambda run, cells: runs.append((run, cells)))
                file.write_bytes(pickle.dumps((named(name).reproduce(request), runs)))
        kept: tuple[Reproduction, list[tuple[str, list[Cell]]]] = pickle.loads(file.read_bytes())
        return kept
