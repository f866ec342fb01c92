"""The two functions of the public face that load much: advice and studies, each loaded when it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slicewright.advise.advice import Advice
    from slicewright.study.reproduced import Reproduced


def advise(
    question: str | None,
    files: Sequence[str | PathLike[str]],
    *,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> Advice:
    """Ask a question of files; without a question, the one that the files can answer.

    `question` is aliases, slices, polarization, yields, exits or limits.  `options` are those of
    `slicewright advise QUESTION --help`, with `_` for `-`: `at=["8"]`, `growth="20%"`,
    `target="response_ms <= 2"`, `assume=["population=3"]`.  `progress` is called with the share done.

    Raises InputError with every problem of options and files, RunError when a simulation cannot go on.

    >>> from slicewright.advise.aliases.example import FILE
    >>> advice = advise("aliases", [FILE], assume=["population=3", "sharing=2%", "redispatch=none"])
    >>> advice.document["recommendation"]["aliases"]
    2
    """
    from slicewright.advise.advice import answered
    from slicewright.advise.options import AdviceOptions

    return answered(question, files, AdviceOptions.of(**options), progress or (lambda share: None))


def study(
    name: str, *, quick: bool = False, ablation: str = "", progress: Callable[[float], None] | None = None
) -> Reproduced:
    """Reproduce a study: simulate what was published, and judge every cell by its declared band.

    `name` is hyperpav, mdf, hiperdispatch, diag9c or grs-exits.  `quick` simulates the runs with scored cells alone,
    for a short time; `ablation` takes one mechanism away.  `progress` is called with the share done.

    Raises InputError for a name that is no study, RunError when a simulation cannot go on.

    >>> study("hyperpav", quick=True).cells.height
    13
    """
    from slicewright.study.reproduced import reproduced
    from slicewright.study.reproduction import Request

    return reproduced(name, Request(quick=quick, ablation=ablation, progress=progress or (lambda share: None)))
