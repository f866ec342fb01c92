"""A scenario of values by key is that of the text in which they are written."""

import pytest
from slicewright._core import InputError, Scenario, scenario_text

VALUES = {
    "name": 'one "queue"',
    "volume": [{"name": "A", "device": "0100", "service": {"connect": {"exponential": "1 ms"}}, "partition": None}],
    "guest": [{"name": "USERS", "count": 4, "program": [{"think": "3 ms"}, {"io": {"volume": "A", "bytes": "4 KiB"}}]}],
    "measure": {"interval": "10 s", "replications": 2},
}

TEXT = """\
name = "one \\"queue\\""

[[volume]]
name = "A"
device = "0100"
service = { "connect" = { "exponential" = "1 ms" } }

[[guest]]
name = "USERS"
count = 4
program = [{ "think" = "3 ms" }, { "io" = { "volume" = "A", "bytes" = "4 KiB" } }]

[measure]
interval = "10 s"
replications = 2
"""


def test_values_are_written_as_a_person_would_write_them() -> None:
    assert scenario_text(VALUES) == TEXT


def test_a_scenario_of_values_is_that_of_their_text() -> None:
    assert Scenario.of(VALUES).resolved == Scenario.read(TEXT.encode(), "scenario").resolved


def test_a_key_with_a_point_in_its_name_is_one_key() -> None:
    values = VALUES | {"cec": {"processors": 1, "dispatcher": "cfs"}, "cgroup": [{"name": "web", "cpu.weight": 200}]}
    assert '"cpu.weight" = 200' in scenario_text(values)
    assert [group.name for group in Scenario.of(values).view.cgroups] == ["web"]


def test_problems_name_the_key() -> None:
    with pytest.raises(InputError, match="interval") as refused:
        Scenario.of(VALUES | {"measure": {"interval": "soon"}}, "trial")
    assert refused.value.problems[0]["file"] == "trial"


def test_a_truth_is_yes_or_no() -> None:
    assert (
        scenario_text({"partition": [{"name": "P", "capped": True}]}) == '[[partition]]\nname = "P"\ncapped = "yes"\n'
    )
