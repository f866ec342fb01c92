"""The studies in one table: what each is of, and how many of its judged cells match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slicewright.report.model import Report, Section, Table
from slicewright.report.spec import columns
from slicewright.results.judge import SCORED, Cell, Tally
from slicewright.study.judge import Reproduction, Request
from slicewright.study.pages import Context

if TYPE_CHECKING:
    from slicewright.study.study import Study

NOT_RUN = "not run yet"
NOT_ADOPTED = "a variant that is shown and not adopted"

_COLUMNS = """
    study
    subject
    matches  | right | judged cells that match
    trend    | right | trend only
    misses   | right
    variants |       | with variants chosen after seeing the results
    remark ?
"""


def overview(studies: Sequence[Study]) -> Report:
    """A row per study, from the kept results: nothing is simulated.

    >>> from slicewright.study.studies import named
    >>> from slicewright.report.text import render
    >>> print(render(overview([named("hyperpav")])))
      study     subject                                        judged cells that match ...
      HyperPAV  six runs of a pool of volumes and its aliases              13 of 13 ...
    """
    rows = [standing(study, study.kept_result()) for study in studies]
    subtitle = "Every published number is a cell with a band and a role, both declared before the run that is judged."
    table = Table(columns(_COLUMNS), rows)
    return Report("Studies: published and simulated", subtitle, sections=[Section("", [table])])


def _kinds(cells: Sequence[Cell]) -> str:
    """The matches by role, and how many are no evidence of their own: those that follow, or are of no effect."""
    matches = [cell for cell in cells if cell.verdict == "matches" and cell.ruling.scored]
    roles = [(role, sum(cell.ruling.role == role for cell in matches)) for role in SCORED]
    follow, zero = sum(bool(cell.identity) for cell in matches), sum(cell.published == 0 for cell in matches)
    said = ", ".join(f"{count} {role}" for role, count in roles if count)
    follows = "follows" if follow == 1 else "follow"
    beside = [f"{follow} {follows} from others or an input"] * bool(follow) + [f"{zero} of a published 0"] * bool(zero)
    return "; ".join([said, *beside])


def standing(study: Study, result: Reproduction | None) -> dict[str, str]:
    """The row of a study and its kept result; None where this installation has none.

    `variants` are forms that were declared after seeing the results, `remark` the misses stated before any run.
    `kinds` says what the matches are; nothing where a miss was stated that a wide band calls a match.
    """
    spec = study.spec()
    row = {"study": spec.label, "subject": spec.subject}
    if result is None:
        return row | {"matches": NOT_RUN} | dict.fromkeys(("trend", "misses", "variants", "remark", "kinds"), "")
    own, other = Tally.of(result.cells), Tally.of(result.variant)
    variants = f"({other.matches}: {NOT_ADOPTED})" if result.variant else ""
    if result.adopted:
        listed = [
            f"{Tally.of(getattr(result, form.shown)).matches} ({form.fact})"
            for form in spec.forms.values()
            if form.listed
        ]
        variants = "; ".join([str(Tally.of(result.adopted).matches), *listed])
    stated = study.words().get("stated")
    remark = " ".join(stated(Context(study, result, Request(), spec.first))) if stated else ""
    return row | {
        "matches": f"{own.matches} of {own.scored}", "trend": str(own.trend), "misses": str(own.misses),
        "variants": variants, "remark": remark, "kinds": "" if remark else _kinds(result.cells),
    }  # fmt: skip
