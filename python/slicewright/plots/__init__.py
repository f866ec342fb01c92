"""Pictures as SVG text: curves with bands, parts of a response, pools, intervals, differences between two runs.

They leave out pages and files.  The same input gives the same bytes.
"""

from slicewright.plots.curves import Curve, Panel, Points, curve
from slicewright.plots.differences import Difference, Differences, differences
from slicewright.plots.intervals import series
from slicewright.plots.pools import pools_free
from slicewright.plots.volumes import volumes_bar

__all__ = [
    "Curve",
    "Difference",
    "Differences",
    "Panel",
    "Points",
    "curve",
    "differences",
    "pools_free",
    "series",
    "volumes_bar",
]
