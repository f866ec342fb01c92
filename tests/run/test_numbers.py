"""Is what all entities have in common said once, and nothing else?"""

from __future__ import annotations

from slicewright.scenario.numbers import listed


def _number(key: str, value: str = "1 ms", role: str = "input") -> dict[str, str]:
    return {"key": key, "value": value, "role": role, "why": "an example"}


def test_what_every_volume_has_alike_is_one_row() -> None:
    rows = listed([_number(f"volume.{name}.service.pend") for name in "ABC"])
    assert [row[0] for row in rows] == ["volume.*.service.pend"]


def test_one_volume_that_differs_keeps_all_apart() -> None:
    rows = listed([_number("volume.A.gap"), _number("volume.B.gap"), _number("volume.C.gap", "2 ms")])
    assert [row[0] for row in rows] == ["volume.A.gap", "volume.B.gap", "volume.C.gap"]


def test_another_role_keeps_all_apart() -> None:
    assert len(listed([_number("volume.A.gap"), _number("volume.B.gap", role="assumed")])) == 2


def test_a_single_volume_keeps_its_name() -> None:
    assert listed([_number("volume.A.gap")])[0][0] == "volume.A.gap"


def test_what_belongs_to_no_entity_stays() -> None:
    rows = listed([_number("measure.interval", "1 s"), _number("measure.sample", "2 s"), _number("volume.A.gap")])
    assert [row[0] for row in rows] == ["measure.interval", "measure.sample", "volume.A.gap"]
