"""Is a pool what a QUERY PAV listing says it is, in place of what first digits suggest?"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright
from slicewright import InputError
from slicewright.advise.aliases.evidence import PoolReport, is_listing, read_listing, read_pools
from slicewright.run.pages.run import device_page_of, pool_listing_of

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

REPORTS = ROOT / "published/hyperpav/device-reports"
PAGE = (REPORTS / "Y032181H.txt").read_bytes()
BASES = [f"{number:04X}" for number in range(0x522A, 0x5232)]
ALIASES = [f"{number:04X}" for number in range(0x5249, 0x5251)]


def listed(pools: dict[str, str], bases: list[str] = BASES) -> bytes:
    """A listing of these devices; `pools` maps each device to its pool."""
    lines = [
        f"Device {device} is a HyperPAV {'base' if device in bases else 'alias'} in pool {pools[device]}"
        for device in pools
    ]
    return "\n".join(["q pav all", *lines, "Ready;"]).encode()


def pools_of(listing: bytes, page: bytes = PAGE) -> list[PoolReport]:
    """The pools of a page by a listing."""
    return read_pools(page, "page.txt", listing=read_listing(listing, "pav.txt"))


def test_one_pool_is_what_first_digits_gave_and_no_assumption() -> None:
    (found,) = pools_of(listed(dict.fromkeys([*BASES, *ALIASES], "3")))
    (guessed,) = read_pools(PAGE, "page.txt")
    assert (found.volumes, found.aliases) == (guessed.volumes, guessed.aliases)
    assert (found.membership, guessed.membership) == ("as listed in pav.txt", "same first two digits")


def test_two_pools_of_the_same_first_digits_are_kept_apart() -> None:
    told = {base: "3" if at < 4 else "4" for at, base in enumerate(BASES)} | {
        alias: "3" if at < 6 else "4" for at, alias in enumerate(ALIASES)
    }
    first, second = pools_of(listed(told))
    assert [volume.base.device for volume in first.volumes] == BASES[:4]
    assert (first.aliases_present, second.aliases_present) == (6, 2)


def test_an_alias_that_did_nothing_counts_when_the_listing_has_it() -> None:
    idle = b"\n".join(
        b" 524A 3390-3                  4   .0    .0   .0   .0   .0   .0   .0   .0  .00" if b" 524A " in line else line
        for line in PAGE.splitlines()
        if not any(f" {alias} ".encode() in line for alias in ALIASES[2:] + ALIASES[:1])
    )
    (found,) = pools_of(listed(dict.fromkeys([*BASES, "524A"], "3")), idle)
    assert found.aliases_present == 1


def test_what_the_listing_has_and_the_page_has_not_is_said() -> None:
    (found,) = pools_of(listed(dict.fromkeys([*BASES[:6], *ALIASES, "52FE", "52FF"], "3")))
    assert "2 aliases that the page does not show" in found.membership
    assert "2 devices of the page not listed there: ignored" in found.membership
    assert len(found.volumes) == 6


def test_a_base_in_no_pool_is_by_itself() -> None:
    listing = listed(dict.fromkeys([*BASES[1:], *ALIASES], "3")) + b"\nDevice 522A is a base without aliases\n"
    alone, pool = pools_of(listing)
    assert (len(alone.volumes), alone.aliases_present) == (1, 0)
    assert len(pool.volumes) == 7


def test_a_listing_that_contradicts_the_page_is_refused_device_by_device() -> None:
    with pytest.raises(InputError) as refused:
        pools_of(listed(dict.fromkeys([*BASES, *ALIASES], "3"), bases=BASES[2:]))
    assert [problem["key"] for problem in refused.value.problems] == BASES[:2]
    assert "pav.txt, line 2, has an alias in pool 3" in refused.value.problems[0]["why"]


def test_classic_aliases_agree_with_their_listing() -> None:
    page = (REPORTS / "Y040182P.txt").read_bytes()
    (found,) = pools_of(b"Device 522A is a base with aliases 5249 524C\nDevice 5249 is an alias of base 522A\n", page)
    assert (found.kind, found.aliases_present) == ("classic PAV", 2)
    with pytest.raises(InputError, match="is an alias of 522A"):
        pools_of(b"Device 522A is a base in pool 1\nDevice 5249 is an alias in pool 1\n", page)


def test_a_listing_of_other_devices_is_refused() -> None:
    with pytest.raises(InputError, match="lists no device of the page"):
        pools_of(listed({"9900": "1"}, bases=["9900"]))


def test_our_own_page_and_listing_tell_the_pools_of_the_scenario() -> None:
    result = slicewright.run(ROOT / "scenarios/two-pools.toml", set=["measure.interval=1 s", "measure.replications=2"])
    found = pools_of(pool_listing_of(result).encode(), device_page_of(result).encode())
    expected = [2, 2], [4, 1]
    assert ([len(pool.volumes) for pool in found], [pool.aliases_present for pool in found]) == expected


def test_a_listing_is_known_among_files() -> None:
    assert is_listing(listed({"522A": "1"}))
    assert not is_listing(PAGE)
    assert not is_listing(b"[[volume]]\n")


@pytest.mark.parametrize("words", [["PAV"], ["PAGE", "PAV", "PAV2"], ["PAGE", "PAV", "--pool", "522A-5231"]])
def test_what_does_not_go_together_is_refused(words: list[str], tmp_path: Path, slicewright: CommandLine) -> None:
    files = {"PAGE": REPORTS / "Y032181H.txt", "PAV": tmp_path / "pav.txt", "PAV2": tmp_path / "pav2.txt"}
    for name in ("PAV", "PAV2"):
        files[name].write_bytes(listed(dict.fromkeys([*BASES, *ALIASES], "3")))
    outcome = slicewright("advise", *(files.get(word, word) for word in words))
    assert (outcome.status, outcome.out) == (2, "")
    assert "pav" in outcome.err
