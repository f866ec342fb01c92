"""Does the advisor take from a DEVICE report what it says, and see where it cannot be true?"""

from __future__ import annotations

import pytest
from slicewright import InputError
from slicewright.advise.aliases.answer import RuleOfThumb
from slicewright.advise.aliases.evidence import PoolReport, borrow, match, printed_sharing, read_pools
from slicewright.advise.aliases.from_reports import check_laws, heading, little
from slicewright.advise.aliases.request import check
from slicewright.advise.options import AdviceOptions
from slicewright.study.hyperpav import STUDY
from slicewright.values.carried import study_folder

FOLDER = study_folder("hyperpav") / "device-reports"


def page(table: str) -> bytes:
    return (FOLDER / f"{table}.txt").read_bytes()


def pool(table: str, *ranges: str) -> PoolReport:
    (only,) = read_pools(page(table), f"{table}.txt", check(AdviceOptions.of(pool=ranges)).pools)
    return only


@pytest.mark.parametrize(
    ("table", "counts", "queue", "response", "thumb"),
    [
        ("Y032180H", (8, 0), 14.4, 3.73, 15),
        ("Y032181H", (8, 8), 7.39, 2.18, 16),
        ("Y032182H", (8, 16), 0.05, 1.65, 17),
        ("Y040180P", (1, 0), 1.84, 3.74, 2),
        ("Y040181P", (1, 1), 0.91, 2.92, 2),
        ("Y040182P", (1, 2), 0.02, 1.74, 3),
    ],
)
def test_published_reports_are_read(
    table: str, counts: tuple[int, int], queue: float, response: float, thumb: int
) -> None:
    found = pool(table)
    assert (len(found.volumes), found.aliases_present) == counts
    assert found.queue_depth == pytest.approx(queue)
    assert found.response_ms == pytest.approx(response, abs=0.005)
    assert RuleOfThumb(found.aliases_present, found.queue_depth).aliases == thumb
    assert all(law.holds for law in check_laws(found) if law.name != "toolkit")


def test_arrows_make_a_classic_volume_and_membership_needs_no_assumption() -> None:
    found = pool("Y040182P")
    assert found.kind == "classic PAV"
    assert found.membership == ""
    assert found.volumes[0].io_per_s == 552 + 545 + 522


def test_values_that_no_page_has_are_shown_as_assumptions() -> None:
    assert pool("Y032181H").membership == "same first two digits"
    named = pool("Y032181H", "522A-5231")
    assert len(named.volumes) == 8
    assert len(named.aliases) == 8
    assert "bases as named" in named.membership
    assert pool("Y032181H", "522A-522D,5249-524A").aliases_present == 2


@pytest.mark.parametrize("part", ["522A", "522A-522D"])
def test_a_part_of_a_pool_is_refused_where_its_aliases_work_for_the_rest_too(part: str) -> None:
    with pytest.raises(InputError, match=f"part of a pool: {part[:4]}.*\\n.*also work for") as caught:
        pool("Y032181H", part)
    assert "522A-5231" in caught.value.problems[0]["allowed"]
    assert len(pool("Y032180H", part).volumes) == (1 if part == "522A" else 4)


def test_idle_disks_are_omitted_and_counted() -> None:
    idle = (
        page("Y032180H")
        .replace(b"  711    .0", b"   .0    .0")
        .replace(b"3.9   .0  1.8\n 522B", b"3.9   .0   .0\n 522B")
    )
    (found,) = read_pools(idle, "idle.txt")
    assert (len(found.volumes), found.idle) == (7, 1)


def test_an_exposure_that_is_more_than_busy_is_impossible() -> None:
    busy = page("Y032180H").replace(b"  711    .0   .2   .2   .9  1.3", b"  911    .0   .2   .2  1.1  1.5")
    (found,) = read_pools(busy, "busy.txt")
    laws = {law.name: law for law in check_laws(found)}
    assert laws["utilisation"].impossible == ("522A: 911/s x 1.5 ms = 137 % busy",)


def test_a_page_that_does_not_tell_its_interval_is_not_given_one() -> None:
    lines = [line for line in page("Y040180P").splitlines() if not line.startswith((b"From", b"To", b"For"))]
    (only,) = read_pools(b"\n".join(lines), "page.txt", ())
    assert "interval unknown" in heading(only)


def test_little_in_words() -> None:
    assert little(pool("Y032180H")) == "14.4 waiting + 7.6 in service = 22.0"


def test_reports_of_one_pool_are_put_in_order_of_aliases_and_others_refused() -> None:
    many, few = read_pools(page("Y032182H"), "16"), read_pools(page("Y032180H"), "0")
    ((first, second),) = match([many, few])
    assert (first.aliases_present, second.aliases_present) == (0, 16)
    with pytest.raises(InputError, match="not the same pool"):
        match([many, read_pools(page("Y040180P"), "other")])
    fewer = b"\n".join(line for line in page("Y032180H").splitlines() if b"522B" not in line)
    with pytest.raises(InputError, match="here is no I/O of 522B"):
        match([many, read_pools(fewer, "fewer")])


def test_growth_as_printed_takes_one_service_time_to_the_other() -> None:
    few, many = pool("Y032180H"), pool("Y032182H")
    share = printed_sharing(few, many)
    fixed = 0.4
    others = [
        few.io_per_s * (few.service_ms - fixed) / 1000 * 7 / 8,
        many.io_per_s * (many.service_ms - fixed) / 1000 * 23 / 24,
    ]
    slower = (1 + share * others[1]) / (1 + share * others[0])
    assert slower == pytest.approx((many.service_ms - fixed) / (few.service_ms - fixed))
    assert borrow().printed_percent == pytest.approx(100 * share)


def test_what_is_borrowed_is_what_the_study_committed() -> None:
    committed = STUDY.committed("sharing").constants
    assert (borrow().gap_ms, borrow().sharing_percent) == (committed["gap"], committed["sharing"])
    assert borrow().source.endswith("published/hyperpav/calibrated.toml")
