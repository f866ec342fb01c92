"""Does the server answer only its own page, on this machine, with the token?"""

from __future__ import annotations

import contextlib
import http.client
import json

import pytest

from tests.serve.conftest import WITHIN_S, Served


def _status(served: Served, path: str, method: str = "GET", **headers: str) -> int:
    asked = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WITHIN_S)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asked.request(method, path, headers=named)
    status = asked.getresponse().status
    asked.close()
    return status


def test_the_token_opens_the_page(served: Served) -> None:
    assert _status(served, f"/?token={served.token}") == 303
    assert _status(served, "/state", Authorization=f"Bearer {served.token}") == 200
    assert _status(served, "/state", Cookie=f"slicewright-{served.port}={served.token}") == 200


@pytest.mark.parametrize("path", ["/", "/state", "/events", "/style.css", "/page/app.js", "/jobs/1", "/nothing"])
def test_without_the_token_nothing_opens(served: Served, path: str) -> None:
    assert _status(served, path) == 401
    assert _status(served, f"{path}?token=wrong") == 401
    assert _status(served, path, Cookie=f"slicewright-{served.port}=wrong") == 401


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8580", "127.0.0.1.evil.example", "[", ""])
def test_another_host_is_refused(served: Served, host: str) -> None:
    assert _status(served, "/state", Host=host, Authorization=f"Bearer {served.token}") == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_another_origin_is_refused(served: Served, origin: str) -> None:
    allowed = {"Authorization": f"Bearer {served.token}"}
    assert _status(served, "/drops", "POST", Origin=origin, **allowed) == 403
    assert _status(served, "/state", Origin=origin, **allowed) == 403


def test_a_name_that_leaves_the_folder_is_refused(served: Served) -> None:
    allowed = {"Authorization": f"Bearer {served.token}"}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=WITHIN_S)) as asked:
        asked.request("POST", "/drops", headers=allowed)
        drop = json.loads(asked.getresponse().read())["id"]
        for name in ("..%2F..%2Fx", "%2Fetc%2Fx", "a%5Cb", "a%2F..%2Fb", "x" * 300, "%00"):
            asked.request("PUT", f"/drops/{drop}/{name}", b"x", allowed)
            answer = asked.getresponse()
            answer.read()
            assert answer.status == 422, name
