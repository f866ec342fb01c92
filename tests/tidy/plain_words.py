"""Patterns of English that readers stumble over, and the texts of this tree in which they are counted.

`python -m tests.tidy.plain_words [PATH...]` prints the count of each pattern for each part of the tree, or every place
in the files below the paths.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.tidy.outline import outline
from tests.tidy.tree import Source, tree

MOST_WORDS = 25

_PEOPLE = (
    *("administrators", "analyst", "analysts", "anyone", "author", "authors", "customers", "developers", "engineer"),
    *(
        "engineers",
        "everyone",
        "operator",
        "operators",
        "people",
        "person",
        "programmer",
        "reader",
        "readers",
        "someone",
    ),
    *("students", "teacher", "teachers", "tellers", "user", "users"),
)
# Python's look-behinds have a fixed width: one for each noun.
_NOT_PEOPLE = "".join(f"(?<!{person} )" for person in _PEOPLE)

PATTERNS: dict[str, tuple[str, str]] = {
    "he": (r"\b(?:he|him|his|himself)\b", "name the task, processor or program"),
    "who": (rf"{_NOT_PEOPLE}\b(?:who|whom|whoever|whomever)\b", "name the task, processor or program"),
    "nobody": (r"\b(?:nobody|somebody|anybody|everybody)(?:'s)?\b", "name what it is: no task, a guest, anyone"),
    "so many": (r"\bso (?:many|much)\b(?! (?:faster|slower|more|less|as|that)\b)", "name the number"),
    "is looked for": (r"\b(?:is|are|was|were|be|been) looked for\b", "name who searches, and for what"),
    "comes of": (r"\b(?:come|comes|came|coming) of\b", "results from, is caused by"),
    "makes of": (r"\b(?:make|makes) of\b", "derives, computes"),
    "says of": (r"\b(?:say|says|said) of\b", "reports, describes"),
    "left out": (r"\b(?:leave|leaves|leaving|left) out\b", "omits; not modelled"),
    "told": (r"\btold\b|\btells\b", "reports, shows, names"),
    "stands": (r"\b(?:stands|stood)\b(?! for\b)", "is, waits, is listed"),
    "comes to": (r"\b(?:comes|came) to\b", "is, reaches, adds up to"),
    "metaphor": (
        r"\b(?:desks?|wish|wishes|wished|laborator(?:y|ies)|takings)\b|"
        r"\b(?:a|each|every|one|the|this) taking\b(?! of\b)",
        "use the field's noun: experiment, request, acquisition",
    ),
    "no number": (r"\bis (?:no|nothing) (?:number|that)\b", "say what it is, and what is allowed"),
}
OPENING = "what opens"
LONG = "long"
VARIABLE = "variable"
NAMES = (*PATTERNS, OPENING, LONG, VARIABLE)

VARIABLES = {"one", "found", "told", "wish", "wishes", "desk", "book", "own", "made", "said"}
"""Names that no loop variable has: they do not say what thing it is."""

_OPENS = re.compile(r"^(?:What|Whatever|Who|Whoever|Whom|Nobody|Somebody|Nothing)\b(?![^.]*\?)")
_SOUGHT = {name: re.compile(pattern, re.IGNORECASE) for name, (pattern, _) in PATTERNS.items()}
_ENDS = re.compile(r"(?<=[.?!:])[)\"'*_]*\s+(?=[\"'(*_`\[{]*[A-Z0-9`<])|: |\n")
_TABLE = re.compile(r"\S {3,}\S")  # columns of printed output that a test expects
_RUST = re.compile(
    r"""(?P<comment>//[/!]?(?P<said>[^\n]*))|(?P<raw>r(?P<hash>\#*)".*?"(?P=hash))|(?P<text>"(?:\\.|[^"\\])*")|'(?:\\.|[^'\\])'"""
    r"|(?P<block>/\*.*?\*/)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Text:
    """A paragraph, comment, docstring or string that a person reads, and the line on which it begins."""

    line: int
    words: str
    prose: bool = True


@dataclass(frozen=True)
class Place:
    """Where a text has a pattern."""

    path: str
    line: int
    pattern: str
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.pattern}: {self.words}"


