"""Hostile inputs: contents that no reader expects, shipped files with seeded damage, names that are no files."""

from __future__ import annotations

import gzip
import io
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

CPU_STAT = """\
time 1795256566.83248603
nr_periods 49
nr_throttled 12
throttled_time 708021455
nr_bursts 0
burst_time 0
1353339269
time 1795256626.86159966
nr_periods 626
nr_throttled 266
throttled_time 25140247129
nr_bursts 0
burst_time 0
20458969145
"""
RATES = "qname,rname,scope,pairs_per_s\nSYSDSN,PROD.MASTER,system,800\nSYSZVVDS,CATALOG,systems,60\n"
POOLS = "PAV POOL 1\n  BASE 522A\n  ALIAS 5232\n"
SCENARIO = """\
name = "a"
[[volume]]
name = "A"
device = "1000"
service = { pend = "0.2 ms", connect = { exponential = "1 ms" } }
[[guest]]
name = "G"
count = 2
program = [ { think = "1 ms" }, { io = { volume = "A" } } ]
[measure]
interval = "100 ms"
warm_up = "10 ms"
replications = 2
"""
RANGE_QUERY = """\
{"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"container_cpu_usage_seconds_total","namespace":"shop","pod":"web-0","container":"app"},
"values":[[1700000000,"1.5"],[1700000030,"9.5"],[1700000060,"20"]]},
{"metric":{"__name__":"container_cpu_cfs_periods_total","namespace":"shop","pod":"web-0","container":"app"},
"values":[[1700000000,"10"],[1700000030,"300"],[1700000060,"590"]]},
{"metric":{"__name__":"container_cpu_cfs_throttled_periods_total","namespace":"shop","pod":"web-0","container":"app"},
"values":[[1700000000,"1"],[1700000030,"50"],[1700000060,"90"]]},
{"metric":{"__name__":"kube_pod_container_resource_limits","namespace":"shop","pod":"web-0","container":"app"},
"values":[[1700000000,"0.5"],[1700000030,"0.5"],[1700000060,"0.5"]]}]}}
"""
SCRAPES = """\
# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{namespace="shop",pod="web-0",container="app"} 1.5 1700000000000
container_cpu_usage_seconds_total{namespace="shop",pod="web-1",container="app"} 2.5 1700000000000
# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{namespace="shop",pod="web-0",container="app"} 9.5 1700000030000
container_cpu_usage_seconds_total{namespace="shop",pod="web-1",container="app"} 4.5 1700000030000
"""
SAMPLES = """\
time,metric,namespace,pod,container,value
1700000000,container_cpu_usage_seconds_total,shop,web-0,app,1.5
1700000030,container_cpu_usage_seconds_total,shop,web-0,app,9.5
1700000060,container_cpu_usage_seconds_total,shop,web-0,app,20
"""
SNAPSHOTS = """\
{"name":"/web-1","id":"a1","read":"2023-11-14T22:13:20Z","cpu_stats":{"cpu_usage":{"total_usage":1500000000},
"throttling_data":{"periods":0,"throttled_periods":0,"throttled_time":0}}}
{"name":"/web-1","id":"a1","read":"2023-11-14T22:13:50Z","cpu_stats":{"cpu_usage":{"total_usage":9500000000},
"throttling_data":{"periods":0,"throttled_periods":0,"throttled_time":0}}}
"""
LIVE = '{"format": 1, "kind": "slices", "result": []}'

