"""Which panels there are."""

from __future__ import annotations

from collections.abc import Mapping

from slicewright.serve.panels import mdf, srm
from slicewright.serve.panels.panel import Panel

PANELS: Mapping[str, Panel] = {panel.name: panel for panel in (mdf.PANEL, srm.PANEL)}
"""The panels by name, in the order of the documents."""
