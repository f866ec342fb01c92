"""Does a hostile page in the same browser get anything of the server, or begin anything there?"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser

from tests.serve.conftest import WITHIN_MS, Served

HOSTILE = """<!DOCTYPE html><title>hostile</title>
<form id="form" method="post" action="SERVER/drops" target="frame" enctype="text/plain">
<input name="{" value="}"></form>
<iframe name="frame"></iframe><iframe src="SERVER/"></iframe>
<script src="SERVER/state" onload="got.push('script')"></script>
<script>
const got = [];
const heard = (what) => (value) => { got.push(`${what} ${value}`); };
const server = "SERVER";
const all = Promise.allSettled([
  fetch(`${server}/state`, { credentials: "include" }).then((answer) => answer.text()).then(heard("fetch")),
  fetch(`${server}/drops`, { method: "POST", mode: "no-cors", credentials: "include" }),
  fetch(`${server}/example`, { method: "POST", mode: "no-cors", credentials: "include", body: "x" }),
  fetch(`${server}/jobs`, { method: "POST", mode: "no-cors", credentials: "include",
    headers: { "Content-Type": "text/plain" }, body: JSON.stringify({ task: "studies", arguments: {} }) }),
  new Promise((done) => { const own = new EventSource(`${server}/events`, { withCredentials: true });
    own.onopen = () => done(heard("events")("")); own.onerror = () => { own.close(); done(); }; }),
  new Promise((done) => { const own = new WebSocket(`${server.replace("http", "ws")}/events`);
    own.onopen = () => done(heard("socket")("")); own.onerror = () => done(); }),
  new Promise((done) => { const own = new Image(); own.onload = () => done(heard("image")(""));
    own.onerror = () => done(); own.src = `${server}/page/icon.svg`; }),
  new Promise((done) => { const own = document.createElement("link"); own.rel = "stylesheet";
    own.href = `${server}/style.css`; own.onload = () => done(heard("style")(""));
    own.onerror = () => done(); document.head.append(own); }),
]);
document.getElementById("form").submit();
all.then(() => { document.title = "tried"; });
</script>"""


@pytest.fixture
def hostile(served: Served) -> Iterator[tuple[int, list[str]]]:
    """Another server of this machine, whose page tries all that a page can: its port, and the cookies it was sent."""
    sent: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent.append(self.headers.get("Cookie", ""))
            body = HOSTILE.replace("SERVER", f"http://127.0.0.1:{served.port}").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, sent
    server.shutdown()
    server.server_close()


def _begun(served: Served) -> tuple[list[str], list[int]]:
    """The drops and the jobs of a server."""
    state = served.ask("GET", "/state").json
    return [each["id"] for each in state["drops"]], [each["job"] for each in state["jobs"]]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_hostile_page_gets_nothing_and_begins_nothing(
    served: Served, browser: Browser, hostile: tuple[int, list[str]], host: str
) -> None:
    context = browser.new_context()
    ours, page = context.new_page(), context.new_page()
    page.set_default_timeout(WITHIN_MS)
    ours.goto(served.address)
    ours.wait_for_selector("text=Drop a report")
    before = _begun(served)
    port, sent = hostile
    page.goto(f"http://{host}:{port}/")
    page.wait_for_function("document.title === 'tried'")
    page.wait_for_timeout(500)
    assert page.evaluate("got") == []
    assert sent
    assert not any(served.token in cookies for cookies in sent)
    assert [frame.locator("text=Drop a report").count() for frame in page.frames[1:]] == [0, 0]
    assert _begun(served) == before
    context.close()


def test_a_browser_that_was_let_in_finds_its_way_again_and_another_does_not(served: Served, browser: Browser) -> None:
    inside, outside = browser.new_context(), browser.new_context()
    for context in (inside, outside):
        context.set_default_timeout(WITHIN_MS)
    page = inside.new_page()
    page.goto(served.address)
    page.goto(f"{served.root}#/studies")
    page.wait_for_selector("text=Studies >> visible=true")
    assert "token" not in page.url
    page.reload()
    page.wait_for_selector('#screens a[aria-current="page"]:has-text("Studies")')
    page = outside.new_page()
    page.goto(served.root)
    page.wait_for_selector("text=Open the address that slicewright serve has printed")
    for context in (inside, outside):
        context.close()
