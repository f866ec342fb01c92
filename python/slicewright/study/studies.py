"""Which studies there are, and what every study can do, whatever it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from slicewright import html
from slicewright.study.cells import Cell
from slicewright.study.data import data_folder
from slicewright.study.fit import Tell
from slicewright.study.kept import Kept
from slicewright.study.points import Progress
from slicewright.study.reproduction import Reproduction, Wish

STUDIES = ("hyperpav", "mdf", "hiperdispatch", "diag9c", "grs-exits")
"""The studies of this version, in the order in which they are reproduced: a subpackage each, with `_` for `-`."""


@dataclass(frozen=True)
class Study:
    """A study: what it simulates, how it prints, and what is generated from it.

    >>> named("hyperpav").name
    'hyperpav'
    """

    name: str
    reproduce: Callable[[Wish], Reproduction[Any]]
    heading: Callable[[Wish], str]
    table: Callable[[str, list[Cell]], str]
    """One published run, by its name, as it is printed when it is done."""
    summary: Callable[[Reproduction[Any]], str]
    page: Callable[[Reproduction[Any], Wish, Progress], html.Page]
    calibrate: Callable[[Tell], str]
    """The file of constants, from the calibration cells alone; hears one line per iteration."""
    scenarios: Callable[[], dict[str, str]]
    """The text of each shipped scenario, by the name of its file, as the committed constants have it."""
    markdown: Callable[[Kept], str]
    fingerprint: Callable[[], str]
    ablations: Mapping[str, str] = field(default_factory=dict)
    """Its standard experiments, `reproduce STUDY --ablation NAME`: what each takes away."""
    timed: bool = False
    beside: Callable[[Reproduction[Any]], dict[str, Any]] | None = None
    """What `reproduce STUDY --format json` has beside the cells, where text has more than them."""

    def printed(self, run: str, cells: list[Cell]) -> str:
        """One published run as text."""
        return self.table(run, cells)

    def bench(self) -> None:
        """Nothing is timed."""

    def constants_text(self, tell: Tell) -> str:
        """The file of constants."""
        return self.calibrate(tell)

    @property
    def validation(self) -> Path:
        """Its validation page, from the root of a checkout; the numbers it is made of stand beside it, as JSON."""
        return Path("docs") / "validation" / f"{self.name}.md"

    @property
    def shipped(self) -> dict[Path, str]:
        """The shipped scenarios, by their paths."""
        folder = data_folder("scenarios") / self.name
        return {folder / name: text for name, text in self.scenarios().items()}


def named(name: str) -> Study:
    """The study of that name; raises KeyError when this version has none.

    >>> named("grs")
    Traceback (most recent call last):
    KeyError: 'grs'
    """
    if name not in STUDIES:
        raise KeyError(name)
    module = import_module(f"slicewright.study.{name.replace('-', '_')}")
    study: Study = module.STUDY if hasattr(module, "STUDY") else import_module(f"{module.__name__}.study").STUDY
    return study