FILES: dict[str, bytes] = {
    "empty": b"",
    "newline": b"\n",
    "blanks": b" \t\r\n" * 500,
    "nul": b"\0",
    "nuls": bytes(5000),
    "nul in a scenario": SCENARIO.encode().replace(b'"A"', b'"A\0"'),
    "every byte": bytes(range(256)) * 20,
    "broken utf-8": b'name = "\xff\xfe\xc3"\n',
    "cut utf-8": SCENARIO.encode() + b"# \xe2\x82",
    "overlong utf-8": b'name = "\xc0\xaf"\n',
    "surrogates in utf-8": b'name = "\xed\xa0\x80"\n',
    "byte order mark": b"\xef\xbb\xbf" + SCENARIO.encode(),
    "two byte order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + SCENARIO.encode(),
    "byte order mark alone": b"\xef\xbb\xbf",
    "utf-16": SCENARIO.encode("utf-16"),
    "utf-32": SCENARIO.encode("utf-32"),
    "ebcdic": SCENARIO.encode("cp037"),
    "carriage returns": SCENARIO.replace("\n", "\r").encode(),
    "carriage returns and newlines": SCENARIO.replace("\n", "\r\n").encode(),
    "form feeds": SCENARIO.replace("\n", "\f").encode(),
    "line separators": SCENARIO.replace("\n", "\u2028").encode(),
    "control z": SCENARIO.encode() + b"\x1a",
    "escapes": b"\x1b[2J\x1b]0;title\x07\x9b31m = 1\n",
    "escapes in a name": SCENARIO.replace('"a"', '"\\u001b[2J\\u009b31m"').encode(),
    "bidi marks": SCENARIO.replace('"A"', '"\u202eA\u2066"').encode(),
    "backspaces": SCENARIO.replace('"a"', '"a\\b\\b\\b"').encode(),
    "huge number": SCENARIO.replace("count = 2", "count = " + "9" * 5000).encode(),
    "number beyond 64 bits": SCENARIO.replace("count = 2", "count = 9223372036854775808").encode(),
    "negative": SCENARIO.replace("count = 2", "count = -9223372036854775808").encode(),
    "huge span": SCENARIO.replace('"1 ms"', '"1e308 ms"').encode(),
    "tiny span": SCENARIO.replace('"1 ms"', '"1e-300 ms"').encode(),
    "nan": SCENARIO.replace("count = 2", "count = nan").encode(),
    "infinite": SCENARIO.replace("count = 2", "count = inf").encode(),
    "hexadecimal": SCENARIO.replace("count = 2", "count = 0xFFFFFFFFFFFFFFFF").encode(),
    "a date": SCENARIO.replace("count = 2", "count = 9999-12-31T23:59:60Z").encode(),
    "nested lists": b"a = " + b"[" * 50_000,
    "closed nested lists": b"a = " + b"[" * 5_000 + b"]" * 5_000,
    "nested tables": b"a = " + b"{a=" * 5_000 + b"1" + b"}" * 5_000,
    "long dotted key": b"a." * 20_000 + b"a = 1\n",
    "nested repeats": (SCENARIO.split("program")[0] + "program = " + '[{ repeat = 9, steps = ' * 500).encode(),
    "duplicate keys": (SCENARIO + "interval = '1 s'\n").encode(),
    "duplicate tables": (SCENARIO + "[measure]\n").encode(),
    "duplicate names": (SCENARIO + '[[volume]]\nname = "A"\n').encode(),
    "empty names": SCENARIO.replace('"A"', '""').encode(),
    "a name of a megabyte": SCENARIO.replace('"A"', f'"{"A" * 1_000_000}"').encode(),
    "a line of a megabyte": b"1" * 1_000_000,
    "many quotes": b'"' * 100_001,
    "gzip": gzip.compress(SCENARIO.encode(), mtime=0),
    "gzip bomb": gzip.compress(bytes(20_000_000), mtime=0),
    "zip": b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + bytes(range(200)),
    "parquet in name only": b"PAR1" + bytes(range(256)) + b"PAR1",
    "parquet of no length": b"PAR1\xff\xff\xff\xffPAR1",
    "elf": b"\x7fELF\x02\x01\x01" + bytes(500),
    "json": b'{"format": 1, "volume": [{"name": "A"}]}',
    "nested json": b"[" * 100_000,
    "json of huge numbers": b'{"format": ' + b"1" * 5000 + b"}",
    "json of nan": b'{"format": NaN, "seed": Infinity}',
    "html": b"<!doctype html><title>report</title>",
    "comma after comma": b"," * 100_000 + b"\n",
    "csv with no end": b'time_s,volume\n0.1,"A',
    "csv of nan": b"time_s,volume\nnan,A\ninf,A\n-1,A\n1e999,A\n",
    "rates of anything": b"qname,rname,scope,pairs_per_s\n,,,\nA,B,system,nan\nA,B,system,1e999\n\xff,\0,STEP,-1\n",
    "rates without rows": b"qname,rname,scope,pairs_per_s\n",
    "counters below zero": CPU_STAT.replace("nr_periods 626", "nr_periods -1").encode(),
    "counters beyond 64 bits": CPU_STAT.replace("626", "9" * 400).encode(),
    "counters of nothing": b"nr_periods\nnr_throttled\nthrottled_time\n",
    "counters backwards": CPU_STAT.replace("nr_periods 626", "nr_periods 1").encode(),
    "time of nan": CPU_STAT.replace("1795256626.86159966", "nan").encode(),
    "rnldef without end": b"RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(" + b"A" * 10_000,
    "rnldef of parentheses": b"RNLDEF " + b"(" * 10_000,
    "rnldef of bytes": b"RNLDEF RNL(INCL) TYPE(SPECIFIC) QNAME(X'FF') RNAME('\xff\x00\x1b')",
    "comment without end": b"/* " * 10_000,
    "heading of a device page": b"1FCX108  Run 2007/02/05 08:31:56         DEVICE\n",
    "heading of an rmf page": b"D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y\n",
    "heading of a partition page": b"P A R T I T I O N   D A T A   R E P O R T\n",
    "pools of nothing": b"PAV POOL\n",
    "live of nothing": LIVE.encode(),
    "range query": RANGE_QUERY.encode(),
    "range query of huge times": RANGE_QUERY.replace("1700000030", "1" * 300).encode(),
    "range query of infinity": RANGE_QUERY.replace('"9.5"', '"+Inf"').encode(),
    "range query of escapes": RANGE_QUERY.replace("web-0", "\\u001b[2J\\u202e").encode(),
    "range query without values": RANGE_QUERY.replace("values", "value").encode(),
    "range query of nested values": b'{"status":"success","data":{"result":[{"values":' + b"[" * 50_000,
    "packed range query": gzip.compress(RANGE_QUERY.encode(), mtime=0)[:-9],
    "scrapes": SCRAPES.encode(),
    "scrapes of nan": SCRAPES.replace("9.5", "NaN").encode(),
    "a scrape without an end": SCRAPES.encode()[:-40],
    "samples": SAMPLES.encode(),
    "samples of huge times": SAMPLES.replace("1700000030", "1e300").encode(),
    "snapshots": SNAPSHOTS.encode(),
    "snapshots of huge times": SNAPSHOTS.replace("2023", "9999").encode(),
    "snapshots of text": SNAPSHOTS.replace("1500000000", '"many"').encode(),
}  # fmt: skip
"""Contents by name."""


