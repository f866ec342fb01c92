"""Every wrong key of a `study.toml` is refused at once, with its place, what is allowed, and the nearest known key."""

from pathlib import Path

import pytest
from slicewright._core import InputError
from slicewright.study.hyperpav import STUDY

WRONG = (
    ('label = "HyperPAV"', 'lable = "HyperPAV"', "lable: unknown key\n  nearest: label"),
    ("abs = 0.6 }", 'abs = ".6" }', "rule[3].abs: not a number: '.6'"),
    ('role = "informed", note', 'role = "guessed", note', "rule[9].role: not one of its words: 'guessed'"),
    ("replications = 4,", "replications = -4,", "budget.runs.full.replications: not a whole number from 0 on: -4"),
    ('shown = "comparison"', 'shown = "beside"', "forms.per_concurrent.shown: not one of its words: 'beside'"),
    ("start = 0.8", 'start = "0.8"', "constants.connect.start: not a number: '0.8'"),
)


def test_every_wrong_key_is_named_at_its_place(published: Path) -> None:
    file = published / "study.toml"
    text = file.read_text("utf-8")
    for right, wrong, _ in WRONG:
        assert right in text
        text = text.replace(right, wrong, 1)
    file.write_text(text, "utf-8")
    with pytest.raises(InputError) as refused:
        STUDY.spec(published)
    said = str(refused.value)
    for _, _, expected in WRONG:
        assert expected in said, said
    assert "label: is missing" in said


def test_a_file_that_is_no_toml_is_refused_with_the_reason(published: Path) -> None:
    (published / "study.toml").write_text("rule = [", "utf-8")
    with pytest.raises(InputError, match="is not TOML"):
        STUDY.spec(published)
