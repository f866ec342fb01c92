"""Does the server answer only its own page, on this machine, with the token?"""

from __future__ import annotations

import contextlib
import http.client
import json

import pytest

from tests.serve.conftest import WITHIN_S, Served

OTHERS = {
    "alone": ["OURS"],
    "JSON of a sign-in": ['G_ENABLED_IDPS=google; g_state={"i_l":0,"i_ll":1700000000000}; OURS'],
    "JSON with an equals sign": ['consent={"action":"accept","at":"a=b"}; OURS'],
    "JSON array": ['seen=["a","b c"]; OURS'],
    "JSON in quotes with escapes": ['CookieScriptConsent="{\\"action\\":\\"accept\\"}"; OURS'],
    "notebook": [
        '_xsrf=2|ab12cd34|5e6f|1700000000; username-localhost-8888="2|1:0|10:1700000000|4:name|8:QUJDRA==|9f"; OURS'
    ],
    "commas": ["cookieyes-consent=consentid:Zm9v,consent:no,action:yes; OURS"],
    "spaces and parentheses": ["source=utm_src=x|utm_cmp=(not set); last visit=Mon, 01 Jan 2024; OURS"],
    "a name with brackets": ["user[theme]=dark; a/b=c; x@y=z; (n)=1; OURS"],
    "no equals sign": ["flag; OURS; other"],
    "no name": ["=value; OURS; ="],
    "no value": ["a=; OURS; b="],
    "a quote that does not end": ['a="open; OURS'],
    "quotes and a semicolon inside": ['a="x; y"; OURS'],
    "UTF-8": ["name=B\u00c3\u00bcro; OURS"],
    "Latin-1": ["name=caf\u00e9; OURS"],
    "a reserved name first": ["Path=/; Domain=localhost; Expires=0; OURS"],
    "an old version": ['$Version=1; a=b; $Path="/"; OURS'],
    "no spaces": ["a=1;OURS;b=2"],
    "many spaces": ["a=1 ;   OURS   ;b = 2"],
    "semicolons alone": [";;; OURS;;"],
    "ours in quotes": ['a=1; NAME="TOKEN"'],
    "an older one of ours before": ["NAME=stale; OURS"],
    "an older one of ours after": ["OURS; NAME=stale; NAME="],
    "that of another port": ["slicewright-80=stale; slicewright-8581=stale; OURS; slicewright=stale"],
    "a name that ends as ours": ["x-NAME=stale; NAME-x=stale; OURS"],
    "two headers": ['a={"b":1}', "OURS", "c=d"],
    "two hundred of four KiB": ["; ".join([*(f"c{number}={'x' * 4000}" for number in range(200)), "OURS"])],
    "four thousand": ["; ".join([*(f"c{number}=1" for number in range(4000)), "OURS"])],
    "percent signs": ["ajs_user_id=%22a%3B%20b%22; OURS"],
    "a tab": ["a=b\tc; OURS"],
}
"""Cookies of other applications on this host, and ours among them: its name, and its token."""


def _with_cookies(served: Served, headers: list[str], path: str = "/state") -> int:
    name = f"slicewright-{served.port}"
    asked = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WITHIN_S)
    asked.putrequest("GET", path)
    for header in headers:
        text = header.replace("OURS", f"{name}={served.token}").replace("NAME", name).replace("TOKEN", served.token)
        asked.putheader("Cookie", text.encode("latin-1"))
    asked.endheaders()
    status = asked.getresponse().status
    asked.close()
    return status


@pytest.mark.parametrize("shape", OTHERS)
def test_cookies_of_other_applications_do_not_lock_the_user_out(served: Served, shape: str) -> None:
    assert _with_cookies(served, OTHERS[shape]) == 200
    stale = [header.replace("OURS", "NAME=wrong").replace("TOKEN", "wrong") for header in OTHERS[shape]]
    assert _with_cookies(served, stale) == 401


def test_a_cookie_that_is_part_of_another_is_none(served: Served) -> None:
    for header in ("a=OURS", "a OURS", "a=b OURS", "NAME =", "OURSx", "NAME=TOKENx", "NAME= x TOKEN"):
        assert _with_cookies(served, [header]) == 401, header


def test_each_port_has_a_cookie_of_its_own(served: Served) -> None:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=WITHIN_S)) as asked:
        asked.request("GET", f"/?token={served.token}", headers={"Host": "localhost:9000"})
        assert (asked.getresponse().getheader("Set-Cookie") or "").startswith("slicewright-9000=")


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


HOSTS = [
    "evil.example", "evil.example:8580", "127.0.0.1.evil.example", "[", "", "localhost.evil.example", "evil.localhost",
    "evil@localhost", "localhost@evil.example", "localhost/evil", "localhost:\u00b2", "localhost:", "192.0.2.1",
    "0.0.0.0", "[::ffff:192.0.2.1]", "2130706433", "127.1", "localhost evil.example",
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_another_host_is_refused(served: Served, host: str) -> None:
    assert _status(served, "/state", Host=host, Authorization=f"Bearer {served.token}") == 403


ORIGINS = [
    "https://evil.example",
    "null",
    "http://127.0.0.1:1",
    "http://localhost",
    "http://[",
    "",
    "file://",
    "127.0.0.1",
]


@pytest.mark.parametrize("origin", ORIGINS)
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


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_that_another_page_began_is_refused(served: Served, site: str) -> None:
    ours = {"Cookie": f"slicewright-{served.port}={served.token}", "Sec-Fetch-Site": site}
    for mode, to in (("no-cors", "image"), ("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe")):
        assert _status(served, "/state", Sec_Fetch_Mode=mode, Sec_Fetch_Dest=to, **ours) == 403, to
    assert _status(served, "/", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document", **ours) == 200


@pytest.mark.parametrize("upgrade", ["websocket", "h2c", "TLS/1.2"])
def test_no_connection_becomes_another_protocol(served: Served, upgrade: str) -> None:
    asked = {"Connection": "Upgrade", "Upgrade": upgrade, "Sec-WebSocket-Key": "YWJj", "Sec-WebSocket-Version": "13"}
    assert _status(served, "/events", **asked) == 401
    assert _status(served, "/events", Origin="https://evil.example", **asked) == 403
