"""The pools of the devices on a DEVICE page: by a QUERY PAV listing, by named ranges, or by first digits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright._core import PoolListing
from slicewright.advise.aliases.request import Span
from slicewright.errors import Problem, problem, refusal
from slicewright.statistics import plural

if TYPE_CHECKING:
    from slicewright.advise.aliases.evidence import Device

_LINE = re.compile(rb"^\s*device\s+[0-9a-f]{4}\s", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that belong together, and how that was decided; `aliases` are those that a listing says to be aliases."""

    rows: list[Device]
    membership: str
    aliases: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The responses to QUERY PAV: the listing's entry for each device number."""

    file: str
    devices: Mapping[str, Mapping[str, Any]]

    def base_of(self, row: Device) -> str:
        """The base of a row: as printed, else that of a static alias without a label in the listing."""
        told = self.devices.get(row.device.upper())
        if row.base or row.label or told is None or told["role"] != "bound-alias":
            return row.base
        return str(told["base"])


def is_listing(data: bytes) -> bool:
    """Whether a file looks like the responses to QUERY PAV and not like a DEVICE page.

    >>> is_listing(b"q pav all\\nDevice 522A is a HyperPAV base in pool 1\\n"), is_listing(b"FCX108  Run")
    (True, False)
    """
    return b"FCX108" not in data and _LINE.search(data) is not None


def read_listing(data: bytes, file: str) -> Listing:
    """Read a listing; raises InputError with every problem.

    >>> len(read_listing(b"Device 522A is a base with aliases 5249", "pav.txt").devices)
    1
    """
    return Listing(file, {row["device"]: row for row in PoolListing.read(data, file).devices()})


def by_listing(rows: Sequence[Device], listing: Listing, file: str) -> list[Group]:
    """A group per pool of the listing, and one per base that is in no pool; rows that it does not list are omitted.

    Raises InputError where listing and page contradict each other, or have no device in common.

    >>> from slicewright.advise.aliases.example import report
    >>> told = read_listing(b"Device 522A is a base without aliases", "pav.txt")
    >>> by_listing(report().exposures, told, "Y040180P.txt")[0].membership
    'as listed in pav.txt'
    """
    listed = {row.device: listing.devices.get(row.device.upper()) for row in rows}
    contradictions = [one for row in rows if (one := _contradiction(row, listed[row.device], listing.file, file))]
    contradictions += _without_aliases(rows, listing, file)
    if contradictions:
        raise refusal(*contradictions)
    if not any(listed.values()):
        first, last = next(iter(listing.devices)), list(listing.devices)[-1]
        why = f"it lists {plural(len(listing.devices), 'device')}, {first} to {last}; the page has {_range(rows)}"
        raise refusal(problem("lists no device of the page", file=listing.file, why=why))
    groups: dict[str, list[Device]] = {}
    for row in rows:
        response = listed[row.device]
        if response is not None and not row.base:
            groups.setdefault(f"pool {response['pool']}" if response["pool"] else row.device, []).append(row)
    out = sum(1 for response in listed.values() if response is None)
    left = f"; {plural(out, 'device')} of the page not listed there: ignored" if out else ""
    return [
        Group(
            members,
            f"as listed in {listing.file}{_missing(members, listing, name)}{left}",
            frozenset(row.device for row in members if _is_alias(listed[row.device])),
        )
        for name, members in groups.items()
        if any(not _is_alias(listed[row.device]) for row in members)
    ]


def by_name(rows: Sequence[Device], named: Sequence[tuple[Span, ...]], file: str = "") -> list[Group]:
    """A group per pool that was named; without any, one per first two digits.

    Raises InputError where aliases that did I/O work for volumes that were not named with them too.

    >>> by_name([], [])
    []
    """
    if not named:
        alike: dict[str, list[Device]] = {}
        for row in rows:
            alike.setdefault(row.device[:2], []).append(row)
        return [Group(alike[digits], "same first two digits") for digits in sorted(alike)]
    groups: list[Group] = []
    for spans in named:
        inside = [row for row in rows if any(row.device in span for span in spans)]
        if any(not row.label for row in inside):
            groups.append(Group(inside, "as named by --pool"))
            continue
        digits = sorted({row.device[:2] for row in inside})
        loose = [row for row in rows if not row.label and row.device[:2] in digits]
        others = [
            row for row in rows if row.label and row.device[:2] in digits and row not in inside and row.io_per_s > 0
        ]
        if others and any(row.io_per_s > 0 for row in loose):
            raise refusal(_part_of_a_pool(inside, others, loose, file))
        note = "bases as named by --pool" + (", aliases by the same first two digits" if loose else "")
        groups.append(Group(inside + loose, note))
    return groups


