"""Purchases: changes of a scenario that may be bought, each with a price, as `--buy` and `[[purchase]]` have them."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from slicewright._core import InputError, Scenario
from slicewright.explore.axes import Axis, axis
from slicewright.scenario.settings import parts
from slicewright.statistics import count
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.numerals import in_json
from slicewright.values.parameters import brief, check, text_of

ALLOWED = "KEY=VALUES at PRICE, and `each` where the price is of a unit: alias_pool.A.aliases=+0..16 at 5 each"
_MOST_VALUES = 1000
"""Values of one purchase."""
_OFFER = re.compile(r"(?P<key>[^=]+)=(?P<values>.*\S)\s+at\s+(?P<price>\S+?)(?:\s+(?P<per>\S+))?\s*", re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_NAMES = {"alias_pool": "pool", "cec": "the machine", "cgroup": "group", "lpar_group": "group"}

Setting = tuple[int, ...]
"""Of each purchase the place of its level; 0 is the scenario as it is."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of a shopping list: a key, its values as written, the price of a unit or of the change."""

    key: str
    values: str
    price: float
    per: Literal["each", "flat"]


@dataclass(frozen=True, slots=True)
class Level:
    """A value of a purchase: in words, the changes that make it, the units bought, and the cost."""

    to: str
    changes: tuple[str, ...] = ()
    units: float = 0.0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Purchase:
    """A key that can be changed for money; its first level is the scenario as it is, and costs nothing."""

    key: str
    now: str
    levels: tuple[Level, ...]
    offers: tuple[Offer, ...]
    ordered: bool = False
    """Whether its levels are more and more of one thing."""

    @property
    def words(self) -> str:
        """The key in words.

        >>> Purchase("alias_pool.LSS60.aliases", "4", (), ()).words
        'aliases of pool LSS60'
        """
        table, *names = parts(self.key)
        if len(names) < 2:
            return f"{' '.join(names).replace('_', ' ')} of {_NAMES.get(table, table)}"
        kind = _NAMES.get(table, table).replace("_", " ")
        whose = f"every {kind}" if names[0] == "*" else f"{kind} {names[0]}"
        if table == "cgroup":  # its keys are names of the kernel's files
            return f"{'.'.join(names[1:])} of {whose}"
        return f"{' '.join(reversed(names[1:])).replace('_', ' ')} of {whose}"


def purchases_of(given: Sequence[object], scenario: Scenario) -> list[Purchase]:
    """The purchases of a command line and of the file, in the order of their keys.

    Raises InputError with every problem.  `given` replaces the `[[purchase]]` of the same key.
    """
    problems: list[Problem] = []
    offers = [offer for text in given for offer in gathered(problems, functools.partial(_offer, text))]
    named = {offer.key for offer in offers}
    for row in scenario.left_open["purchases"]:
        if row["key"].strip() not in named:
            offers.append(Offer(row["key"].strip(), row["values"].strip(), float(row["price"]), row["per"]))
    if not offers and not problems:
        remedy = f"--buy '{ALLOWED.partition(': ')[2]} ', or [[purchase]] in the scenario".replace(" ',", "',")
        problems.append(problem("nothing can be bought", key="buy", remedy=remedy))
    current = {row["key"]: row["value"] for row in scenario.explain()}
    made = []
    for key in sorted({offer.key for offer in offers}):
        own = sorted((each for each in offers if each.key == key), key=lambda each: (each.price, each.values))
        made += gathered(problems, functools.partial(_purchase, key, own, (scenario, current)))
    problems += _contradictions(made, scenario, current)
    check(*problems)
    return made


def cost_of(purchases: Sequence[Purchase], setting: Setting) -> float:
    """The price of a setting.

    >>> cost_of([Purchase("a", "1", (Level("1"), Level("2", (), 1, 5.0)), ())], (1,))
    5.0
    """
    return math.fsum(purchase.levels[at].cost for purchase, at in zip(purchases, setting, strict=True))


def changes_in(purchases: Sequence[Purchase], setting: Setting) -> list[str]:
    """The changes of a scenario that make a setting, as `--set` has them."""
    return [text for purchase, at in zip(purchases, setting, strict=True) for text in purchase.levels[at].changes]


def bought(purchases: Sequence[Purchase], setting: Setting) -> list[dict[str, Any]]:
    """The purchases of a setting as values for JSON."""
    return [
        {"key": purchase.key, "from": purchase.now, "to": purchase.levels[level].to,
         "units": in_json(purchase.levels[level].units), "cost": in_json(purchase.levels[level].cost),
         "words": purchase.words}
        for purchase, level in zip(purchases, setting, strict=True)
        if level
    ]  # fmt: skip


