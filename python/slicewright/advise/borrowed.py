"""Constants that a report cannot give and that are taken from the HyperPAV study instead.

It leaves out how they were calibrated: the study says that.
"""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.study.constants import committed, constants_file
from slicewright.study.data import data_folder


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Path length between I/Os and how connected I/Os slow each other, with where both are from."""

    gap_ms: float
    sharing_percent: float
    source: str


def borrow() -> Borrowed:
    """The committed constants of the HyperPAV study; raises FileNotFoundError when the installation is broken.

    >>> borrow().sharing_percent >= 0
    True
    """
    constants = committed("sharing").constants
    place = constants_file().relative_to(data_folder("published").parent)
    return Borrowed(constants.gap, constants.slowing, f"hyperpav study ({place.as_posix()})")
