"""JSON files of typed values: what is written is read back, and what is wrong is named, every place of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec
import pytest
from slicewright import InputError
from slicewright.statistics import Estimate
from slicewright.values import codec


@dataclass(frozen=True)
class Row:
    """A row with a number that may not be known, a word, and a property that is written."""

    word: Literal["spin", "futex"]
    on_ms: tuple[float, float]
    means: Mapping[str, Estimate]
    at: float | None
    counts: tuple[int, ...] = ()
    KEPT: ClassVar = ("twice", "means", "at", "counts")
    LATER: ClassVar = ("counts",)
    UNKNOWN: ClassVar = ("on_ms",)

    @property
    def twice(self) -> float:
        """Twice the first."""
        return 2 * self.on_ms[0]


class Foreign(msgspec.Struct):
    """A part of another program's answer."""

    values: list[tuple[float, str]]


ROW = Row("spin", (1.5, math.nan), {"a": Estimate(2.0, math.nan, 1)}, None, (3,))


def refused(change: Mapping[str, Any]) -> dict[str, str]:
    value = codec.plain(ROW) | change
    value = {name: item for name, item in value.items() if item != "gone"}
    with pytest.raises(InputError) as caught:
        codec.convert(Row, value, "a.json")
    return {problem["key"]: problem["what"] for problem in caught.value.problems}


def test_a_value_is_read_back_as_it_was_written() -> None:
    text = codec.written(ROW)
    assert list(json.loads(text)) == ["word", "on_ms", "twice", "means", "at", "counts"]
    assert json.loads(text)["twice"] == 3.0
    assert repr(codec.read(Row, text.encode(), "a.json")) == repr(ROW)


def test_every_place_that_is_wrong_is_named_with_what_belongs_there() -> None:
    found = refused(
        {"word": "spinn", "on_ms": [1.0], "means": {"a": {"mean": "2", "half_width": 1}}, "ta": 1, "at": "gone"}
    )
    assert found == {
        "word": "not one of its words: 'spinn'",
        "on_ms": "a list of 1",
        "means.a.mean": "not a number: '2'",
        "means.a.replications": "is missing",
        "ta": "unknown key",
        "at": "is missing",
    }
    assert refused({"twice": "x", "counts": [1, -1]}) == {
        "twice": "not a number: 'x'",
        "counts[1]": "not a whole number from 0 on: -1",
    }


@pytest.mark.parametrize("number", [math.nan, math.inf, 1e300, 10**400, True, "1", []])
def test_what_is_no_number_is_refused(number: object) -> None:
    assert set(refused({"at": number})) == {"at"}


def test_null_stands_only_for_numbers_that_may_not_be_known() -> None:
    assert refused({"means": {"a": {"mean": None, "half_width": None, "replications": None}}, "twice": None}) == {
        "means.a.replications": "not a whole number from 0 on: null",
        "twice": "not a number: null",
    }


def test_a_field_that_earlier_versions_did_not_write_has_its_default() -> None:
    value = codec.plain(ROW)
    del value["counts"]
    assert codec.convert(Row, value, "a.json").counts == ()


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"\xff"])
def test_what_is_not_json_is_refused_with_the_reason(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        codec.read(Foreign, data, "a.json")
    assert caught.value.problems[0]["file"] == "a.json"
    assert caught.value.problems[0]["why"]


def test_of_another_programs_file_unknown_fields_are_skipped() -> None:
    assert codec.convert_foreign(Foreign, {"values": [[1, "2"]], "more": {}}, "a.json").values == [(1.0, "2")]
    with pytest.raises(InputError) as caught:
        codec.convert_foreign(Foreign, {"values": [["1", "2"]]}, "a.json", "is no answer")
    assert "$.values[0][0]" in caught.value.problems[0]["why"]


def test_a_class_that_is_written_alone_says_what_it_shows() -> None:
    @dataclass
    class Drop:
        folder: Path
        files: list[str]
        SHOWN: ClassVar = ("names", "bytes")
        bytes: int = 0

        @property
        def names(self) -> list[str]:
            return sorted(self.files)

    assert codec.plain([Drop(Path("/tmp"), ["b", "a"])]) == [{"names": ["a", "b"], "bytes": 0}]
