"""Figures as SVG, as PNG and as the compiled specification that a page shows; the same figure gives the same bytes."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from typing import Any

from slicewright._core import RunError
from slicewright.report.drawing.bundle import VERSION
from slicewright.report.drawing.inks import FONT, definitions, plain
from slicewright.report.drawing.views import BANDS, faded, specification
from slicewright.report.figure import Figure, Look
from slicewright.values.errors import visible_lines


def svg(figure: Figure) -> str:
    """The figure as SVG whose colours are those of the page around it, and which says what it shows."""
    import vl_convert

    made: str = vl_convert.vegalite_to_svg(specification(figure), vl_version=VERSION)
    said = escape(figure.described)
    for pattern, text in _NOISE:
        made = re.sub(pattern, text, made)
    made = re.sub(r' (?:d|transform|[xy]2?)="[^"]*"', _rounded, made)
    made = _clipped(made)
    made = re.sub(r'<(path|line) aria-label="([^"]*)"([^>]*?)/>', _titled, made)
    head = f'role="img" aria-label="{said}" font-family="{FONT}"><desc>{said}</desc>{definitions(_looks(figure))}'
    return visible_lines(made.replace(">", f" {head}", 1).replace("</defs><defs>", ""))


_NOISE = (
    (r' (?:aria-roledescription|aria-hidden|pointer-events|class|role|xmlns:xlink|version)="[^"]*"', ""),
    (r'(<g[^>]*) aria-label="[^"]*"', r"\1"),
    (rf' font-family="{re.escape(FONT)}"| opacity="1"| fill-opacity="1"| stroke-dasharray="1,0"', ""),
    (r'<path d="" display="none"/>|<path d="M0,0h0v0h0Z"/>', ""),
    (r"<g>\s*</g>", ""),
)
"""What Vega writes and nothing needs: its roles, attributes with their default, empty shapes."""


def alone(figure: Figure) -> str:
    """The figure as SVG by itself: its own colours, on paper; raises RunError where it cannot be drawn.

    >>> from slicewright.report.figure import Panel, Series
    >>> "var(" in alone(Figure([Panel("Response, ms", [Series([0, 1], [2.0, 1.0])])]))
    False
    """
    try:
        made = plain(svg(figure))
    except BaseException as error:
        raise RunError(f"the picture is not drawn: {reason(error)}") from error
    return re.sub(r"(</desc>)", r'\1<rect width="100%" height="100%" fill="#ffffff"/>', made, count=1)


def reason(error: BaseException) -> str:
    """An error of the plotting library in a line; a panic of it is no Exception, and an interrupt is raised again.

    >>> reason(ValueError("It failed:\\nno such signal\\n  at x"))
    'ValueError: It failed: no such signal'
    """
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise error
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return ": ".join([type(error).__name__, *(line.rstrip(":") for line in lines[:2])])[:200]


def png(figure: Figure, scale: float = 2.0) -> bytes:
    """The figure as PNG on paper, `scale` pixels for each of its own."""
    import vl_convert

    made: bytes = vl_convert.svg_to_png(alone(figure), scale=scale)
    return made


def compiled(figure: Figure) -> dict[str, Any]:
    """The figure as Vega runs it on a page, with tips, names that can be switched off, and zoom."""
    import vl_convert

    made: dict[str, Any] = vl_convert.vegalite_to_vega(specification(figure, live=True), vl_version=VERSION)
    return {key: value for key, value in faded(made).items() if key != "$schema"}


def _looks(figure: Figure) -> list[Look]:
    looks: list[Look] = list(BANDS.values())
    for panel in figure.panels:
        for series in panel.series:
            own = [series.look] if isinstance(series.look, Look) else list(series.look or ())
            looks += own
            if series.groups is not None:
                looks += [replace(look, texture="") for look in own]
    return looks


def _rounded(found: re.Match[str]) -> str:
    """Places to a hundredth of a pixel, as more is not seen."""
    return re.sub(r"(\.\d\d)\d+", r"\1", found[0])


def _clipped(made: str) -> str:
    """Clips named by their size, each once: Vega counts them through the whole process."""
    clip = r'<clipPath id="(clip\d+)"><rect x="0" y="0" width="([\d.]+)" height="([\d.]+)"/></clipPath>'
    names = {name: f"clip-{width}-{height}" for name, width, height in re.findall(clip, made)}
    shapes = {names[match[1]]: match[0] for match in re.finditer(clip, made)}
    made = re.sub(clip, "", made)
    made = re.sub(r"url\(#(clip\d+)\)", lambda match: f"url(#{names[match[1]]})", made)
    defined = "".join(re.sub(r'id="clip\d+"', f'id="{name}"', shape) for name, shape in sorted(shapes.items()))
    return made.replace(">", f"><defs>{defined}</defs>", 1).replace("<defs></defs>", "") if defined else made


def _titled(found: re.Match[str]) -> str:
    name, said, rest = found.groups()
    return f"<{name}{rest}><title>{said}</title></{name}>"
