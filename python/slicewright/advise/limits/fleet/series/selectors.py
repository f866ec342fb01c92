"""Names of series with labels as text: NAME{label="value",...}, as expositions and tables have them."""

from __future__ import annotations

import json
import re

NAME = "__name__"
LABELS = r'\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}'
_LABEL = re.compile(r'\s*"?([^\s"=,{}]+)"?\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?')
_SERIES = re.compile(rf"\s*([a-zA-Z_:][a-zA-Z0-9_:]*)?\s*({LABELS})?\s*", re.DOTALL)
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


def series_of(text: str) -> tuple[str, dict[str, str]] | None:
    """Name ("" without one) and labels of a series as text; None where the text is none.

    >>> series_of('a_total{pod="web-1",path="/a\\\\"b"}'), series_of('{__name__="a", pod="b"}'), series_of("a b")
    (('a_total', {'pod': 'web-1', 'path': '/a"b'}), ('a', {'pod': 'b'}), None)
    """
    found = _SERIES.fullmatch(text)
    labels = labels_of(found[2] or "{}") if found else None
    if found is None or labels is None or not (found[1] or found[2]):
        return None
    return labels.pop(NAME, "") or found[1] or "", labels


def labels_of(text: str) -> dict[str, str] | None:
    """Labels in braces, or as an object of JSON; None where the text is neither.

    >>> labels_of('{pod="a"}'), labels_of('{"pod": "a"}'), labels_of("{pod}")
    ({'pod': 'a'}, {'pod': 'a'}, None)
    """
    inside = text.strip().removeprefix("{").removesuffix("}")
    found: dict[str, str] = {}
    at = 0
    while at < len(inside):
        label = _LABEL.match(inside, at)
        if label is None:
            return found if not inside[at:].strip() else _of_json(text)
        found[label[1]] = re.sub(r'\\[\\"n]', lambda escape: _ESCAPES[escape[0]], label[2])
        at = label.end()
    return found


def _of_json(text: str) -> dict[str, str] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else None
