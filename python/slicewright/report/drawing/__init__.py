"""The one renderer of figures: as SVG, as PNG, and as a part of a page that can be pointed at."""

from slicewright.report.drawing.draw import alone, compiled, png, svg
from slicewright.report.drawing.page import html, script, still, style

__all__ = ["alone", "compiled", "html", "png", "script", "still", "style", "svg"]
