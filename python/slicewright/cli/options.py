"""The arguments and options that several commands share, and how results are printed as JSON."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import typer

from slicewright._core import InputError

Format = Annotated[Literal["text", "json"], typer.Option("--format", help="Format of the result.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Simulate anew what was simulated before.")]
ScenarioFile = Annotated[str, typer.Argument(metavar="SCENARIO.toml", help="Scenario file; - is standard input.")]


def print_json(value: Any) -> None:
    """Print a result as JSON; numbers that are not finite become null.

    >>> print_json({"half_width": float("nan")})
    {
     "half_width": null
    }
    """
    print(json.dumps(finite(value), indent=1))


@contextlib.contextmanager
def stored(fresh: bool) -> Iterator[None]:
    """Use the store of simulations for the block; `fresh` has everything simulated anew.

    >>> with stored(False):
    ...     pass
    """
    from slicewright.experiment.store import location, using

    with using(location(), fresh=fresh):
        yield


@contextlib.contextmanager
def printing(show: Callable[[], None]) -> Iterator[None]:
    """Print a result when the block has saved it, and also when it could not: a result of minutes is not lost.

    >>> with printing(lambda: print("a result")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    OSError: [Errno 28] No space left on device
    """
    try:
        yield
    except (OSError, InputError):
        with contextlib.suppress(OSError):  # the first refusal is the one to tell
            show()
            sys.stdout.flush()
        raise
    show()


def finite(value: Any) -> Any:
    """The value with every number that is not finite as None, for JSON.

    >>> finite([1.0, float("nan")])
    [1.0, None]
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return value
