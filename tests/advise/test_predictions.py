"""Is a file of predictions written whole, read back line by line, and counted without a change of the answer?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.advise.command import advise
from slicewright.advise.options import AdviceOptions
from slicewright.advise.predictions import Came, Happened, Line, Predicted, Range, earlier, keep, read, told

from tests.advise import alias_example


def outcome(measured: float, *, held: bool) -> Happened:
    number = Came("response_ms", 1.0, 2.0, measured, 0.1)
    return Happened("aliases", "5200-5201", "aliases", 4.0, "2026-01-01", "1", held, (number,))


PREDICTED = Predicted("limits", "cpu.stat", "limit", None, "", "1", (Range("throttled_percent", 0.0, 2.5),))
LINES: list[Line] = [PREDICTED, outcome(1.5, held=True), outcome(3.0, held=False)]


def kept(folder: Path) -> Path:
    file = folder / "kept.jsonl"
    keep(file, [], LINES)
    return file


def test_lines_come_back_as_they_were_written_and_are_not_written_twice(tmp_path: Path) -> None:
    file = kept(tmp_path)
    assert earlier(file) == LINES
    before = file.read_bytes()
    keep(file, earlier(file), LINES)
    assert file.read_bytes() == before
    assert earlier(tmp_path / "none.jsonl") == []
    assert [path.name for path in tmp_path.iterdir()] == ["kept.jsonl"]


def test_outcomes_of_the_question_are_counted_with_the_widest_miss() -> None:
    found = told([*LINES, outcome(6.0, held=False)], "aliases")
    assert (found["outcomes"], found["held"]) == (3, 1)
    assert (found["widest_miss"]["measured"], found["widest_miss"]["simulated_high"]) == (6.0, 2.0)
    assert told(LINES, "limits") == {"outcomes": 0, "held": 0}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"held":true', b'"held":false', "held does not follow from its numbers"),
        (b'"low":1.0', b'"low":7.0', "no range: 7 to 2"),
        (b'"low":1.0', b'"low":1e999', ""),
        (b'"kind":"outcome"', b'"kind":"weather"', "weather"),
        (b'"subject":"5200-5201"', b'"subject":5200', "subject"),
        (b'"date":', b'"day":', "day"),
        (b"5200-5201", b"\xff", ""),
        (b'{"kind":"outcome"', b'[{"kind":"outcome"', ""),
    ],
)
def test_a_damaged_line_is_refused_with_its_place(tmp_path: Path, old: bytes, new: bytes, why: str) -> None:
    data = kept(tmp_path).read_bytes()
    head, mark, tail = data.partition(b'{"kind":"outcome"')
    assert old in mark + tail
    with pytest.raises(InputError) as caught:
        read(head + (mark + tail).replace(old, new, 1), "kept.jsonl")
    assert (caught.value.problems[0]["file"], caught.value.problems[0]["line"]) == ("kept.jsonl", 2)
    assert why in str(caught.value)


def test_every_cut_is_refused_or_leaves_whole_lines(tmp_path: Path) -> None:
    data = kept(tmp_path).read_bytes()
    for end in range(len(data)):
        part = data[:end]
        if part and not part.endswith(b"\n"):
            with pytest.raises(InputError):
                read(part, "kept.jsonl")
        else:
            assert read(part, "kept.jsonl") == LINES[: part.count(b"\n")]


def test_an_answer_counts_what_is_kept_keeps_its_own_and_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = kept(tmp_path)
    facts = {"assume": ["population=3", "sharing=2%", "redispatch=none"], "quiet": True}
    advise("aliases", [alias_example.FILE], options=AdviceOptions.of(**facts, format="json"))
    alone = json.loads(capsys.readouterr().out)
    for _ in range(2):
        advise("aliases", [alias_example.FILE], options=AdviceOptions.of(**facts, format="json", predictions=file))
        beside = json.loads(capsys.readouterr().out)
        assert beside.pop("earlier")["held"] == 1
        assert beside == alone
    more = earlier(file)
    assert more[:-1] == LINES
    assert isinstance(more[-1], Predicted)
    assert (more[-1].subject, more[-1].value) == (alone["pool"], alone["recommendation"]["aliases"])
    advise("aliases", [alias_example.FILE], options=AdviceOptions.of(**facts, predictions=file))
    assert (
        "of 2 earlier predictions here 1 held; the widest miss: response 50 % more than predicted (5200-5201"
        in capsys.readouterr().out
    )


def test_a_damaged_file_is_refused_before_anything_is_asked_and_stays_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not ours\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"notes\.txt.*1.*no prediction and no outcome"):
        advise("aliases", [alias_example.FILE], options=AdviceOptions.of(predictions=file, quiet=True))
    assert file.read_text("utf-8") == "not ours\n"
