"""Which studies there are."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from slicewright.values.catalogue import STUDIES as STUDIES
from slicewright.values.errors import nearest, problem, refusal

if TYPE_CHECKING:
    from slicewright.study.study import Study


def named(name: str) -> Study:
    """The study of that name: `STUDY` of its module, or of `study` in its package; raises KeyError without it.

    >>> named("grs-exits").name
    'grs-exits'
    >>> named("grs")
    Traceback (most recent call last):
    KeyError: 'grs'
    """
    if name not in STUDIES:
        raise KeyError(name)
    module = import_module(f"slicewright.study.{name.replace('-', '_')}")
    if hasattr(module, "__path__"):
        module = import_module(f"{module.__name__}.study")
    study: Study = module.STUDY
    return study


def check(studies: list[str]) -> None:
    """Refuse, all at once, every name that is no study of this version; raises InputError.

    >>> check(["hyperpav"])
    """
    wrong = []
    for study in dict.fromkeys(studies):
        if study not in STUDIES:
            known = nearest(study, STUDIES)
            wrong.append(problem("no such study", key=study, allowed=", ".join(STUDIES), nearest=known))
    if wrong:
        raise refusal(*wrong)


def check_ablation(studies: list[str], ablation: str, *, strict: bool) -> None:
    """Refuse an ablation that is not one of every study asked for, or that is to be judged; raises InputError.

    >>> check_ablation(["hiperdispatch"], "no-lock", strict=False)
    """
    wrong = []
    for name in studies:
        known = list(named(name).spec().ablations)
        if ablation not in known:
            what = f"{name} has no such ablation"
            near = nearest(ablation, known)
            wrong.append(problem(what, key=ablation, allowed=", ".join(known) or "none", nearest=near))
    if strict:
        wrong.append(problem("an ablation is not judged", key="--strict", allowed="--ablation without --strict"))
    if wrong:
        raise refusal(*wrong)
