"""Pages of RMF that say something of a partition, by their titles."""

from __future__ import annotations

import re
from enum import Enum


class Kind(Enum):
    """A page of RMF that says something of a partition."""

    DEVICES = "DIRECT ACCESS DEVICE ACTIVITY"
    CPU = "CPU ACTIVITY"
    PARTITIONS = "PARTITION DATA REPORT"


_EBCDIC = "cp037"


def kinds(data: bytes) -> list[Kind]:
    """The RMF pages that a file has, by their titles, spaced out or not; EBCDIC is read too.

    >>> kinds(b"  D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")
    [<Kind.DEVICES: 'DIRECT ACCESS DEVICE ACTIVITY'>]
    """
    texts = [data.decode("latin-1").upper()]
    if data.count(b"\x40") > data.count(b" "):
        texts.append(data.decode(_EBCDIC).upper())
    return [kind for kind in Kind if any(_title(kind).search(text) for text in texts)]


def is_rmf(data: bytes) -> bool:
    """Whether a file has an RMF page of devices.

    >>> is_rmf(b"FCX108"), is_rmf(b"D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")
    (False, True)
    """
    return b"FCX108" not in data and Kind.DEVICES in kinds(data)


def has_exposures(data: bytes) -> bool:
    """Whether a file has an RMF page of devices with the number of exposures of each volume (PAV).

    >>> has_exposures(b"D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")
    False
    """
    return is_rmf(data) and re.search(r"\bPAV\b", data.decode("latin-1").upper()) is not None


def _title(kind: Kind) -> re.Pattern[str]:
    words = (r"[ \t]{0,2}".join(word) for word in kind.value.split())
    return re.compile(r"[ \t]+".join(words))