def _part_of_a_pool(inside: Sequence[Device], others: Sequence[Device], loose: Sequence[Device], file: str) -> Problem:
    """The problem of a range without other volumes that use the same aliases."""
    why = (
        f"{plural(len(loose), 'alias', 'aliases')} ({_range(loose)}) also work for"
        f" {plural(len(others), 'volume')} beside it ({_range(others)}); the page does not divide their I/O"
    )
    allowed = f"all volumes of the pool: {_range([*inside, *others]).replace(' to ', '-')}; or the aliases in the range"
    return problem(f"part of a pool: {_range(inside)}", file=file, key="pool", why=why, allowed=allowed)


def _is_alias(response: Mapping[str, Any] | None) -> bool:
    return response is not None and response["role"] == "pool-alias"


def _contradiction(row: Device, response: Mapping[str, Any] | None, listing: str, file: str) -> Problem | None:
    """The difference between the page and the listing on one device."""
    if response is None:
        return None
    here = (
        f"an alias of {row.base}" if row.base else f"the base of {row.label}" if row.label else "no base with a label"
    )
    there = {
        "base": f"a base in pool {response['pool']}" if response["pool"] else "a base",
        "pool-alias": f"an alias in pool {response['pool']}",
        "bound-alias": f"an alias of {response['base']}",
    }[response["role"]]
    allowed = ("base",) if row.label else ("base", "pool-alias")
    if response["base"] == row.base.upper() if row.base else response["role"] in allowed:
        return None
    why = f"{listing}, line {response['line']}, has {there}"
    return problem(f"is {here}", file=file, key=row.device, why=why, allowed="a listing from the time of the report")


def _without_aliases(rows: Sequence[Device], listing: Listing, file: str) -> list[Problem]:
    """A problem for each pool and static base whose aliases are missing: in the listing, or all of them on the page."""
    here = {row.device.upper() for row in rows}
    pools: dict[str, list[str]] = {}
    problems = []
    for device, entry in listing.devices.items():
        if entry["role"] == "base":
            gone = [alias for alias in entry["aliases"] if alias not in here]
            if device in here and gone:
                why, allowed = f"{listing.file} has {' '.join(gone)} as its aliases", "a page with all devices"
                problems.append(
                    problem("rows of its aliases are missing", file=file, key=device, why=why, allowed=allowed)
                )
        if entry["pool"]:
            pools.setdefault(str(entry["pool"]), []).extend([device] if _is_alias(entry) else [])
    used = {str(entry["pool"]) for device, entry in listing.devices.items() if device in here and entry["pool"]}
    for pool in sorted(used):
        aliases = pools[pool]
        if not aliases:
            why, allowed = (
                "a HyperPAV pool has aliases, and the listing has bases of it alone",
                "responses to QUERY PAV ALL",
            )
            problems.append(problem("lists no alias", file=listing.file, key=f"pool {pool}", why=why, allowed=allowed))
        elif not any(alias in here for alias in aliases):
            why = f"{listing.file} has {plural(len(aliases), 'alias', 'aliases')} in the pool"
            allowed = "a page with all devices, aliases too"
            problems.append(
                problem("rows of the aliases are missing", file=file, key=f"pool {pool}", why=why, allowed=allowed)
            )
    return problems


def _missing(members: Sequence[Device], listing: Listing, name: str) -> str:
    """How many aliases of a pool the listing has and the page does not show."""
    shown = {row.device.upper() for row in members}
    more = [
        device for device, response in listing.devices.items()
        if _is_alias(response) and f"pool {response['pool']}" == name and device not in shown
    ]  # fmt: skip
    return f", which has {plural(len(more), 'alias', 'aliases')} that the page does not show" if more else ""


def _range(rows: Sequence[Device]) -> str:
    numbers = [row.device for row in rows]
    return f"{min(numbers)} to {max(numbers)}" if numbers else "none"
