"""Is a Prometheus server asked what is needed, within bounds, and is every trouble with it said clearly?"""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from slicewright import InputError
from slicewright.advise.limits.fleet.cluster import Fleet, cluster_of
from slicewright.advise.limits.fleet.series import documents
from slicewright.advise.limits.fleet.series.forms import AUTHORIZATION, AUTHORIZATION_FILE, CERTIFICATE, KEY, TENANT
from slicewright.advise.limits.fleet.series.read import read_cluster
from slicewright.advise.options import AdviceOptions
from slicewright.values import packed

from tests.advise.fleets import Simulated, range_query
from tests.conftest import CommandLine

SIMULATED = Simulated(containers=4, samples=8)
BY_METRIC = {
    metric: range_query([line for line in SIMULATED.lines() if line.metric == metric], SIMULATED.times)
    for metric in dict.fromkeys(line.metric for line in SIMULATED.lines())
}
EMPTY = range_query([], SIMULATED.times)
SECRET = "s3cr3t-token"


@dataclass
class Served:
    """A server on this machine: what it was asked, and how it answers."""

    url: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    tenants: list[str] = field(default_factory=list)
    server: ThreadingHTTPServer | None = None
    status: int = 200
    body: Callable[[str], bytes] = lambda metric: BY_METRIC.get(metric, EMPTY)
    location: str = ""
    packed: bool = False


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server that answers range queries with a simulated fleet."""
    state = Served()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            question = {key: values[0] for key, values in parse_qs(parts.query).items()}
            state.asked.append(question | {"path": parts.path})
            state.headers.append(self.headers.get("Authorization", ""))
            state.tenants.append(self.headers.get("X-Scope-OrgID", ""))
            body = state.body(question.get("query", "").split("{")[0])
            body = gzip.compress(body) if state.packed else body
            self.send_response(state.status)
            if state.location:
                self.send_header("Location", state.location)
            if state.packed:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    names = (AUTHORIZATION, AUTHORIZATION_FILE, TENANT, CERTIFICATE, KEY)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", *names):
        monkeypatch.delenv(name, raising=False)
    server = state.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


def asked_of(served: Served, **options: str) -> Fleet:
    cluster = cluster_of([], AdviceOptions.of(prometheus=served.url, **options))
    assert cluster is not None
    return read_cluster(cluster)


def refused(served: Served, **options: str) -> str:
    with pytest.raises(InputError) as found:
        asked_of(served, **options)
    return str(found.value)


@pytest.mark.parametrize("packed", [False, True])
def test_answers_of_a_server_are_a_fleet(served: Served, packed: bool) -> None:
    served.packed = packed
    fleet = asked_of(served)
    assert fleet.workloads.get_column("workload").to_list() == ["shop/web0/app", "shop/web1/app"]
    assert fleet.intervals.select("requests_per_s", "limit", "stopped_s").null_count().row(0) == (0, 0, 0)
    assert fleet.workloads.get_column("measured_p99_ms").null_count() == 0


def test_the_selector_is_part_of_every_query(served: Served) -> None:
    asked_of(served, selector='{namespace="shop"}')
    assert all('{namespace="shop"' in question["query"] for question in served.asked)
    queries = [question["query"] for question in served.asked]
    assert 'container_cpu_usage_seconds_total{namespace="shop"}' in queries
    assert 'kube_pod_container_resource_limits{namespace="shop",resource="cpu"}' in queries
    assert {question["path"] for question in served.asked} == {"/api/v1/query_range"}


def test_the_range_and_the_step_are_those_that_are_given(served: Served) -> None:
    asked_of(served, since="2h", step="15s")
    question = next(each for each in served.asked if each["query"].startswith("container_cpu_usage"))
    assert question["step"] == "15"
    assert 7200 <= float(question["end"]) - float(question["start"]) < 7200 + 15


def test_a_long_range_is_asked_in_parts(served: Served) -> None:
    asked_of(served, since="2d", step="10s")
    parts = [each for each in served.asked if each["query"].startswith("container_cpu_usage")]
    spans = [(float(part["start"]), float(part["end"])) for part in parts]
    assert len(parts) == 2
    assert all(end - start <= 10 * documents._POINTS for start, end in spans)
    assert spans[1][0] == pytest.approx(spans[0][1] + 10)


@pytest.mark.parametrize(
    "header",
    [(SECRET, f"Bearer {SECRET}"), (f"Basic {SECRET}", f"Basic {SECRET}"), (f"{SECRET}\n", f"Bearer {SECRET}")],
)
@pytest.mark.parametrize("by_file", [False, True])
def test_credentials_come_from_the_environment_or_a_file(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: tuple[str, str], by_file: bool
) -> None:
    given, sent = header
    (tmp_path / "token").write_text(given)
    monkeypatch.setenv(AUTHORIZATION_FILE if by_file else AUTHORIZATION, str(tmp_path / "token") if by_file else given)
    asked_of(served)
    assert set(served.headers) == {sent}


def test_a_tenant_is_named_in_every_query(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TENANT, "shop|pay")
    asked_of(served)
    assert set(served.tenants) == {"shop|pay"}


def certified(folder: Path) -> Path:
    """A certificate for 127.0.0.1 that signs itself, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
    builder = builder.not_valid_after(now + timedelta(days=1))
    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    found = builder.add_extension(address, False).sign(key, hashes.SHA256())
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "both.pem").write_bytes(found.public_bytes(Encoding.PEM) + plain)
    return folder / "both.pem"


