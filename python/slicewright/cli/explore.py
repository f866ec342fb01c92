"""Commands about many settings of a scenario: a sweep, a choice, a plan, and which guess matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slicewright.cli.command import Given, command, show, stored
from slicewright.cli.guard import simulating
from slicewright.values import settings
from slicewright.values.console import Bar, tell

_KEPT = ("simulates the others", "store is")
"""The words for what the same command does after an interrupt, and for what it has written."""


@command("sweep")
def sweep(given: Given) -> int:
    """Simulate a scenario at many values of its keys; the same command resumes an interrupted sweep.

    \b
    Example:
      slicewright sweep pool.toml --set alias_pool.LSS-52.aliases=0..24:4 --out sweeps/aliases
    """
    from slicewright.explore.sweep import sweep as explore

    with stored(fresh=False):
        return _explored(given, explore, "sweeping")


@command("choose")
def choose(given: Given) -> int:
    """Choose the setting of least cost that keeps every constraint; the same command resumes after a stop.

    \b
    Example:
      slicewright choose pool.toml --knob alias_pool.LSS-52.aliases=0..24:4 \\
        --minimise aliases --subject-to 'response_ms <= 2' --out choices/aliases
    """
    from slicewright.explore.choose import choose as explore

    with stored(fresh=False):
        return _explored(given, explore, "choosing")


@command("sensitivity")
def sensitivity(given: Given) -> int:
    """Rank the guesses of a scenario by how much each moves its answer; the same command resumes after a stop.

    \b
    Example:
      slicewright sensitivity pool.toml --question aliases --out guesses
    """
    from slicewright.explore.sensitivity import sensitivity as explore

    with stored(given.fresh):
        return _explored(given, explore, "varying guesses", ("resumes", "points are"))


@command("plan")
def plan(given: Given) -> int:
    """Find the cheapest purchases that hold requirements after growth; exit status 2 when nothing is recommended.

    \b
    Example:
      slicewright plan full-channel.toml --growth '*=25%' --require 'max(guests.*.transaction_ms) <= 3' \\
        --buy 'channel.*.type=FICON Express8S at 100' --buy 'alias_pool.*.aliases=+2..8:2 at 5 each' --out plans/year
    """
    from slicewright.explore.plan import plan as explore

    with stored(given.fresh):
        return _explored(given, explore, "planning", ("continues", "plan is"), early=True)


def _explored(
    given: Given, explore: Callable[..., Any], doing: str, kept: tuple[str, str] = _KEPT, *, early: bool = False
) -> int:
    """The command of an exploration; `early` where it prints a first answer."""
    from slicewright.report.json import document

    files = given.scenario
    simulating(files if isinstance(files, str) else " ".join(files), getattr(given, "seed", 1))
    resumes, is_in = kept
    try:
        with Bar(doing, quiet=given.quiet) as bar:
            own = settings.parameters(explore.__name__, vars(given))
            if early:
                own["first"] = lambda first: bar.found(f"{first['words']}: cost {first['cost']:g}")
            found = explore(**own, progress=bar)
    except KeyboardInterrupt:
        if given.out is not None:
            tell(f"finished points are in {given.out}; the same command {resumes}")
        raise
    show(given, getattr(found, "document", None) or (lambda: document(found.report())), lambda: found)
    if given.out is not None:
        tell(f"the {is_in} in {given.out} (report.html opens in any browser)")
    return getattr(found, "status", 0)
