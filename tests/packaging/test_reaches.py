"""Does the table of wanted speeds say which are met, and refuse a word that it does not know?"""

from __future__ import annotations

import pytest

from benches.reaches import Reach, main, report


def test_a_speed_is_met_by_its_median() -> None:
    table = report([Reach("I/Os", [1.0, 3.0, 2.0], 2), Reach("seconds", [0.5, 0.6], 0.5, less=True)])
    rows = list(zip(*(column.cells for column in table.columns), strict=True))
    assert rows == [
        ("I/Os", "2.00", "1.00", "3.00", "at least 2", "yes"),
        ("seconds", "0.55", "0.50", "0.60", "at most 0.5", "no"),
    ]


def test_another_word_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study"]) == 2
    assert "study: not known; allowed: studies" in capsys.readouterr().err
