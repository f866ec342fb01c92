"""Is a file of another family refused under its own name, by every command that is handed files?

The forms are those of the tools' manuals; names and numbers are made up.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from slicewright.advise.linux_files import refused_for
from slicewright.measured.families import family_of, refused

from tests.conftest import CommandLine

MONITOR_III = """\
                        RMF V2R4  Device Resource Delays        Line 1 of 3
Command ===>                                                  Scroll ===> HALF

Samples: 100     System: SYSF  Date: 05/11/19  Time: 10.03.20  Range: 100   Sec

 Volume S/   Act  Resp  ACT CON DSC PND %,  DEV/CU              Service  USG DLY
   /Num PAV  Rate Time   %   %   %  Reasons Type     Jobname  C Class     %   %
 DB0001 S   812.5  2.1   40  30   8 PND   2 33909    ORDERS   S ONLINE    9   3
"""
MONITOR_III_WITHOUT_TITLE = """\
 Samples: 60      Systems: 3    Date: 05/11/19  Time: 10.03.00  Range: 60    Sec

            Service     WFL USG DLY IDL UKN ---- % Delayed for ---- Primary
"""
MONITOR_II = """\
                     RMF - DEV Device Activity                         Line 1 of 3

                     CPU= 45/ 38 UIC=2540 PFR=   0           System= SYSF  Total
TIME I=45% DEV FE VOLSER PAV  ACTV  RESP IOSQ PEND DISC CONN D UTL
"""
CMF = """\
 PRODUCED BY CMF ANALYZER (6.1.00  RSL 1904 )            DEVICE ACTIVITY REPORT           RPTSEQ     7 PAGE    429
 BMC Software, Inc.                                      THE SITE                                REPORT DATE: 01 JUN 19
 ACTL 01 JUN 19 20.00.01  01 JUN 19 20.15.02             LOCATION - A                            SYSTEM ID: SYSF
"""
CMF_MONITOR = """\
1PRODUCED BY CMF MONITOR (5.5.00)                     DISABLED DELAY REPORT            SYSTEM ID: SYSF   PAGE     1
"""
CMF_ONLINE = """\
BMC SOFTWARE, INC.                                                                    REPORT DATE: 06/01/19 16:40:28
06/01/19 16:40:28 (01:00)                                                        SYSTEM: SYSF SYSF Z 2.04.0
CPU 21/ 21 UIC 260 Paging 11 ES Mig Age N/A Time 10:37:44
ID NO G CHAN      PART TOTAL BUS   PART  TOTAL
        TYPE  SHR BUSY BUSY  BUSY  READ  READ
50    1 FC_S  Y   4.10 9.80  3.20  12.10 30.20
"""
QUEUING_OF_CMF = """\
PRODUCED BY CMF MONITOR (6.2.00)                     I/O QUEUEING ACTIVITY REPORT                          PAGE:    1
 CHAN PREF DCM  CNTL           DCM GROUP  LCU  CONT  DEL Q    CSS  CHPID   %DP    %CU     CMR    CUB
 50             2200                      024  0.00   0.00   0.10   0.02   0.00   0.00   0.00   0.00
"""
ENQUEUES = """\
DATE     TIME    SYS  JOBNAME  ASID TCB      PSW              F1 F2       F2-e  Sc rln typ RC     RSN     Qname   Rname
20260209 09:00:00 SYSA BATCH1   0032 008D1234 078D100080001234 00 00001000 ObtExc 3 010 00 00000000 00000000 SYSDSN A
"""
STATISTICS = """\
SMF file analysis starts ...

SMF Data for system SYSA covering Mon Feb 02 12:30:00 GMT 2026 to Mon Feb 02 14:29:59 GMT 2026
 Record Type      Records  %Total   Avg Length   Min Length   Max Length
          70          240  100.00     1,533.69        1,292        2,204
"""
PATHS = """\
Device 2208, Status ONLINE
 CHPIDs to Device 2208 (PIM)  : 50 51 54 55
  Physically Available (PAM)  : +  +  +  +
