"""Is the question that a z/OS page asks the question that is answered, and is its advice about aliases sound?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.advise.aliases.answer import Recommendation
from slicewright.advise.aliases.evidence import read_rmf_pools
from slicewright.advise.aliases.from_reports import check_laws
from slicewright.advise.aliases.report import document, report
from slicewright.advise.aliases.request import check
from slicewright.advise.options import AdviceOptions
from slicewright.advise.questions import question_of
from slicewright.report import text

from tests.advise.alias_example import advice
from tests.advise.slices_example import PAGE as CLASSIC
from tests.advise.slices_example import PARTITIONS
from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

CURRENT = (ROOT / "crates/records/tests/rmf/current.txt").read_bytes()
HEAD = b"""
                                     D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y
            z/OS V2R4               SYSTEM ID SYSF             DATE 05/11/2019             INTERVAL 14.59.998
                                     RPT VERSION V2R4 RMF      TIME 06.00.00               CYCLE 1.000 SECONDS

TOTAL SAMPLES =    900   IODF = 00   CR-DATE: 09/14/2017   CR-TIME: 10.31.31     ACT: POR
                                                 DEVICE   AVG  AVG   AVG  AVG  AVG   AVG  AVG  AVG    %      %     %     AVG    %
STORAGE   DEV  DEVICE   NUMBER  VOLUME PAV  LCU  ACTIVITY RESP IOSQ  CMR  DB   INT   PEND DISC CONN   DEV    DEV   DEV   NMBR   ANY
 GROUP    NUM  TYPE     OF CYL  SERIAL           RATE     TIME TIME  DLY  DLY  DLY   TIME TIME TIME   CONN   UTIL  RESV  ALLOC  ALLOC
