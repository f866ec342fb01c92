"""Pictures as SVG text: curves with bands, parts of a response, pools, intervals, differences between two runs,
processors of control programs and their decisions.

They leave out pages and files.  The same input gives the same bytes.
"""

from slicewright.plots.control_processors import control_processors_bar
from slicewright.plots.curves import Curve, Panel, Points, curve
from slicewright.plots.decisions import decisions_steps
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
    "control_processors_bar",
    "curve",
    "decisions_steps",
    "differences",
    "pools_free",
    "series",
    "volumes_bar",
]
