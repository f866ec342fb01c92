"""Is everything that is no series of a cluster refused with its place, the reason and the remedy?"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.advise.limits.fleet.cluster import cluster_of
from slicewright.advise.limits.fleet.series import collect, documents, tables
from slicewright.advise.limits.fleet.series.read import read_cluster
from slicewright.advise.options import AdviceOptions
from slicewright.values import packed

from tests.advise.fleets import Line, Simulated, docker_stats, exposition, long_table, range_query
from tests.conftest import CommandLine

SIMULATED = Simulated(containers=2, samples=3, requests=False)
LINES = list(SIMULATED.lines())
ANSWER = range_query(LINES, SIMULATED.times)
USED = "container_cpu_usage_seconds_total"


def refused(path: Path, data: bytes, **options: str) -> str:
    """The refusal of a file with this content."""
    path.write_bytes(data)
    cluster = cluster_of([path], AdviceOptions.of(**options))
    assert cluster is not None, "not taken for a cluster"
    with pytest.raises(InputError) as found:
        read_cluster(cluster)
    assert all(problem["file"] or problem["key"] for problem in found.value.problems)
    return str(found.value)


def answer(result: list[object], kind: str = "matrix") -> bytes:
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": result}}).encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"status":"error","errorType":"bad_data","error":"parse error: no"}', "bad_data: parse error: no"),
        (answer([{"metric": {"__name__": USED}, "value": [1, "2"]}], "vector"), "the answer to an instant query"),
        (answer([], "scalar"), "/api/v1/query_range with start, end and step"),
        (answer([]), "check the selector and the range of time"),
        (answer([{"metric": {"pod": "a"}, "values": [[1, "2"]]}]), "rate() and sum() drop the name"),
        (answer([{"metric": {"__name__": "container_cpu_usage_second_total"}, "values": [[1, "2"]]}]),
         f"nearest: {USED}"),
        (answer([{"metric": {"__name__": "container_cpu_cfs_periods_total", "pod": "a", "container": "b"},
                  "values": [[1, "2"]]}]), f"no {USED}"),
        (answer([{"metric": {"__name__": USED, "pod": "a"}, "values": [[1, "2"]]}]), "by (namespace, pod, container)"),
        (answer([{"metric": {"__name__": USED, "pod": "a", "container": "b"}, "values": [[1, "two"]]}]), "1,two"),
        (answer([{"metric": {"__name__": USED, "pod": "a", "container": "b"}, "values": [[1, "2", "3"]]}]),
         "not a sample"),
        (answer([{"metric": {"__name__": USED, "pod": "a", "container": "b"}, "values": [[1, "2"]]}]), "no interval"),
        (answer([{"metric": [], "values": [[1, "2"]]}]), "result[0]: not a series"),
        (answer([{"metric": {"__name__": USED}, "values": "many"}]), "not an array of samples"),
        (b'{"status":"success"}', "it has no result"),
        (ANSWER[: len(ANSWER) // 2], "the file ends within it"),
        (ANSWER[:-2], "the file ends within it"),
        (ANSWER.replace(b"metric", b"\xff", 1), "not text in UTF-8"),
        (gzip.compress(ANSWER)[:-20], "damaged gzip"),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_used_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    assert words in refused(tmp_path / "a.json", data)


@pytest.mark.parametrize("end", range(1, 400, 13))
def test_an_answer_that_is_cut_anywhere_is_refused(tmp_path: Path, end: int) -> None:
    assert "the file ends within" in refused(tmp_path / "a.json", ANSWER[:-end])


def test_a_nameless_series_takes_the_name_of_its_file(tmp_path: Path) -> None:
    lines = [Line("", line.labels, line.values) for line in LINES[:2]]
    path = tmp_path / f"{USED}.json"
    path.write_bytes(range_query(lines, SIMULATED.times).replace(b'"__name__":"",', b""))
    cluster = cluster_of([path], AdviceOptions())
    assert cluster is not None
    assert read_cluster(cluster).intervals.height == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text, "--every 60s"),
        (lambda text: text + b"container_cpu_usage_seconds_total\n", "not a sample: container_cpu_usage_seconds_total"),
        (lambda text: text + b"%$ 1\n", "not a sample: %$ 1"),
        (lambda text: text.replace(b"container_cpu_usage_s", b"container_cpu_usages_s"), f"nearest: {USED}"),
    ],
)
def test_an_exposition_that_cannot_be_used_is_refused(tmp_path: Path, change: object, words: str) -> None:
    text = exposition(LINES, SIMULATED.times, stamped=False)[0]
    assert words in refused(tmp_path / "a.prom", change(text))  # type: ignore[operator]


def test_a_line_that_is_no_sample_is_named_by_its_number(tmp_path: Path) -> None:
    text = b"# TYPE a counter\na 1\ncontainer_cpu_usage_seconds_total{pod} x\n"
    assert "a.prom:3: not a sample" in refused(tmp_path / "a.prom", text)


@pytest.mark.parametrize(
    ("header", "row", "words"),
    [
        ("time,metric,value", f"noon,{USED},1", "a.csv:2: time: not a time: noon"),
        ("time,metric,value", f"1,{USED},12.5 ms", "switch off 'Formatted data'"),
        ("time,value", "1,2", "name the file after its metric"),
        ("time,container_cpu_usage_second_total", "1,2", f"nearest: {USED}"),
        ("time,a,a", "1,2,3", "two columns a"),
        ("time,metric,pod,container,value", "1,cpu,a,b,2", "not a series that is read"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, header: str, row: str, words: str) -> None:
    assert words in refused(tmp_path / "a.csv", f"{header}\n{row}\n".encode())


def test_parquet_without_time_names_what_it_needs(tmp_path: Path) -> None:
    long_table(LINES, SIMULATED.times).rename({"time": "tiem"}).write_parquet(tmp_path / "b")
    said = refused(tmp_path / "a", (tmp_path / "b").read_bytes())
    assert "no column of time" in said
    assert "nearest: tiem" in said


def test_parquet_in_name_only_is_refused(tmp_path: Path) -> None:
    assert "damaged Parquet" in refused(tmp_path / "a", b"PAR1" + bytes(40) + b"PAR1")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"CPUPerc":"0.07%","Name":"web"}', "/containers/NAME/stats?stream=false"),
        (b'{"cpu_stats":{},"read":"today"}', "a.json:1: not a time: today"),
        (docker_stats(SIMULATED)[0].encode()[:-9], "the file ends within it"),
        (docker_stats(SIMULATED)[0].replace('"total_usage": ', '"total_usage": "x", "y": ').encode(), "not counters"),
        (docker_stats(SIMULATED)[0].encode(), "no interval"),
        (b'{"HostConfig": {}, "Id": "a"}', "no series"),
    ],
)
def test_stats_that_cannot_be_used_are_refused(tmp_path: Path, data: bytes, words: str) -> None:
    assert words in refused(tmp_path / "a.json", data)


def test_other_files_beside_a_cluster_are_refused_all_at_once(slicewright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ANSWER)
    for name in ("b", "c"):
        (tmp_path / name).write_text("nr_periods 1\n")
    said = slicewright("advise", "limits", *(tmp_path / name for name in ("a.json", "b", "c")), "--every", "soon")
    assert said.status == 2
    assert said.err.count("beside series of a cluster") == 2
    assert "every: not a span: soon" in said.err


def test_options_about_one_group_are_refused(slicewright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ANSWER)
    said = slicewright("advise", tmp_path / "a.json", "--requests", "40/s", "--threads", "4")
    assert said.status == 2
    assert said.err.count(": applies to ") == 2


def test_another_question_does_not_take_a_cluster(slicewright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ANSWER)
    said = slicewright("advise", "aliases", tmp_path / "a.json")
    assert (said.status, "advise limits" in said.err) == (2, True)


def test_more_samples_than_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "_MOST_SAMPLES", 10)
    assert "a longer step" in refused(tmp_path / "a.json", ANSWER)


def test_a_line_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST_LINE", 100)
    assert "a line without an end" in refused(tmp_path / "a.csv", b"time,metric,value\n" + b"1" * 200)


def test_a_table_with_more_columns_than_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST_COLUMNS", 3)
    said = refused(tmp_path / "a.csv", b"time,a,b,c\n1,2,3,4\n")
    assert said.endswith("a.csv:1: 4 columns\n  allowed: 3 at most")


def test_an_answer_with_more_names_than_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MOST_PARTS", 10)
    assert "over 10 names and values" in refused(tmp_path / "a.json", ANSWER)


START = b'{"status":"success","data":{"resultType":"matrix","result":['
BOMBS = {
    "a label": ("a.json", START + b'{"metric":{"pod":"', b"a"),
    "samples": ("a.json", START + b'{"metric":{"__name__":"up"},"values":[[1,"1"]', b',[1,"1"]'),
    "series": ("a.json", START + b"{}", b",{}"),
    "a line": ("a.csv", b"time,metric,value\n", b"1"),
    "columns": ("a.csv", b"time", b",a"),
    "rows": ("a.csv", b"time,metric,value\n", b"1,container_cpu_usage_seconds_total,1\n"),
    "scrapes": ("a.prom", b"# TYPE up counter\n", b'container_cpu_usage_seconds_total{pod="a",container="b"} 1 1\n'),
    "stats of Docker": ("a.json", b'{"cpu_stats":{},"a":[0', b",{}"),
    "Parquet": ("a.parquet", b"PAR1", b"\0"),
}
"""The name of a file, its first bytes, and bytes that follow again and again."""


@pytest.mark.parametrize("bomb", sorted(BOMBS))
def test_a_packed_file_that_unpacks_to_far_more_is_refused(
    bomb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "MOST_UNPACKED", 1 << 20)
    name, head, unit = BOMBS[bomb]
    said = refused(tmp_path / f"{name}.gz", gzip.compress(head + unit * ((2 << 20) // len(unit)), 6))
    assert "unpacks to too much" in said
    assert "its first " in said
    assert "allowed: 1 MiB, or 50 times what is packed" in said
    assert "gzip -d" in said


def test_series_that_unpack_as_series_do_are_read_whatever_their_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "MOST_UNPACKED", 100)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(ANSWER))
    cluster = cluster_of([tmp_path / "a.json.gz"], AdviceOptions())
    assert cluster is not None
    assert read_cluster(cluster).workloads.height > 0