"""
UNITS = """\
IEE457I 10.00.00 UNIT STATUS 123
UNIT TYPE STATUS        VOLSER     VOLSTATE      SS
2208 3390 O             PAY000     PRIV/RSDNT     0
"""
TOOLKIT = """\
1FCX102  Run 2019/05/11 10:00:00         SYSTEM
                                         CPU Load and Transactions
"""
CHANNELS = """\
                                        C H A N N E L   P A T H   A C T I V I T Y
            z/OS V2R4               SYSTEM ID SYSF             DATE 05/11/2019             INTERVAL 14.59.998
"""
QUEUING = "1" + CHANNELS.replace("C H A N N E L   P A T H   A C T I V I T Y", "I / O   Q U E U I N G   A C T I V I T Y")
DISPLAYED = """\
IEE174I 10.00.00 DISPLAY M 123
DEVICE 02208   STATUS=ONLINE
CHP                   50   51
"""
SERVED = """\
IEE459I 10.00.01 DEVSERV QPAVS 456
     HOST                                SUBSYSTEM
"""
DUMPED = """\
1                                              SUMMARY ACTIVITY REPORT
      START DATE-TIME  05/11/2019-10:00:00                         END DATE-TIME  05/11/2019-11:00:00
"""
INDICATED = "AVGPROC-038% 04\nXSTORE-000000/SEC MIGRATE-0000/SEC\n"
DOCUMENT = '<?xml version="1.0" encoding="UTF-8"?>\n<ddsml xmlns:xsi="x">\n <report>\n'

VELOCITY = """\
Report: ESADEV2      DASD Performance Analysis - Part 1             Velocity Software Corporate  ZMAP 5.1.2   01/05/26
"""

TEXTS = {
    "the RMF Monitor III report Device Resource Delays": MONITOR_III,
    "an RMF Monitor III report": MONITOR_III_WITHOUT_TITLE,
    "the RMF Monitor II report DEV Device Activity": MONITOR_II,
    "the CMF report DEVICE ACTIVITY REPORT": CMF,
    "the CMF report DISABLED DELAY REPORT": CMF_MONITOR,
    "a CMF report": CMF_ONLINE,
    "the report ESADEV2 of Velocity Software": VELOCITY,
    "the CMF report I/O QUEUEING ACTIVITY REPORT": QUEUING_OF_CMF,
    "the listing of GRS87RPT": ENQUEUES,
    "statistics of SMF_CORE": STATISTICS,
    "the reply to QUERY PATHS": PATHS,
    "a console message of z/OS (IEE457I)": UNITS,
    "the z/VM Performance Toolkit page FCX102": TOOLKIT,
    "the RMF page CHANNEL PATH ACTIVITY": CHANNELS,
    "the RMF page I/O QUEUING ACTIVITY": QUEUING,
    "the reply to DISPLAY M": DISPLAYED,
    "the reply to DEVSERV": SERVED,
    "the listing of IFASMFDP": DUMPED,
    "the reply to INDICATE LOAD": INDICATED,
    "an XML document of the RMF Distributed Data Server": DOCUMENT,
    "an HTML page": "<!DOCTYPE html>\n<html><body>report</body></html>\n",
}
BYTES = {
    "a PDF document": b"%PDF-1.7\n",
    "a ZIP archive or an office document": b"PK\x03\x04\x14\x00",
    "a file packed by xz": b"\xfd7zXZ\x00\x00",
    "a file packed by bzip2": b"BZh91AY",
    "a file packed by zstd": b"\x28\xb5\x2f\xfd\x04",
    "a TSO TRANSMIT file (XMIT)": b"\x50\xe0" + "INMR01".encode("cp037"),
}
FOREIGN = {name: text.encode() for name, text in TEXTS.items()} | BYTES
READ_BY_ADVISE = ("published/hyperpav/device-reports/Y032180H.txt",)
KNOWN_PAGES = ("FCX126", "FCX144", "FCX161", "FCX287", "FCX302", "FCX304", "FCX306")


PAGES_READ = {
    "the RMF Monitor III report Device Resource Delays": ("read",),
    "the z/VM Performance Toolkit page FCX102": ("read", "advise"),
    "the RMF page CHANNEL PATH ACTIVITY": ("read", "advise"),
    "the RMF page I/O QUEUING ACTIVITY": ("read", "advise"),
    "the reply to DISPLAY M": ("advise",),
    "the reply to DEVSERV": ("advise",),
}
"""Families that a command reads: there these heads alone are refused for what they lack."""


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("command", [("advise",), ("advise", "aliases"), ("advise", "slices"), ("read",)])
def test_a_file_of_another_family_is_refused_under_its_own_name(
    slicewright: CommandLine, tmp_path: Path, command: tuple[str, ...], name: str
) -> None:
    file = tmp_path / "handed.txt"
    file.write_bytes(FOREIGN[name])
    outcome = slicewright(*command, file)
    if command[0] in PAGES_READ.get(name, ()):
        assert "Addr" not in outcome.err, "its problem is what it lacks, not the headings of a DEVICE page"
        return
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"error: {file}: {name}\n"), outcome.err
    assert "help:" in outcome.err


@pytest.mark.parametrize("name", [name for name in TEXTS if not name.startswith("the reply to IND")])
def test_a_family_is_known_in_ebcdic_too(name: str) -> None:
    found = family_of(TEXTS[name].encode("cp037", "replace"))
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("code", KNOWN_PAGES)
def test_a_page_of_the_toolkit_is_named_with_what_it_shows(code: str) -> None:
    (found,) = refused([("page.txt", f"1{code}  Run 2019/05/11 10:00:00         X\n".encode())], "advise")
    assert found["what"].startswith(f"the z/VM Performance Toolkit page {code} ")
    assert found["why"].startswith("it has ")
    assert found["allowed"]


def test_a_text_of_no_family_is_not_told_the_headings_of_a_device_page(
    slicewright: CommandLine, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear analyst\n")
    for question in ((), ("aliases",), ("slices",)):
        outcome = slicewright("advise", *question, letter)
        assert outcome.status == 2
        assert "the file begins `Dear analyst`" in outcome.err
        assert "Addr" not in outcome.err


@pytest.mark.parametrize("page", READ_BY_ADVISE)
def test_read_names_the_command_that_reads_a_page(slicewright: CommandLine, page: str) -> None:
    outcome = slicewright("read", page)
    assert outcome.status == 2
    assert f"slicewright advise {page}" in outcome.err


def test_every_file_of_another_family_is_named_at_once(slicewright: CommandLine, tmp_path: Path) -> None:
    files = [tmp_path / f"{at}.txt" for at in range(3)]
    for file, text in zip(files, (MONITOR_III, CMF, DUMPED), strict=True):
        file.write_text(text)
    outcome = slicewright("advise", *files)
    assert [line.count("error: ") for line in outcome.err.splitlines() if "error" in line] == [1, 1, 1]


def test_a_page_that_is_read_is_of_no_other_family_for_advise(slicewright: CommandLine, tmp_path: Path) -> None:
    listing = tmp_path / "listing.txt"
    listing.write_bytes(CHANNELS.encode() + Path("tests/golden/rmf_pages/pav-current.txt").read_bytes())
    assert "CHANNEL PATH ACTIVITY" not in slicewright("advise", listing, "--at", "1").err


@pytest.mark.parametrize("line", ["   0   0   0   3   9   1   0   0", "1 1 1 1 1 1 1 1", "a b"])
def test_numbers_that_stand_apart_are_no_title(line: str) -> None:
    assert family_of(f"{line}\n".encode()) is None


MONOTONE = [
    b"\n",
    b" ",
    b"\t\n",
    b"a",
    b"1 ",
    b'"',
    b"\r",
    b"[[",
    b"{\n",
    b"( PRODUCED BY CMF",
    b"RMF - AB ",
    b"avg-cpu:  %user\n",
]


@pytest.mark.parametrize("piece", MONOTONE)
def test_no_content_makes_a_family_slow_to_recognise(piece: bytes) -> None:
    data = (piece * 70_000)[:70_000]
    began = time.process_time()
    assert (refused([("given", data)], "advise"), refused_for("aliases", [("given", data)])) is not None
    assert time.process_time() - began < 2, "an expression that looks back from every line"