def words_of(purchases: Sequence[Purchase], setting: Setting) -> str:
    """The purchases of a setting in words.

    A set without purchases is `nothing`.
    """
    return (
        ", ".join(f"{each['words']} {each['from']} -> {each['to']}" for each in bought(purchases, setting)) or "nothing"
    )


def _offer(text: object) -> Offer:
    text = text_of("buy", text, ALLOWED)
    match = _OFFER.fullmatch(text)
    if match is None:
        what = f"`{brief(text)}` has no {'price' if '=' in text else 'values'}"
        raise refusal(problem(what, key="buy", allowed=ALLOWED))
    per = match["per"] or "flat"
    try:
        price = float(match["price"].replace(",", ""))
    except ValueError:
        price = math.nan
    if not 0 <= price < math.inf:
        raise refusal(problem(f"`{brief(match['price'])}` is no price", key="buy", allowed="a number, 0 or more"))
    if per not in ("each", "flat"):
        what = f"`{brief(per)}` after the price of `{brief(match['key'].strip())}`"
        raise refusal(problem(what, key="buy", allowed="each, flat, or nothing"))
    return Offer(match["key"].strip(), match["values"].strip(), price, "each" if per == "each" else "flat")


def _purchase(key: str, offers: Sequence[Offer], known: tuple[Scenario, Mapping[str, str]]) -> Purchase:
    """A purchase with all levels that differ from the scenario; raises InputError."""
    scenario, current = known
    keys = concrete(key, scenario, current)
    now = [current[each] if each in current else _present(scenario, each) for each in keys]
    levels: dict[str, Level] = {}
    seen: dict[str, float] = {}
    unchanged = repr(scenario.view)
    for offer in offers:
        if offer.values.startswith("+") and not all(now):  # a key that there is not is refused as such
            for level in _levels(replace(offer, values=offer.values.replace("+", "")), keys, now):
                _checked(scenario, key, level)
        for level in _levels(offer, keys, now):
            machine = _checked(scenario, key, level)
            if machine == unchanged:
                continue
            if machine in seen:
                what = f"`{level.to}` has two prices: {count(seen[machine])} and {count(level.cost)}"
                raise refusal(problem(what, key=f"buy {key}", remedy="give each value one price"))
            seen[machine] = level.cost
            levels[level.to] = level
    if not levels:
        what = f"changes nothing: the scenario has {' and '.join(dict.fromkeys(now)) or 'this value'}"
        raise refusal(problem(what, key=f"buy {key}", allowed="a value that differs from the present one"))
    same = " and ".join(dict.fromkeys(now)) or "not given"
    numeric = all(_number_of(level.to) is not None for level in levels.values()) and len(offers) == 1
    ordered = sorted(levels.values(), key=lambda level: (level.units if numeric else 0.0, level.cost, level.to))
    more = len(ordered) == 1 or (numeric and len({level.units for level in ordered}) == len(ordered))
    return Purchase(key, same, (Level(same), *ordered), tuple(offers), more)


def _levels(offer: Offer, keys: Sequence[str], now: Sequence[str]) -> Iterator[Level]:
    relative = offer.values.startswith("+")
    text = re.sub(r"(^|,)\s*\+", r"\1", offer.values) if relative else offer.values
    made = axis(offer.key, text)
    if not made.values:
        what = f"`{brief(offer.values)}` needs a step between decimal ends"
        raise refusal(problem(what, key=f"buy {offer.key}", allowed="0.5..2:0.5"))
    if len(made.values) > _MOST_VALUES:
        what = f"{len(made.values):,} values"
        raise refusal(problem(what, key=f"buy {offer.key}", allowed=f"at most {_MOST_VALUES:,}; give a step"))
    for value in made.values:
        if relative:
            yield _increase(offer, made, value, list(zip(keys, now, strict=True)))
        else:
            yield _absolute(offer, made, value, now)


def _absolute(offer: Offer, made: Axis, value: Any, now: Sequence[str]) -> Level:
    change = made.changes(value)
    to = change.partition("=")[2].strip('"')
    old = [_number(each or "0", made.unit if each else "") for each in now]
    units = (
        float(sum(each != to for each in now))
        if made.kind == "text" or None in old
        else math.fsum(abs(float(value) - float(each)) for each in old if each is not None)
    )
    return Level(to, (change,), units, offer.price * (units if offer.per == "each" else 1))


