"""`python -m slicewright.study`: write the shipped scenarios of the study anew from the committed constants.

It leaves out finding the constants (`slicewright calibrate hyperpav`).
"""

from pathlib import Path

from slicewright.study.constants import committed
from slicewright.study.data import data_folder
from slicewright.study.hyperpav import scenario
from slicewright.study.published import reports


def shipped() -> dict[Path, str]:
    """Each shipped scenario's file and text, as the committed constants have them.

    >>> [path.name for path in shipped()][:2]
    ['Y032180H.toml', 'Y032181H.toml']
    """
    folder = data_folder("scenarios") / "hyperpav"
    return {folder / f"{report.table}.toml": scenario(report, committed().constants) for report in reports()}


if __name__ == "__main__":
    for path, text in shipped().items():
        path.write_text(text, "utf-8")
        print(path.name)