def markdown(text: str) -> Iterator[Text]:
    """The paragraphs, cells of tables and items of lists of a page, without code, pictures and addresses."""
    fence = ""
    held: list[str] = []
    began = 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        kept = bool(fence) and "{" in fence and "glossary" in fence
        if mark:
            fence = "" if fence else line
        diagram = not held and re.match(r" {4}", line)
        item = re.match(r"\s*(?:[-*+]|\d+\.) |#|>|\|", line)
        if (fence and not kept) or mark or not line.strip() or diagram or item:
            if held:
                yield Text(began, " ".join(held))
            held = []
        term = kept and not line.startswith(" ")
        if (fence and not kept) or mark or not line.strip() or diagram or term:
            continue
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            yield from (Text(number, cell.strip()) for cell in cells if cell.strip(" -:"))
            continue
        began = began if held else number
        held.append(re.sub(r"^\s*(?:[-*+]|\d+\.|#+|>) ", "", line).strip())


def rust(text: str) -> Iterator[Text]:
    """Runs of comments, and string literals of several words."""
    held: list[str] = []
    began = last = 0
    for match in _RUST.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["comment"] and match["said"].strip() and line == last + 1 and held:
            held.append(match["said"].strip())
            last = line
            continue
        if held:
            yield from _paragraphs(began, held)
            held = []
        if match["comment"] and match["said"].strip():
            held, began, last = [match["said"].strip()], line, line
        elif match["text"] and match["text"].count(" ") > 2:
            yield Text(line, re.sub(r"\\\n\s*|\\n", " ", match["text"][1:-1]), prose=False)
    yield from _paragraphs(began, held)


def _paragraphs(line: int, lines: list[str]) -> Iterator[Text]:
    """A run of comments as Markdown has it: tables and diagrams are none of its sentences."""
    if lines:
        yield from (Text(line + text.line - 1, text.words) for text in markdown("\n".join(lines)))


def python(file: Source) -> Iterator[Text]:
    """Docstrings, comments, and strings of several words."""
    for words in outline(file).words:
        if words.alone:
            body = re.sub(r"^ *(?:>>>|\.\.\.) .*$", "", words.text.split("\b\n")[0], flags=re.MULTILINE)
            lines = [re.sub(r"^ {1,4}", "", line) for line in body.splitlines()]
            yield from (Text(words.line + text.line - 1, text.words) for text in markdown("\n".join(lines)))
        elif words.text.count(" ") > 2:
            lines = [line for line in words.text.splitlines() if not _TABLE.search(line)]
            yield Text(words.line, "\n".join(lines), prose=False)
    held: list[str] = []
    began = last = 0
    for token in tokenize.generate_tokens(io.StringIO(file.text).readline):
        if token.type == tokenize.COMMENT:
            if held and token.start[0] != last + 1:
                yield Text(began, " ".join(held))
                held = []
            began = began if held else token.start[0]
            last = token.start[0]
            held.append(token.string.lstrip("# "))
    if held:
        yield Text(began, " ".join(held))


READERS: dict[str, Callable[[Source], Iterator[Text]]] = {
    ".md": lambda file: markdown(file.text),
    ".rs": lambda file: rust(file.text),
    ".py": python,
}


def bare(words: str) -> str:
    """A text without its code, addresses and markup: each piece of code is one word, a list of them too."""
    words = re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", "", words)
    words = re.sub(r"(?<!`)\{\w+\}`([^`<]+?)(?:\s*<[^>]+>)?`", r"\1", words)
    words = re.sub(r"(?<!\w)[\"“][^\"“”]+[\"”](?!\w)", "`x`", words)  # quotations are others' words
    words = re.sub(r"``?[^`]+``?", "`x`", words)
    words = re.sub(r"`x`(?:(?:,| and| or| to|,) `x`)+", "`x`", words)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)