def _increase(offer: Offer, made: Axis, value: Any, present: Sequence[tuple[str, str]]) -> Level:
    """More of each key that is matched."""
    changes, shown = [], []
    for key, now in present:
        number = _number(now, made.unit)
        if made.kind == "text" or number is None:
            what = f"`+{brief(value)}` of `{now or 'nothing'}`"
            unit = f"numbers in {made.unit}" if made.unit else "plain numbers"
            remedy = f"--buy '{offer.key}=1..{brief(value)} at {offer.price:g}', where {key} has no value"
            why = f"{key} has no such number"
            raise refusal(problem(what, key=f"buy {offer.key}", why=why, allowed=unit, remedy="" if now else remedy))
        total = number + value
        whole = int(total) if float(total).is_integer() else float(f"{total:.6f}")
        own = Axis(key, made.unit, "whole" if isinstance(whole, int) else "number", (whole,))
        changes.append(own.changes(whole))
        shown.append(changes[-1].partition("=")[2].strip('"'))
    units = float(value) * len(present)
    same = list(dict.fromkeys(shown))
    to = same[0] if len(same) == 1 else f"+{count(float(value))} {made.unit}".strip()
    return Level(to, tuple(changes), units, offer.price * (units if offer.per == "each" else 1))


def _number_of(text: str) -> float | None:
    match = re.match(_NUMBER, text)
    return float(match[0]) if match else None


def _number(text: str, unit: str) -> float | None:
    """The number of a value in a unit; None where it is none."""
    match = re.fullmatch(rf"\s*({_NUMBER.pattern})\s*{re.escape(unit)}\s*", text)
    return float(match[1]) if match else None


def _checked(scenario: Scenario, key: str, level: Level) -> str:
    """The machine with a level, as text; raises InputError where it is none."""
    try:
        return repr(scenario.with_(list(level.changes)).view)
    except InputError as error:
        wrong = error.problems[0]
        what = f"`{level.to}`: {wrong['what']}" if wrong["what"] else str(error)
        raise refusal(
            problem(what, key=f"buy {key}", why=wrong["why"], allowed=wrong["allowed"], nearest=wrong["nearest"])
        ) from None


_SIGNS = {"*": ".*", "?": ".", "[": "[0-9A-Za-z]+"}
"""Patterns of names as regular expressions."""


def concrete(key: str, scenario: Scenario, current: Mapping[str, str]) -> list[str]:
    """The keys that a key with a pattern of names or a class stands for, as far as the scenario has them.

    >>> from slicewright.scenario.starters import read_starter
    >>> concrete("alias_pool.*.aliases", read_starter("pool"), {"alias_pool.LSS-52.aliases": "8"})
    ['alias_pool.LSS-52.aliases']
    """
    table, *names = parts(key)
    if len(names) < 2 or names[1:] == ["count"] or not set(names[0]) & set("*?[@"):
        return [key]
    found = []
    for each in current:
        own = parts(each)
        if own[:1] + own[2:] == [table, *names[1:]] and own[1] in _named(scenario, table, names[0]):
            found.append(each)
    return found or [".".join([table, each, *names[1:]]) for each in _named(scenario, table, names[0])]


def _named(scenario: Scenario, table: str, pattern: str) -> list[str]:
    """The names in a table that a pattern of `--set` means; brackets count up, and `@` is a class."""
    rows = getattr(scenario.view, f"{table}s", ())
    if pattern.startswith("@"):
        return [each.name for each in rows if getattr(each, "of_class", None) == pattern[1:]]
    texts = (_SIGNS.get(part[0], re.escape(part)) for part in re.findall(r"\[[^\]]*\]|[*?]|[^*?\[]+|\[", pattern))
    fits = re.compile("".join(texts))
    return [each.name for each in rows if fits.fullmatch(each.name)]


def _present(scenario: Scenario, key: str) -> str:
    """The value of a key with names: a reference or a list of them; "" where there is none."""
    table, *rest = parts(key)
    found: Any = getattr(scenario.view, f"{table}s", None)
    if found is None or not rest:
        return ""
    if rest[1:] == ["count"] and "[" in rest[0]:
        return str(len(_named(scenario, table, rest[0])))
    row = next((each for each in found if each.name == rest[0]), None)
    found = getattr(row, "_".join(rest[1:]), row)  # cpu.max of a cgroup is one name
    for name in rest[1:] if found is row else ():
        found = getattr(found, name, None)
    if isinstance(found, tuple) and all(isinstance(each, str) for each in found):
        return "[" + ", ".join(f'"{each}"' for each in found) + "]"
    return found if isinstance(found, str) else ""


def _contradictions(made: Sequence[Purchase], scenario: Scenario, current: Mapping[str, str]) -> Iterator[Problem]:
    """Pairs of purchases that change the same key."""
    own = [(purchase, set(concrete(purchase.key, scenario, current))) for purchase in made]
    for at, (first, keys) in enumerate(own):
        for second, others in own[at + 1 :]:
            if both := sorted(keys & others):
                what = f"contradicts `{first.key}`: both change {both[0]}"
                yield problem(what, key=f"buy {second.key}", remedy="leave one of them out")
