"""A scenario as the screens of 580/MDF show it: Configuration Attributes of each domain, and System Scheduling."""

from __future__ import annotations

from slicewright._core import Scenario
from slicewright.scenario.sharing import Domain, Sharing, sharing_of
from slicewright.scenario.view import Partition
from slicewright.values.errors import problem, refusal

Field = dict[str, str]
"""screen ("CA" or "SS"), domain (its name; empty on SS where a field is of all), field (its name there), value."""

_ATTRIBUTES = (
    ("ARCHITECTURE MODE", "IF S, 370 OR XA"),
    ("STORAGE SIZE", "IF S, ALL OR K OR M"),
    ("STORAGE LOCATION", "IF S, ANY OR HEX ADDRESS"),
    ("NUMBER OF LP'S", "IF S"),
    ("CONSOLE ADDRESS", "IF S, 1-100"),
    ("TARGET CPU PERCENTAGE", "IF S, 1-100"),
    ("MAXIMUM CPU PERCENTAGE", "IF S, 1-100"),
)
"""Fields of Configuration Attributes with what may be typed there (Partitioning Large Processors, figure 2)."""

_CA = """\
CA - CONFIGURATION ATTRIBUTES

COMMAND OR OPTION ===>

S - SET DOMAIN CHARACTERISTICS    D - DELETE A DOMAIN FACILITY
A - ADD A DOMAIN FACILITY
"""

_SS = """\
SS - SET SYSTEM SCHEDULING

COMMAND OR OPTION ==>>
S - SET DOMAIN CPU PERCENTAGES
P - SET SCHEDULING PARAMETER
"""


def fields(scenario: Scenario) -> list[Field]:
    """Every field of the screens with what the scenario has there; an empty value is one that it has not.

    NORM is a target over the sum of all targets.  Raises InputError for a scenario that has no such screens.

    >>> from slicewright._core import starter
    >>> read = Scenario.read(starter("two-domains").encode(), "two-domains.toml")
    >>> [row["value"] for row in fields(read) if row["field"] == "TARGET CPU PERCENTAGE"]
    ['50', '50']
    """
    sharing, written = _read(scenario)
    rows = [
        {"screen": "CA", "domain": domain.name, "field": field, "value": _attribute(domain, field, attributes)}
        for domain, attributes in zip(sharing.domains, written, strict=True)
        for field, _ in _ATTRIBUTES
    ]
    rows.append({"screen": "SS", "domain": "", "field": "SCHEDULING PARAMETER", "value": _parameter(sharing)})
    for domain in sharing.domains:
        values = (("TARG", domain.target), ("MAX", None if domain.dedicated else domain.maximum), ("NORM", domain.norm))
        rows += [
            {"screen": "SS", "domain": domain.name, "field": name, "value": _whole(value)} for name, value in values
        ]
    return rows


def screens_text(scenario: Scenario) -> str:
    """The screens as text: Configuration Attributes of each domain, then System Scheduling, as in figures 2 and 3.

    Raises InputError for a scenario that has no such screens.

    >>> from slicewright._core import starter
    >>> print(screens_text(Scenario.read(starter("two-domains").encode(), "two-domains.toml")))
    Domain 0, PEMDFI
    <BLANKLINE>
    CA - CONFIGURATION ATTRIBUTES
    ...
                      CPU UTILIZATION
    DOMAIN #  NAME    TARG  MAX  NORM
    0         PEMDFI    50   50    50
    1         PEMDFT    50   50    50
    """
    sharing, written = _read(scenario)
    parts = []
    for number, (domain, attributes) in enumerate(zip(sharing.domains, written, strict=True)):
        title = f"Domain {number}, {domain.name}" + (
            ", mode UP: its processors are its own" if domain.dedicated else ""
        )
        lines = [_line(field, "===>", _attribute(domain, field, attributes), hint) for field, hint in _ATTRIBUTES]
        parts.append("\n".join([title, "", _CA, *lines]))
    parts.append(_scheduling(sharing))
    return "\n\n".join(parts)


def _read(scenario: Scenario) -> tuple[Sharing, tuple[Partition, ...]]:
    sharing = sharing_of(scenario.view)
    if sharing is None:
        why = "the screens set how domains share processors; the scenario has no [cec]"
        raise refusal(problem("the scenario has no screens", key="screens", why=why))
    if sharing.slice_s is None:
        why = "Configuration Attributes and System Scheduling are those of 580/MDF, with targets; PR/SM goes by weights"
        raise refusal(problem("the scenario has no screens", key="screens", why=why))
    return sharing, scenario.view.partitions


def _attribute(domain: Domain, field: str, partition: Partition) -> str:
    match field:
        case "NUMBER OF LP'S":
            return str(domain.logicals)
        case "TARGET CPU PERCENTAGE":
            return _whole(domain.target)
        case "MAXIMUM CPU PERCENTAGE":
            return "" if domain.dedicated else _whole(domain.maximum)
        case "ARCHITECTURE MODE":
            return partition.architecture_mode or ""
        case "STORAGE SIZE":
            return partition.storage_size or ""
        case "STORAGE LOCATION":
            return partition.storage_location or ""
        case _:
            return partition.console_address or ""


def _scheduling(sharing: Sharing) -> str:
    """The fields above the table show what would be set: the first domain that shares."""
    first = next((domain for domain in sharing.domains if not domain.dedicated), None)
    target, maximum = (None, None) if first is None else (first.target, first.maximum)
    slices = (
        ""
        if sharing.scheduling_parameter
        else f"    a slice of {1000 * (sharing.slice_s or 0):g} ms, not of a parameter"
    )
    width = max([len("NAME"), *(len(domain.name) for domain in sharing.domains)])
    table = [f"{'':10}{'':{width}}  CPU UTILIZATION", f"DOMAIN #  {'NAME':{width}}  TARG  MAX  NORM"]
    for number, domain in enumerate(sharing.domains):
        shown = (
            ["", "", ""]
            if domain.dedicated
            else [_whole(value) for value in (domain.target, domain.maximum, domain.norm)]
        )
        table.append(f"{number:<8}  {domain.name:{width}}  {shown[0]:>4}  {shown[1]:>3}  {shown[2]:>4}".rstrip())
    lines = [
        _line("TARGET CPU PERCENTAGE", "==>>", _three(target), "IF S, 1-100"),
        _line("MAXIMUM CPU PERCENTAGE", "==>>", _three(maximum), "IF S, 1-100"),
        _line("SCHEDULING PARAMETER", "==>>", _parameter(sharing), "IF P, 1-5") + slices,
    ]
    return "\n".join([_SS, *lines, "", *table])


def _line(field: str, arrow: str, value: str, hint: str) -> str:
    return f"{field:<22} {arrow} {value:<5} ({hint})"


def _parameter(sharing: Sharing) -> str:
    return "" if sharing.scheduling_parameter is None else str(sharing.scheduling_parameter)


def _whole(percent: float | None) -> str:
    """A percentage as screens show it, whole; with decimals where it has them."""
    return "" if percent is None else f"{round(percent, 1):g}"


def _three(percent: float | None) -> str:
    text = _whole(percent)
    return text.zfill(3) if text.isdigit() else text
