"""Does `advise` take scenarios as people write them: numbers of aliases given, changes, recorded arrivals?"""

from __future__ import annotations

import pytest
from slicewright import InputError
from slicewright.advise.aliases.from_scenario import answer_scenario
from slicewright.advise.aliases.request import AliasRequest

from tests.tidy.tree import ROOT

SCENARIOS = ROOT / "scenarios"
RECORDED = """
name = "recorded"
assume = "a test"
volume = [{ name = "A", device = "100", aliases = 1, service = { connect = "1 ms" } }]
guest = [{ name = "TAPE", replay = "io.csv" }]
"""


def test_each_pool_gets_its_own_answer_whatever_its_aliases_are_numbered() -> None:
    text = (SCENARIOS / "two-pools.toml").read_bytes()
    answers = answer_scenario(text, "two-pools.toml", AliasRequest())
    knees = {answer.pool: answer.knee.aliases for answer in answers if answer.knee}
    assert list(knees) == ["TRANS", "BATCH"]
    assert knees["BATCH"] > 1, "eight jobs on two volumes wait for one alias"
    reasons = {answer.pool: answer.reason for answer in answers}
    assert "the paths of CU-52" in reasons["BATCH"], "both pools use them"
    assert not reasons["TRANS"], "one alias fewer harms nothing where BATCH gets none"


def test_changes_are_omitted_and_that_is_reported() -> None:
    text = (SCENARIOS / "dynamics.toml").read_bytes()
    (answer,) = answer_scenario(text, "dynamics.toml", AliasRequest())
    assert any("changes during the run are ignored" in caveat for caveat in answer.caveats)


def test_recorded_arrivals_are_refused_with_what_would_do() -> None:
    with pytest.raises(InputError) as caught:
        answer_scenario(RECORDED.encode(), "recorded.toml", AliasRequest())
    (problem,) = caught.value.problems
    assert problem["key"] == "guest TAPE: replay"
    assert problem["allowed"]
