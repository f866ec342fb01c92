"""A simulated run as RMF pages.

It leaves out their layout: the engine writes them from the same tables that real pages are read into.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slicewright.run import Run


def direct_access_page_of(run: Run, level: str = "current") -> str:
    """The run as a page in the style of RMF DIRECT ACCESS DEVICE ACTIVITY: a row per volume, means over replications.

    `level` is "current" (z/OS) or "classic" (MVS/XA, where IOSQ is made of the sampled queue).  RESP is the sum of
    IOSQ, PEND, DISC and CONN (Partitioning Large Processors, 4.0).

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run = slicewright.run(starter("mm1"), replications=2)
    >>> print(direct_access_page_of(run, "classic"))
                                  D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y
    ...
    """
    from slicewright._core import Scenario, direct_access_page
    from slicewright.text import plural

    measure = Scenario.read(run.scenario.encode(), "scenario.toml").measure
    title = {
        "run": run.name,
        "interval_s": measure["interval_s"],
        "samples": round(measure["interval_s"] / measure["sample_s"]),
        "note": f"simulated by slicewright {run.version}, {plural(run.replications, 'replication')}, seed {run.seed}",
        "level": level,
        "partitions": run.partitions["partition"].to_list() if "partition" in run.partitions.columns else [],
    }
    return direct_access_page(title, run.devices.to_dict(as_series=False), run.volumes.to_dict(as_series=False))
