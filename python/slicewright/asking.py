"""The functions of the public face that load much: advice, fits and studies, each loaded when it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slicewright.advise.advice import Advice
    from slicewright.fitting.fit import Fit
    from slicewright.measured.measured import Measured
    from slicewright.study.reproduced import Reproduced


def advise(
    question: str | None,
    files: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> Advice:
    """Ask a question of a file or of several; without a question, the one that they can answer.

    `question` is aliases, slices, polarization, yields, exits or limits.  `options` are those of
    `slicewright advise QUESTION --help`, with `_` for `-`: `at=["8"]`, `growth="20%"`,
    `target="response_ms <= 2"`, `assume=["population=3"]`.  `progress` is called with the share done.

    Raises InputError with every problem of options and files, RunError when a simulation cannot go on.

    >>> from tests.advise.alias_example import FILE
    >>> advice = advise("aliases", [FILE], assume=["population=3", "sharing=2%", "redispatch=none"])
    >>> advice.document["recommendation"]["aliases"]
    2
    """
    from slicewright.advise.advice import answered
    from slicewright.advise.options import AdviceOptions

    return answered(question, files, AdviceOptions.of(**options), progress or (lambda share: None))


def fit(
    source: Measured | str | PathLike[str],
    *,
    shown: str | None = None,
    aliases: Mapping[str, int] | None = None,
    system: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Fit:
    """Fit a scenario to some intervals of measured data, and judge its predictions of the others.

    `source` is a `Measured`, a directory of `slicewright read --out`, or a file of monitor data.  `shown` names the
    intervals that are fitted, from 0: `"0..11,14"`; otherwise every second one is held out.  `aliases` has the sizes
    of pools that the records do not give, `system` the system of a file with several.  `progress` is called with the
    share done.

    The result prints itself.  `predicts` is the verdict, and `outcome.cells` has each held-out value beside the
    simulated one.  `text` is the scenario in TOML, `scenario` the same ready to run; `save` writes it.

    Raises InputError for data that hold nothing to fit and for wrong parameters, RunError when a simulation cannot go
    on.

    >>> from tests.fitting.fit_example import day
    >>> fitted = fit(day(), shown="0,2,3,5")
    >>> fitted.predicts, fitted.split.held_out, [volume.population for volume in fitted.left_open.model.volumes]
    (True, (1, 4), [6, 7])
    """
    from slicewright.fitting.fit import fit as fitted

    return fitted(source, shown=shown, aliases=aliases, system=system, progress=progress or (lambda share: None))


def study(
    name: str, *, quick: bool = False, ablation: str = "", progress: Callable[[float], None] | None = None
) -> Reproduced:
    """Reproduce a study: simulate what was published, and judge every cell by its declared band.

    `name` is hyperpav, mdf, hiperdispatch, diag9c, grs-exits or outside.  `quick` simulates the runs with scored cells
    alone, for a short time; `ablation` takes one mechanism away.  `progress` is called with the share done.

    Raises InputError for a name that is no study, RunError when a simulation cannot go on.

    >>> study("hyperpav", quick=True).cells.height
    13
    """
    from slicewright.study.judge import Request
    from slicewright.study.reproduced import reproduced

    return reproduced(name, Request(quick=quick, ablation=ablation, progress=progress or (lambda share: None)))
