"""The part of Vega that pages run, bundled by vl-convert; `python -m slicewright.report.drawing.bundle` writes it."""

from __future__ import annotations

from pathlib import Path

VERSION = "6.4"
"""Of Vega-Lite, among those that vl-convert holds."""
FILE = Path(__file__).parent / "vega.js"
_NOTICE = "/* Vega and D3, https://vega.github.io and https://d3js.org. {} */\n"
_LICENSE = (
    "Vega: Copyright (c) 2015-2023, University of Washington Interactive Data Lab, BSD 3-Clause License. "
    "D3: Copyright (c) 2010-2023, Mike Bostock, ISC License."
)
_SNIPPET = "globalThis.vegaEmbed = vegaEmbed;"


def bundle() -> str:
    """The runtime as one script that loads nothing: Vega, and Vega-Embed, through which alone vl-convert exports it."""
    import vl_convert

    made: str = vl_convert.javascript_bundle(_SNIPPET, vl_version=VERSION)
    # On a page nothing may look as if it ended the script.
    return _NOTICE.format(_LICENSE) + made.replace("</script", "<\\/script").rstrip() + "\n"


if __name__ == "__main__":
    FILE.write_text(bundle(), encoding="utf-8")