def places(folder: Path) -> dict[str, str]:
    """Paths that are not readable files, made in a folder, by description."""
    import os

    (folder / "folder").mkdir()
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "first").symlink_to(folder / "second")
    (folder / "second").symlink_to(folder / "first")
    (folder / "dangling").symlink_to(folder / "gone")
    os.mkfifo(folder / "pipe")
    return {
        "folder": str(folder / "folder"),
        "link to itself": str(folder / "loop"),
        "links in a circle": str(folder / "first"),
        "link to nothing": str(folder / "dangling"),
        "pipe without a writer": str(folder / "pipe"),
        "nothing": str(folder / "none"),
        "name of no text": str(folder / "n\udce9ne"),
        "name with an escape": str(folder / "a\x1b[2J\n\u202eb"),
        "name with a nul": str(folder / "a\0b"),
        "name too long": str(folder / ("n" * 300)),
        "path too long": "/".join([str(folder), *["n"] * 3000]),
        "a file in place of a folder": "/dev/null/a",
        "nothing to read": "/dev/null",
        "zeros without end": "/dev/zero",
        "a process's memory": "/proc/self/mem",
        "no name": "",
    }


def mutants(data: bytes, seed: int, count: int) -> Iterator[bytes]:
    """A shipped file with seeded damage: bits, bytes, lines, columns, numbers; the same for the same seed."""
    draw = random.Random(seed)
    for number in range(count):
        change = _CHANGES[number % len(_CHANGES)]
        yield change(data, draw)


def parquet() -> bytes:
    """A small recording as Parquet."""
    import polars as pl

    buffer = io.BytesIO()
    pl.DataFrame({"time_s": [0.0, 0.5] * 9, "volume": ["A"] * 18}).write_parquet(buffer)
    return buffer.getvalue()


def _bit(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data))]


def _byte(data: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(data))
    return data[:at] + draw.choice([b"\0", b"\xff", b"\x1b", b"\r", b'"', b"-", b"[", b"9" * 400]) + data[at:]


def _line(data: bytes, draw: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at = draw.randrange(len(lines))
    return b"".join([*lines[:at], *draw.choice([[], [lines[at]] * 2, [lines[at]] * 50]), *lines[at + 1 :]])


def _swap(data: bytes, draw: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    draw.shuffle(lines)
    return b"".join(lines)


def _column(data: bytes, draw: random.Random) -> bytes:
    """Every line without a few characters, or with some more: columns that have moved."""
    at, width = draw.randrange(1, 60), draw.randrange(-3, 4)
    return b"".join(
        line[:at] + b" " * max(0, width) + line[at - min(0, width) :] for line in data.splitlines(keepends=True)
    )


def _number(data: bytes, draw: random.Random) -> bytes:
    places = list(re.finditer(rb"\d+(\.\d+)?", data)) or list(re.finditer(rb".", data))
    if not places:
        return data
    match = draw.choice(places)
    number = draw.choice([b"0", b"-1", b"nan", b"inf", b"1e308", b"1e-308", b"9" * 19, b"", b"....", b"*****"])
    return data[: match.start()] + number + data[match.end() :]


_CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (_number, _line, _byte, _column, _bit, _cut, _swap)
