"""Many requests of ENQ and DEQ as the rows of a frame: their answers and effects as frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from slicewright._core import Serialization
from slicewright.errors import Problem, nearest, problem
from slicewright.parameters import brief, check
from slicewright.serialization.rows import (
    MOST_16,
    MOST_32,
    Caller,
    Resource,
    caller_problems,
    completion,
    named,
    resource_problems,
    who,
)

VERBS = ("ENQ", "DEQ")
ACCESSES = ("SHARE", "EXCLUSIVE")
RETS = ("NONE", "TEST", "USE", "CHNG", "HAVE")
"""Words in the order in which the engine numbers them."""
OF_DEQ = ("NONE", "HAVE")

WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"verb": VERBS, "access": ACCESSES, "ret": RETS})
NUMBERS: Mapping[str, int] = MappingProxyType(
    {"resource": MOST_32, "system": MOST_16, "space": MOST_16, "task": MOST_32, "volume": MOST_32}
)
"""The greatest number of each column."""
ABSENT: Mapping[str, Any] = MappingProxyType(
    {"system": 1, "space": 1, "access": "EXCLUSIVE", "ret": "NONE", "volume": None}
)
"""The value of a column that is missing."""
_EFFECTS: dict[str, Any] = {
    "request": pl.UInt32, "kind": pl.String, "system": pl.UInt16, "space": pl.UInt16, "task": pl.UInt32,
    "volume": pl.UInt32, "waiters": pl.UInt32, "ret": pl.String,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to many requests, and their effects.

    `answers` has a row per request, in their order: `word`, `return_code`, `abend`, as in `Answer`.  `effects` has a
    row per effect. `request` is the row of the request that it followed, from 0; its resource is that of the effect.
    Then come `kind`, and those of `system`, `space`, `task`, `volume`, `waiters`, `ret` that `Effect` has for this
    kind.
    """

    answers: pl.DataFrame
    effects: pl.DataFrame


def carry_out(engine: Serialization, resources: Sequence[Resource], requests: pl.DataFrame, caller: Caller) -> Answers:
    """Carry out the requests in the order of their rows; raises InputError with everything that is none.

    >>> from slicewright.serialization.rows import Task
    >>> engine = Serialization(10, 10)
    >>> requests = pl.DataFrame({"verb": ["ENQ", "DEQ"], "resource": 0, "task": 1})
    >>> carry_out(engine, [Resource("Q", "R")], requests, Caller(Task(0))).answers["word"].to_list()
    ['granted', 'released']
    """
    named_wrong = (wrong for resource in resources for wrong in resource_problems(resource))
    check(*named_wrong, *caller_problems(caller), *_problems(requests, len(resources)))
    full = requests.with_columns(pl.lit(value).alias(name) for name, value in ABSENT.items() if name not in requests)
    places, outcomes, effects = engine.batch([named(each) for each in resources], who(caller)[1], _columns(full))
    words, codes, abends = zip(*outcomes, strict=True) if outcomes else ((), (), ())
    seen = pl.DataFrame(
        {"word": words, "return_code": codes, "abend": [completion(code) for code in abends]},
        schema={"word": pl.String, "return_code": pl.UInt8, "abend": pl.String},
    )
    return Answers(
        seen.select(pl.col("word", "abend").cast(pl.Categorical), "return_code").select("word", "return_code", "abend")[
            np.frombuffer(places, np.uint8)
        ],
        pl.DataFrame(effects, schema=_EFFECTS, orient="row"),
    )


def _columns(full: pl.DataFrame) -> tuple[bytes, ...]:
    """The bytes of the columns as numbers, in the order in which the engine takes them."""
    numbers = full.select(
        pl.col("verb").cast(pl.Enum(VERBS)).to_physical().cast(pl.UInt8),
        pl.col("resource").cast(pl.UInt32),
        pl.col("system", "space").cast(pl.UInt16),
        pl.col("task").cast(pl.UInt32),
        *(pl.col(name).cast(pl.Enum(WORDS[name])).to_physical().cast(pl.UInt8) for name in ("access", "ret")),
        pl.col("volume").cast(pl.Int64).fill_null(-1),
    ).rechunk()
    return tuple(column.to_numpy().tobytes() for column in numbers)


def _problems(requests: pl.DataFrame, resources: int) -> Iterator[Problem]:
    """Everything about a frame that is no request, each column by its first wrong row."""
    known = (*WORDS, *NUMBERS)
    for name in requests.columns:
        if name not in known:
            near = nearest(name, known)
            yield problem(f"no column `{brief(name)}` is read", key=name, allowed=", ".join(known), nearest=near)
    for name in known:
        if name in requests.columns:
            most = resources - 1 if name == "resource" else NUMBERS.get(name, 0)
            yield from _wrong_words(requests, name) if name in WORDS else _wrong_numbers(requests[name], most)
        elif name not in ABSENT:
            yield problem("the column is missing", key=name)


def _wrong_words(requests: pl.DataFrame, name: str) -> Iterator[Problem]:
    given, allowed = requests[name], WORDS[name]
    if given.dtype not in (pl.String, pl.Categorical, pl.Enum):
        yield problem(f"the column holds {given.dtype}", key=name, allowed=", ".join(allowed))
        return
    wrong = given.cast(pl.Enum(allowed), strict=False).is_null()
    if not wrong.any() and name == "ret" and "verb" in requests.columns:
        of_deq = requests.select(pl.col("verb").cast(pl.String) == "DEQ").to_series()
        allowed = OF_DEQ
        wrong = of_deq & given.cast(pl.Enum(allowed), strict=False).is_null()
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        what = f"`{brief(given[row])}` is no {name}{' of DEQ' if allowed is OF_DEQ else ''}"
        near = nearest(str(given[row]), allowed)
        yield problem(what, key=f"{name}, row {row}", allowed=", ".join(allowed), nearest=near)


def _wrong_numbers(given: pl.Series, most: int) -> Iterator[Problem]:
    may_lack = given.name == "volume"
    if given.dtype == pl.Null and may_lack:
        return
    if not given.dtype.is_integer():
        yield problem(f"the column holds {given.dtype}", key=given.name, allowed=f"whole numbers, 0 to {most}")
        return
    # A number above 64 bits with a sign becomes null, which is wrong where the row has a number.
    wrong = ~given.cast(pl.Int64, strict=False).is_between(0, most)
    wrong = wrong.fill_null(value=True) & ~(given.is_null() & may_lack)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        what = f"`{brief(given[row])}` is out of range"
        yield problem(what, key=f"{given.name}, row {row}", allowed=f"0 to {most}")