"""  # noqa: E501
ROW = b"         0%s 33909     10017  %s %s %s  %s %s %s  .100 .000 .012  .200 .200 .900   16.99  20.76   0.0    9.0  100.0\n"  # noqa: E501


def row(device: bytes, pav: bytes, lcu: bytes = b"0017", rate: bytes = b"755.000", waits: bytes = b"2.41") -> bytes:
    """A row of a volume; its response is its waiting and 1.3 ms."""
    response = b"%.2f" % (float(waits) + 1.3)
    return ROW % (device, b"TRX" + device[1:], pav.rjust(4), lcu, rate.rjust(7), response, waits)


def pools(page: bytes, **options: object) -> list:  # type: ignore[type-arg]
    return read_rmf_pools(page, "page.txt", check(AdviceOptions.of(**options)))


@pytest.mark.parametrize(
    ("files", "options", "expected"),
    [
        ([CURRENT], {}, "aliases"),
        ([CURRENT, PARTITIONS], {}, "slices"),
        ([CURRENT], {"slices": "30 ms"}, "slices"),
        ([CURRENT], {"share": ["50%"]}, "slices"),
        ([CLASSIC], {}, "slices"),
        ([b"1FCX108  Run"], {"slices": "30 ms"}, "aliases"),
    ],
)
def test_the_pages_decide_the_question(files: list[bytes], options: dict[str, object], expected: str) -> None:
    named = [(f"{at}.txt", data) for at, data in enumerate(files)]
    assert question_of(named, AdviceOptions.of(**options)).name == expected


def test_a_zos_page_without_domains_gets_no_advice_about_slices(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "page.txt").write_bytes(HEAD + row(b"2300", b"1"))
    outcome = slicewright("advise", "slices", tmp_path / "page.txt")
    assert (outcome.status, outcome.out) == (2, "")
    assert "PARTITION DATA beside it" in outcome.err


def test_queue_is_rate_times_iosq_and_pav_counts_the_base() -> None:
    (found,) = pools(HEAD + row(b"2300", b"4"))
    assert (found.kind, found.aliases_present, found.name) == ("classic PAV", 3, "2300")
    assert found.queue_depth == pytest.approx(0.755 * 2.41)
    assert found.io_per_s == pytest.approx(755)
    assert found.response_ms == pytest.approx(3.71, abs=0.005)
    assert all(law.holds for law in check_laws(found))


def test_volumes_of_one_lcu_are_a_pool_with_the_aliases_that_are_given() -> None:
    page = HEAD + row(b"2300", b"1.8H") + row(b"2301", b"1.2H") + row(b"2400", b"1", b"0018") + row(b"2401", b"3")
    one, many, alone = pools(page, aliases=["0017=8"])
    assert (one.kind, one.aliases_present) == ("classic PAV", 2)
    assert [volume.base.device for volume in many.volumes] == ["2300", "2301"]
    assert (many.aliases_present, many.membership) == (8, "LCU 0017")
    assert (alone.name, alone.aliases_present) == ("2400", 0)
    assert pools(page, aliases=["8"])[1] == many
    (named,) = pools(page, pool=["2400"])
    assert named == alone


@pytest.mark.parametrize(
    ("page", "options", "wanted"),
    [
        (HEAD + row(b"2300", b"1.8H"), {}, "--aliases 0017=N"),
        (HEAD + row(b"2300", b"1.8H"), {"aliases": ["0017=8", "0099=8"]}, "no HyperPAV volume of this LCU"),
        (HEAD + row(b"2300", b"1"), {"aliases": ["8"]}, "no HyperPAV volume of this LCU"),
        (HEAD + row(b"2300", b"x"), {}, "not a number of exposures: x"),
        (HEAD + row(b"2300", b"1"), {"aliases": ["many"]}, "not a number of aliases: many"),
        (CLASSIC, {}, "no column PAV"),
    ],
)
def test_what_is_missing_or_wrong_is_named(page: bytes, options: dict[str, object], wanted: str) -> None:
    with pytest.raises(InputError, match=wanted):
        pools(page, **options)


BLANK = b"    "
APART = HEAD + b"".join(row(device, b"1.4H", BLANK) for device in (b"2300", b"2301", b"4300"))


@pytest.mark.parametrize(
    ("options", "groups"),
    [
        ({"aliases": ["8"]}, [(["2300", "2301"], "same first two digits"), (["4300"], "same first two digits")]),
        ({"aliases": ["8"], "pool": ["2300-4300"]}, [(["2300", "2301", "4300"], "as named by --pool")]),
    ],
)
def test_hyperpav_volumes_without_an_lcu_share_the_aliases_that_are_given(
    options: dict[str, object], groups: list[tuple[list[str], str]]
) -> None:
    found = pools(APART, **options)
    assert [([volume.base.device for volume in pool.volumes], pool.membership) for pool in found] == groups
    assert [pool.aliases_present for pool in found] == [8] * len(groups)


def test_without_an_lcu_the_devices_are_named_and_the_number_alone_is_asked_for() -> None:
    with pytest.raises(InputError, match=r"devices 23\.\., without an LCU: .* missing for 2 volumes") as refused:
        pools(APART)
    assert "--aliases N, " in str(refused.value)


def test_more_in_service_than_exposures_is_impossible() -> None:
    (found,) = pools(HEAD + row(b"2300", b"2", rate=b"2000.00"))
    laws = {law.name: law for law in check_laws(found)}
    assert laws["utilisation"].impossible == ("2300: 2.6 in service on 2 exposures",)


def test_advice_from_a_page_is_that_from_a_device_report_of_the_same_load(
    tmp_path: Path, slicewright: CommandLine
) -> None:
    known = ["--assume", "population=3", "--assume", "sharing=2%", "--assume", "redispatch=none", "--format", "json"]
    (tmp_path / "page.txt").write_bytes(HEAD + row(b"522A", b"1"))
    report = ROOT / "published/hyperpav/device-reports/Y040180P.txt"
    by_rmf = slicewright("advise", tmp_path / "page.txt", *known, "-q")
    by_fcx = slicewright("advise", report, *known, "-q")
    assert (by_rmf.status, by_fcx.status) == (0, 0)
    made, published = json.loads(by_rmf.out), json.loads(by_fcx.out)
    assert made["recommendation"]["aliases"] == published["recommendation"]["aliases"] == 2
    assert made["evidence"]["reports"][0]["queue_depth"] == pytest.approx(1.82, abs=0.01)


def test_a_range_that_says_nothing_is_no_recommendation() -> None:
    wide = replace(advice(), knee=Recommendation(5, 1, 40))
    assert "No recommendation for volume 522A: the readings range from 1 to 40 aliases" in text.render(report(wide))
    made = document(wide)
    assert made["recommendation"] is None
    assert "1 to 40" in made["reason"]
    assert made["needed"] == list(wide.needed)
    narrow = replace(advice(), knee=Recommendation(5, 4, 16))
    assert "range 4 to 16" in text.render(report(narrow))


@pytest.mark.parametrize(("rate", "beyond"), [(b"2000.00", "3.2"), (b"1900.00", "2.9"), (b"2200.00", "3.7")])
def test_fewer_aliases_than_are_in_use_are_refused_with_both_numbers(rate: bytes, beyond: str) -> None:
    page = HEAD + row(b"2300", b"4.9H", rate=rate, waits=b".010") + row(b"2301", b"2.1H", rate=rate, waits=b".010")
    page += row(b"2302", b"1.0H", rate=b"20.000", waits=b".000")
    (found,) = pools(page, aliases=["0017=2"])
    (law,) = [law for law in check_laws(found) if law.name == "utilisation"]
    assert not law.holds
    assert law.impossible == (f"2300-2302: {beyond} I/Os are in service beyond the bases, and there are 2 aliases",)
    (enough,) = pools(page, aliases=["0017=12"])
    assert all(law.holds for law in check_laws(enough))


def test_the_answer_names_aliases_in_use_and_assumed(slicewright: CommandLine, tmp_path: Path) -> None:
    page = HEAD + row(b"2300", b"1.5H", rate=b"2000.00", waits=b".010") + row(b"2301", b"1.5H", rate=b"2000.00")
    (tmp_path / "page.txt").write_bytes(page)
    said = slicewright("advise", "aliases", tmp_path / "page.txt", "--aliases", "0017=2")
    assert "No recommendation" in said.out
    assert "I/Os are in service beyond the bases, and there are 2 aliases" in " ".join(said.out.split())
    assert "another number of aliases" in said.out
