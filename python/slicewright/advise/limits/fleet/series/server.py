"""A Prometheus server to ask: its address, a selector, a range of time, and credentials.

Credentials come from a file or the environment, never from the command line, and are never printed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from slicewright.advise.limits.quantity import span_ms
from slicewright.errors import Problem, problem

AUTHORIZATION = "SLICEWRIGHT_PROMETHEUS_AUTHORIZATION"
"""The header of that name, or a token alone; the other variable names a file that has it."""
AUTHORIZATION_FILE = "SLICEWRIGHT_PROMETHEUS_AUTHORIZATION_FILE"
OPTIONS = ("selector", "since", "step")
SINCE, STEP = "6h", "30s"
SINCE_S, STEP_S = (120.0, 31 * 86_400.0), (1.0, 600.0)
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_MATCHER = rf"\s*[a-zA-Z_][a-zA-Z0-9_]*\s*(?:=~|!~|!=|=)\s*{_QUOTED}\s*"
_SELECTOR = re.compile(rf"\s*\{{({_MATCHER}(?:,{_MATCHER})*,?\s*)?\}}\s*")


@dataclass(frozen=True)
class Server:
    """A server and the range to ask for; `authorization` is the header, empty without one."""

    url: str
    selector: str = ""
    """Matchers without their braces."""
    since_s: float = 21_600.0
    step_s: float = 30.0
    authorization: str = field(default="", repr=False)


def server_of(own: Mapping[str, Any], problems: list[Problem]) -> Server | None:
    """The server that the options name, or None; problems of the options are appended.

    >>> problems = []
    >>> server_of({"prometheus": "http://localhost:9090", "selector": '{namespace="shop"}'}, problems).selector
    'namespace="shop"'
    """
    if "prometheus" not in own:
        without = [name for name in OPTIONS if name in own]
        problems += [problem("without effect", key=name, why="it applies to --prometheus URL") for name in without]
        return None
    url = _url(str(own["prometheus"]), problems)
    selector = _selector(str(own.get("selector", "")), problems)
    since_s = _span("since", str(own.get("since", SINCE)), SINCE_S, problems)
    step_s = _span("step", str(own.get("step", STEP)), STEP_S, problems)
    if 0 < since_s < 2 * step_s:
        problems.append(problem("shorter than two steps", key="since", allowed="a range of many steps: 6h"))
    return Server(url, selector, since_s, step_s, _authorization(problems))


def _url(text: str, problems: list[Problem]) -> str:
    allowed = "the address of a server, without a query: http://localhost:9090"
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or re.search(r"[\x00-\x20]", text):
        problems.append(problem("not an address", key="prometheus", allowed=allowed))
        return ""
    if parts.username is not None or parts.password is not None:
        why = "a command line is seen by others, and is kept"
        remedy = f"give it in a file that {AUTHORIZATION_FILE} names, or in {AUTHORIZATION}"
        problems.append(problem("a password in the address", key="prometheus", why=why, remedy=remedy))
        return ""
    return text.rstrip("/").removesuffix("/api/v1/query_range").removesuffix("/api/v1")


def _selector(text: str, problems: list[Problem]) -> str:
    if not text.strip():
        return ""
    found = _SELECTOR.fullmatch(text)
    if found is None:
        allowed = """labels in braces, without the name of a metric: '{namespace="shop"}'"""
        problems.append(problem(f"not a selector: {text}", key="selector", allowed=allowed))
        return ""
    return (found[1] or "").strip().rstrip(",").strip()


def _span(key: str, text: str, within: tuple[float, float], problems: list[Problem]) -> float:
    found = span_ms(text.replace("m", "min") if re.fullmatch(r"\s*[0-9.]+\s*m\s*", text) else text)
    if found is None or not within[0] <= found / 1000 <= within[1]:
        allowed = "2m to 31d: 6h" if key == "since" else "1s to 10m: 30s"
        problems.append(problem(f"not a span: {text}", key=key, allowed=allowed))
        return 0.0
    return found / 1000


def _authorization(problems: list[Problem]) -> str:
    """The header from the environment; a token alone is that of a bearer."""
    text, key = os.environ.get(AUTHORIZATION, ""), AUTHORIZATION
    if file := os.environ.get(AUTHORIZATION_FILE):
        key = AUTHORIZATION_FILE
        try:
            text = Path(file).read_text("utf-8")
        except (OSError, ValueError):
            problems.append(problem("cannot be read", file=file, key=key))
            return ""
    text = text.strip()
    if not text.isascii() or not text.isprintable():
        problems.append(problem("not one line of ASCII", key=key, allowed="a token, or 'Bearer TOKEN', 'Basic ...'"))
        return ""
    return text if " " in text or not text else f"Bearer {text}"
