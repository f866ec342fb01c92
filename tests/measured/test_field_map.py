"""Do the places and the bits of SMF fields stand in IBM's documents, as they were typed apart from the code?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from slicewright._core import smf_layouts

_FACTS = Path(__file__).parent / "published_fields.txt"
_FIELD = re.compile(r"(\w+) (\d+)/(\d+)(?::([\d,]+))?")


def _facts() -> dict[tuple[str, str], tuple[int, int, frozenset[int] | None]]:
    lines = [line for line in _FACTS.read_text().splitlines() if not line.startswith("#")]
    sections: dict[str, list[str]] = {}
    for line in lines:
        if not line.startswith(" "):
            sections[line] = []
        else:
            list(sections.values())[-1].append(line.strip())
    return {
        (section, name): (int(offset), int(length), frozenset(map(int, bits.split(","))) if bits else None)
        for section, text in sections.items()
        for name, offset, length, bits in _FIELD.findall(" ".join(text))
    }


def _fields() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(layout, field) for layout in smf_layouts() for field in layout["fields"]]


def _bits(field: dict[str, Any]) -> set[int]:
    """The bits that the meaning of a field of flags names, from their hexadecimal masks."""
    digits = 2 * field["length"]
    masks = re.findall(rf"\b[0-9A-F]{{{digits}}}\b", field["meaning"])
    whole = 8 * field["length"]
    return {bit for mask in masks for bit in range(whole) if int(mask, 16) >> (whole - 1 - bit) & 1}


@pytest.mark.parametrize("source", ["Gatherer", "GRS87RPT"])
def test_a_published_field_is_where_its_document_has_it(source: str) -> None:
    facts = _facts()
    placed = {
        (layout["name"], field["name"]): (field["offset"], field["length"])
        for layout, field in _fields()
        if field["source"] == source
    }
    assert placed
    assert {key: facts[key][:2] if key in facts else None for key in placed} == placed


def test_every_typed_fact_is_in_the_map() -> None:
    known = {(layout["name"], field["name"]) for layout, field in _fields()}
    assert set(_facts()) - known == set()


def test_a_meaning_names_no_bit_that_its_document_lacks() -> None:
    facts = _facts()
    invented = {
        field["name"]: sorted(_bits(field) - (facts[layout["name"], field["name"]][2] or frozenset()))
        for layout, field in _fields()
        if field["kind"] == "bits" and (layout["name"], field["name"]) in facts
    }
    assert {name: bits for name, bits in invented.items() if bits and name != "SMFSEG"} == {}


def test_fields_of_flags_say_their_bits_or_that_they_are_unknown() -> None:
    silent = [
        field["name"]
        for _, field in _fields()
        if field["kind"] == "bits" and not _bits(field) and field["meaning"] != "unknown"
    ]
    assert silent == ["SMFSEG"]


def test_a_field_without_published_place_is_of_a_list() -> None:
    facts = _facts()
    apart = [field for layout, field in _fields() if (layout["name"], field["name"]) not in facts]
    others = {field["name"]: field["source"] for field in apart}
    assert set(others.values()) == {"list"}
    assert set(others) == {
        "SMF70CPA", "SMFRBR", "SMFRSQ", "SMFRIO", "SMFRIL", "SMFRIN", "SMFRNN", "SMFRPP",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SMF74DCF", "two areas"),
        ("SMF74DMS", "messages"),
        ("SMF74S15", "register 15"),
        ("SMF74SRC", "return code"),
        ("SMF74SRS", "reason code"),
        ("SMF74TSR", "small records"),
        ("SMF70PFG", "80 from active to inactive or back"),
        ("SMF74HPC", "aliases configured"),
        ("SMF74IDT", "unit is unknown"),
        ("SMF74IOS", "is unknown"),
    ],
)
def test_meanings_that_were_wrong_once_are_those_of_ibm(name: str, words: str) -> None:
    (meaning,) = (field["meaning"] for _, field in _fields() if field["name"] == name)
    assert words in meaning