def sentences(words: str) -> list[str]:
    """The sentences of a text."""
    return [
        sentence for sentence in _ENDS.split(re.sub(r"(?<=\b[a-z]\.[a-z]\.) |(?<=\bNo\.) ", "_", words)) if sentence
    ]


CHECKSUMMED = (
    "an I/O interrupt may pre-empt who has had more of its share (PR/SM Planning Guide)",
    "assumed: the test idle time of z/VM, after which who waits leaves the dispatch list",
    "assumed: whoever is free takes the first in order of priority, from anywhere",
    "assumed: z/VM sets it by the speed of the processor unless told otherwise",
    "GRS/MIM Installation Exit Performance: in row 2 it cannot be told from the state that is kept",
    "in row 1 it cannot be told from the service itself",
    "only a minidisk cache tells reads from writes",
    "PR/SM is told nothing; z/VM from 5.3 on tells it (x9c) on a z9",
    "spin locks of Linux were compare-and-swap loops then: nobody queues",
    "there is one of it, and whoever needs it takes any unit",
    "whoever comes finds its storage in the caches as it left it",
    "with what nobody wrote marked as such",
    "without a multi-image manager nobody needs exits",
)
"""Words of every resolved scenario: its checksum covers them, and kept calibrations and golden digests have it."""


def places(file: Source) -> Iterator[Place]:
    """Every place of a file that has a pattern."""
    path = str(file.path)
    if path.startswith(("crates/scenario/src/", "docs/reference/scenario-")):
        for kept in CHECKSUMMED:
            file = replace(file, text=file.text.replace(kept, ""))
    for text in READERS[file.path.suffix](file):
        words = bare(text.words)
        for name, sought in _SOUGHT.items():
            for match in sought.finditer(words):
                around = words[max(match.start() - 40, 0) : match.end() + 30].replace("\n", " ")
                yield Place(path, text.line, name, around)
        if not text.prose:
            continue
        for sentence in sentences(words):
            if _OPENS.match(sentence.strip("*_\"'(")) and re.search(r"[.;:,]", sentence):
                yield Place(path, text.line, OPENING, sentence[:70])
            if (length := len(re.findall(r"[^\s\-=+/*|]*\w\S*", sentence))) > MOST_WORDS:
                yield Place(path, text.line, LONG, f"({length}) {sentence[:90]}")
    if file.path.suffix == ".py":
        for name, line in outline(file).variables:
            if name in VARIABLES:
                yield Place(path, line, VARIABLE, f"for {name}")


def part(file: Source) -> str:
    """The part of the tree that a file is counted with: its folder, two deep."""
    parents = file.path.parent.parts
    if parents[:2] == ("python", "slicewright"):
        return "/".join(parents[:3])
    return "/".join(parents[:2]) or f"./{file.path.name}"


def main(paths: list[str]) -> None:
    """Print the table of counts, or the places below the paths."""
    files = [file for file in tree() if file.path.suffix in READERS]
    if paths:
        for file in files:
            if any(file.path.is_relative_to(path) for path in paths):
                print(*places(file), sep="\n", end="\n" * any(True for _ in places(file)))
        return
    counts: dict[str, Counter[str]] = {}
    for file in files:
        counts.setdefault(part(file), Counter()).update(place.pattern for place in places(file))
    print("| part |", " | ".join(NAMES), "| all |")
    print("|---|" + "--:|" * (len(NAMES) + 1))
    for name, count in sorted(counts.items()):
        if count.total():
            print(f"| {name} |", " | ".join(str(count[pattern] or "") for pattern in NAMES), f"| {count.total()} |")


if __name__ == "__main__":
    main(sys.argv[1:])
