"""The one renderer of figures: as SVG, as PNG, and as a part of a page that can be pointed at."""

from slicewright.figures.draw import alone, compiled, png, svg
from slicewright.figures.page import html, script, still, style

__all__ = ["alone", "compiled", "html", "png", "script", "still", "style", "svg"]
