"""Records of an SMF dump as JSON in the form of smf2db: decoded from the bytes by the published layouts."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from slicewright._core import smf_layouts

from tests.measured.dumps import header, sections

_LAYOUTS = {layout["name"]: layout["fields"] for layout in smf_layouts()}
_TICKS_US = {"us": 1.0, "128 us": 128.0, "1,024 us": 1024.0, "ms": 1000.0, "TOD units": 1 / 4096}


def as_json(record: bytes, placed: Mapping[str, tuple[int, str]], absent: Mapping[str, dict[str, Any]]) -> Any:
    """A record: header, product section, and sections by their names in smf2db.

    `placed` has the triplet and the layout of each section, `absent` the fields that smf2db asks for and that no
    published layout places.
    """
    found = header(record)
    of_all = {"sysId": found.sid, "sysInd": "0x00", "recType": found.rty, "subType": found.sty}
    (product,) = sections(record, 0)
    made: dict[str, Any] = {"header": of_all, f"smf{found.rty}pro": _product(product, f"smf{found.rty}")}
    for name, (place, layout) in placed.items():
        made[name] = [_fields(section, layout) | absent.get(name, {}) for section in sections(record, place)]
    return {name: [dict(fields)] for name, fields in absent.items()} | made


def _product(section: bytes, prefix: str) -> dict[str, Any]:
    fields = {prefix + name[3:]: value for name, value in _fields(section, "SMFxxPRO").items()}
    day = datetime.datetime.strptime(fields[f"{prefix}dat"][2:-1], "%y%j")
    clock, length = fields[f"{prefix}ist"][1:-1], fields[f"{prefix}int"][:-1]
    start = day + datetime.timedelta(hours=int(clock[:2]), minutes=int(clock[2:4]), seconds=int(clock[4:]))
    span = datetime.timedelta(minutes=int(length[:2]), seconds=int(length[2:4]), milliseconds=int(length[4:]))
    for name, instant in {"ist": start, "iet": start + span, "gie": start + span}.items():
        fields[prefix + name] = f"{instant:%Y-%m-%d %H:%M:%S}"
    for name in ("mfv", "cyc"):
        fields[prefix + name] = int(fields[prefix + name][:-1])
    return fields | {f"{prefix}int": str(span)}


def _fields(section: bytes, layout: str) -> dict[str, Any]:
    return {
        field["name"].lower(): _value(section[field["offset"] :][: field["length"]], field["kind"])
        for field in _LAYOUTS[layout]
    }


def _value(data: bytes, kind: str) -> Any:
    if kind == "text":
        return data.decode("cp037").rstrip("\0 ")
    if kind == "packed decimal":
        return data.hex()
    if kind in ("bits", "hexadecimal"):
        return f"0x{data.hex()}"
    number = int.from_bytes(data)
    ticks = _TICKS_US.get(kind.removeprefix("span, "))
    return number if ticks is None else str(datetime.timedelta(microseconds=number * ticks))
