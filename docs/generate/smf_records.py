"""The page of SMF records: every section and field that slicewright can place, and its source."""

from __future__ import annotations

from typing import Any

from slicewright._core import smf_layouts

from docs.generate.monitor_records import section
from docs.generate.tables import table

_BEFORE = """\
# SMF records

Made from the layouts in the code; not edited by hand.

slicewright reads SMF dumps of z/OS and writes intervals as dumps. This page lists each section that can be placed. Of
the records of RMF, types 70-1, 72-5, 73-1, 74-1, 77-1 and 78-3 become counters of an interval, and so do records 87-2
of GRS. All other records are counted and skipped.

**Origin.** Each field has a source, for its place and for its meaning; a test fails where one has none. *Gatherer* is
IBM's own description of every field, made from its mapping macros; its meanings agree with those of the manual. *List*
has the order and lengths of fields, and no offsets. *GRS87RPT* is a program of IBM. A test compares each place, and
each bit that a meaning names, with facts that were typed from these documents apart from the code. Where no source
gives the meaning of a bit, a field or its unit, it is *unknown*, and nothing is computed from it.

No public sample of an SMF dump was found. Files of the tests are of slicewright's own writer, of a second one that was
made from published places alone, and of hand-made sections. Tests try three readers by others on them. `adapya-base`
finds the same records, headers and triplets, and so does SMF_CORE of IBM, which reads no sections. `smf2db` prints
reports of 74-1 and 77-1 with the rates and times of the run.

**Framing.** A dump has records with record descriptor words (RDW), with or without block descriptor words (BDW).
Segments of spanned records are put together. In FTP, `quote site rdw` and `binary` keep the words. The reader names
accidents, each with its remedy: lost words, a translation to ASCII, line ends, a cut file, AMATERSE, zip. Others are
segments out of order and records of more than 32,760 bytes. gzip is read as it comes. A file is a dump where its
descriptor words lead to records with a date, a time and a system, whatever their types. It is a MONWRITE file where its
first block names areas of data.

**Split records.** RMF splits a record that is too long and adds a reassembly area to each part. The parts are put
together in any order.

**Triplets** in the header locate sections by offset, length and number. A field is read where its section is long
enough to have it (*from length*), and a longer section is welcome.

**Numbers** are unsigned and big-endian, text is EBCDIC (code page 1047). Counters are those of the interval. Times are
local.

*Written* marks the fields that are filled in a dump of a run; the others are zero. A number that is too large for its
field is written as the largest one.

## Assumptions

- **Reassembly area**: SMFxxRIO counts from the start of the area. There is one block for each triplet, in their order,
  with or without that of the product section.
- **Floating-point fields** are hexadecimal, as S/390 has them.
- **SMF74IOS** is the wait of one request or the sum of all, which no source says. The queue that RMF sampled decides:
  the one that agrees with it within a factor of two, by Little's law, is taken. Where fewer than 30 requests were seen
  in queues, or neither agrees, the wait is not known.
- **R783CPDS** counts from the record descriptor word. In a record that was split it leads into other sections, and the
  channel paths are not known.
- **PR/SM**: SMF70PDT is SMF70EDT and the management of PR/SM. A logical processor that is online and neither dispatched
  nor in the wait state has work and is not carried. With Wait Completion, the wait state is part of the dispatch time.
- **87-2**: a task holds a resource from the completion of an ENQ with return code 0 to the start of its DEQ. No source
  says whether an ENQ that waits completes before its wait, so a hold may contain one. Requests are counted by minutes
  of the TOD clock; a minute belongs to the interval of RMF in which its middle is (SMFxxLGO). A system without records
  of RMF has an interval for each hour of its requests. Its zone is that in which some record was written within a
  quarter of an hour of a request.

## Laws

No number becomes a row that its interval does not allow. Time is at most the interval, a part at most its whole, and no
count is negative. Counts have a limit (ASSUME): in a second a million I/Os of a volume or interrupts of a processor,
and a hundred million requests of a service. At most ten thousand requests wait in a queue. A hundredth of the
interval and ten milliseconds are taken for counters that are read one after the other. An I/O that began before the
interval counts whole, one for each exposure. A volume with aliases has up to 256 exposures. A delay that is a part of
the pending time is no longer than that. A channel path is busy for 0 to 101 % of the time. ASSUME: contention is timed
within the interval. ASSUME: a request of 87-2 lasts less than a day, and ends within the day before its record is
written.

A row that breaks a law is omitted. A note names the record, its byte, the field, its offset in the record, its number
and the law. A record 70-1 is omitted whole, because its partitions share one time. So is a record whose interval ends
after the record was written, or which has more samples than cycles. A change that is only improbable is not found.

## From fields to columns

| column | from |
|---|---|
| `volumes.io_per_s` | SMF74SSC over the interval |
| device number | SMF74SCS and SMF74NUM: 2208 of set 0 and 12208 of set 1 are two devices |
| `volumes.pend_ms`, `disc_ms`, `conn_ms` | SMF74PEN, SMF74DIS, SMF74CNN, each over SMF74MEC, where valid (SMF74CNX) |
| `volumes.held_ms`, `command_ms` | SMF74DVB, SMF74CMR, each over SMF74MEC |
| `volumes.reserved_percent` | SMF74RSV over the samples of RMF |
| `volumes.exposures` | SMF74NUX; of a HyperPAV base over SMF74PSM |
| `volumes.iosq_ms`, `queue_depth` | SMF74IOS, where the sampled queue says what it is |
| `volumes.queue_depth_rmf`, `queue_depth_sampled` | SMF74QUE over the samples of RMF |
| `volumes.iosq_rmf_ms` | this queue over `io_per_s` (Little's law) |
| pool of a volume | SMF74LCU, where a HyperPAV section has the same number, or SMF74HPC has aliases |
| `pools.fails` | R783HNAI |
| `pools.tries` | R783XANC; unknown in records that lack it. R783HTIO counts every I/O of the subsystem |
| `pools.aliases` | SMF74HPC, where all devices of the subsystem say the same |
| `pools.channel_busy_percent` | mean `channels.busy_percent` of the paths online to the subsystem (R783CPD) |
| `paths` of `devices` | how many these are |
| `channels.busy_percent`, group 1 | SMF73TUT over SMF73PTI, TOTAL of RMF |
| `channels.busy_percent`, group 2 | SMF73TUC over SMF73MCU and SMF73PTI, TOTAL of RMF |
| `channels.read_kib_per_s`, `write_kib_per_s` | SMF73TRU, SMF73TWU, times SMF73US, over SMF73PTI |
| `partitions`, `logical_processors` | SMF70EDT, SMF70PDT, SMF70WST over SMF70ONT, of processors that were online |
| `partitions.weight` | SMF70BPS; 0 for X'FFFF', dedicated processors |
| `partitions.machine_processors` | SMF70CTN of the type CP |
| `partitions.hypervisor_percent` | SMF70PDT of the row PHYSICAL, number 0: the hypervisor's own time |
| `interrupts_per_s`, `tpi_percent` | SMF70SLH, SMF70TPI, of the partition that wrote the record |
| `logical_processors.busy_percent` | SMF70WAT and SMF70PAT there; else SMF70EDT and the pending time |
| `enqueues` | record 77-1 |
| `serialization.enq_per_s` | R725SSTR, R725SSYR and R725SSSR over the interval |
| `serialization.enq_step_per_s`, `enq_systems_per_s` | R725SSTR, R725SSSR over the interval |
| `serialization.lock_waiting` | R725SEDT over the interval |
| `enqueues.requests_per_s`, `released_per_s`, `tested_per_s` | requests of 87-2 for a name: ENQ, DEQ, and TEST |
| `enqueues.held_ms` | 87-2, mean over the pairs of ENQ and DEQ of a task |
| `serialization`, without 72-5 | 87-2: ENQs by scope, DEQs, and the mean of each from start to completion |

The high-water marks R783HAIU, R783HCAD and R783HIOQ have no column, since `pools` has free aliases. Suspensions for
locks other than the CMS Enqueue/Dequeue lock have none either, since `locks` is a table of spin locks. Processors that
are no general ones are skipped, with a note.

## Not read

These fields and records exist, and nothing is made of them.

- 70-1: polarization, parked time by core, topology and CPENABLE.
- 73-1: channel paths of measurement groups 3 to 5, and the extended sections.
- 74-1: SMF74IDT and SMF74CUQ, whose units are unknown; synchronous I/O (offsets 200 to 295).
- 77-1: owners, waiters and their systems.
- 78-3: I/O processors, the delays of single paths, and what SuperPAV borrows and lends.
- 87-2: shared or exclusive use, job, reason code and PSW. GRS monitors the requests that its parameters choose: rates
  of 87-2 may be a part of all, and `read` says which part of those of 72-5.
- 74-5: fields of a device are placed, but no source found here places the section.
- 72-3, 74-7, 74-8, 79-7, 79-14, 87-1, 98-1, 99-12, 99-14 and type 113: named and counted. Programs of IBM place 98-1
  and type 113; no question uses them."""


def page() -> str:
    """The page, in Markdown."""
    layouts = smf_layouts()
    sources = {layout["source_key"]: (layout["certainty"], layout["source"]) for layout in layouts}
    known = [(key, *source) for key, source in sources.items()]
    head = ("record", "name", "contents", "length", "triplet", "source")
    rows = [
        (
            _code(layout), layout["name"], layout["title"], str(layout["length"]), _triplet(layout),
            layout["source_key"],
        )
        for layout in layouts
    ]  # fmt: skip
    sections = [section(f"{layout['name']} ({_code(layout)})", layout) for layout in layouts]
    parts = [_BEFORE, "## Sources", table(("source", "places", "document"), known)]
    return "\n\n".join([*parts, "## Sections", table(head, rows), *sections]) + "\n"


def _code(layout: dict[str, Any]) -> str:
    return f"{layout['type']}-{layout['subtype']}" if layout["type"] else "all"


def _triplet(layout: dict[str, Any]) -> str:
    return "" if layout["triplet"] is None else str(layout["triplet"] + 1)