def only_for_clients_with(certificate: Path, served: Served) -> None:
    """Let the server speak TLS with those alone that have the certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=certificate)
    context.load_cert_chain(certificate)
    context.verify_mode = ssl.CERT_REQUIRED
    assert served.server is not None
    served.server.socket = context.wrap_socket(served.server.socket, server_side=True)
    served.url = served.url.replace("http:", "https:")


def test_a_server_that_wants_a_certificate_gets_it(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = certified(tmp_path)
    only_for_clients_with(certificate, served)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    refused(served)
    assert not served.asked
    monkeypatch.setenv(CERTIFICATE, str(certificate))
    assert asked_of(served).workloads.height == 2


@pytest.mark.parametrize(
    ("text", "why"), [(None, "No such file"), ("no certificate", "no certificate can be read")], ids=["none", "not PEM"]
)
def test_a_certificate_that_cannot_be_read_is_refused_before_the_server_is_asked(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, why: str
) -> None:
    if text is not None:
        (tmp_path / "client.pem").write_text(text)
    monkeypatch.setenv(CERTIFICATE, str(tmp_path / "client.pem"))
    assert why in refused(served)
    assert not served.asked


def test_credentials_are_never_printed(
    served: Served, slicewright: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(AUTHORIZATION, SECRET)
    served.status = 403
    said = slicewright("advise", "--prometheus", served.url)
    cluster = cluster_of([], AdviceOptions.of(prometheus=served.url))
    assert said.status == 2
    assert SECRET not in said.out + said.err + repr(cluster)


@pytest.mark.parametrize(
    ("status", "words"),
    [(400, "--selector"), (401, AUTHORIZATION_FILE), (403, "may not query"), (404, "before /api/v1"),
     (422, "a longer --step"), (503, "a shorter --since")],
)  # fmt: skip
def test_a_refusal_is_passed_on_with_a_remedy(served: Served, status: int, words: str) -> None:
    said = json.dumps({"status": "error", "errorType": "bad_data", "error": "it is not allowed"}).encode()
    served.status, served.body = status, lambda metric: said
    found = refused(served)
    assert f"the server answers {status} to container_cpu_usage_seconds_total" in found
    assert "bad_data: it is not allowed" in found
    assert words in found


def test_an_answer_of_something_else_is_refused(served: Served) -> None:
    served.body = lambda metric: b"<html>log in</html>"
    assert "not a whole answer of Prometheus" in refused(served)


def test_a_redirect_to_another_server_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(AUTHORIZATION, SECRET)
    served.status, served.location = 302, "http://localhost:1/api/v1/query_range"
    found = refused(served)
    assert "a redirect to another server" in found
    assert SECRET not in found


def test_a_server_without_series_is_said_to_have_none(served: Served) -> None:
    served.body = lambda metric: EMPTY
    assert "check the selector and the range of time" in refused(served)


def test_too_large_an_answer_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MOST_BYTES", 100)
    assert "too large an answer to container_cpu_usage_seconds_total" in refused(served)


def test_an_answer_that_unpacks_to_far_more_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST_UNPACKED", 1 << 20)
    served.packed, served.body = True, lambda metric: EMPTY + b" " * (2 << 20)
    found = refused(served)
    assert "unpacks to too much" in found
    assert served.url in found


def test_too_slow_an_answer_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_ANSWER_S", -1.0)
    assert "ask for less" in refused(served)


def test_a_port_that_nothing_listens_on_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert "the connection is refused" in refused(Served(url))


def test_tls_to_a_server_without_it_is_refused(served: Served) -> None:
    served.url = served.url.replace("http:", "https:")
    assert "try http:// in place of https://" in refused(served)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"prometheus": "localhost:9090"}, "not an address"),
        ({"prometheus": "ftp://localhost"}, "not an address"),
        ({"prometheus": f"http://me:{SECRET}@localhost"}, "a password in the address"),
        ({"prometheus": "http://localhost", "selector": "namespace=shop"}, "not a selector"),
        ({"prometheus": "http://localhost", "selector": 'up{namespace="shop"}'}, "without the name of a metric"),
        ({"prometheus": "http://localhost", "since": "soon"}, "not a span: soon"),
        ({"prometheus": "http://localhost", "step": "1ms"}, "1s to 10m"),
        ({"prometheus": "http://localhost", "since": "5m", "step": "5m"}, "shorter than two steps"),
        ({"selector": '{namespace="shop"}'}, "it applies to --prometheus URL"),
    ],
)
def test_an_option_that_is_wrong_is_refused(options: dict[str, str], words: str) -> None:
    with pytest.raises(InputError) as found:
        cluster_of([], AdviceOptions.of(**options))
    assert words in str(found.value)
    assert SECRET not in str(found.value)


def test_minutes_may_be_written_as_prometheus_does() -> None:
    cluster = cluster_of([], AdviceOptions.of(prometheus="http://localhost/", since="90m", step="1m"))
    assert cluster is not None
    assert cluster.server is not None
    assert (cluster.server.url, cluster.server.since_s, cluster.server.step_s) == ("http://localhost", 5400, 60)


def test_files_beside_a_server_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as found:
        cluster_of([tmp_path], AdviceOptions.of(prometheus="http://localhost"))
    assert "beside a server" in str(found.value)
