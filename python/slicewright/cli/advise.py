"""`slicewright advise`: recommendations from reports or a scenario; a command per question, with its own options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from slicewright.cli.options import Format, Fresh, Quiet, stored

if TYPE_CHECKING:
    from slicewright.advise.question import Question

SHARED = {
    "at": ("VALUE", "Number or setting to show as well."),
    "growth": ("P%", "Growth of the load: 20%, or 1.2x."),
    "target": ("CONDITION", "Recommend the smallest value that meets this condition: 'response_ms <= 2'."),
    "assume": ("KEY=VALUE", "Fact that the files do not contain."),
}
"""Options of every question: their values, and their help without a named question."""
REPEATED = ("at", "assume")
FLAGS = ("--quiet", "-q", "--fresh", "--help", "-h")
OUT = "Directory for scenarios, advice.json and report.html; a .toml file for"
INTERVAL = "Intervals of monitor data to look at, from 0: 40..55 [default: all]."
INFERRED = "files"
FILES = (
    "Reports, rates, copies of cpu.stat, series of a cluster, monitor data (or DIR of read --out) or a scenario; - is "
    "standard input."
)


class Questions(TyperGroup):
    """The command: that of the question that is named, else that of the question that the files ask."""

    allow_interspersed_args = True

    def __init__(self, **settings: Any) -> None:
        """The group as typer makes it; the commands are made when they are needed."""
        super().__init__(**settings)
        self._made: dict[str, Any] = {}

    def _command(self, name: str) -> Any:
        """The command of a question, or the one that infers it. Each takes a hundredth of a second to make."""
        if name not in self._made:
            from slicewright.advise.questions import QUESTIONS

            question = QUESTIONS.get(name)
            app = typer.Typer(rich_markup_mode=None, add_completion=False)
            short = question.asks if question else None
            app.command(name, help=_help(question), short_help=short)(_command(question, QUESTIONS.values()))
            self._made[name] = typer.main.get_command(app)
        return self._made[name]

    @property
    def commands(self) -> Any:
        """The command of each question."""
        from slicewright.advise.questions import QUESTIONS

        return {name: self._command(name) for name in QUESTIONS}

    @commands.setter
    def commands(self, value: Any) -> None:
        """Nothing: the questions are the commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options that every question takes, and the files unless a question has them."""
        found = self._command(INFERRED).get_params(ctx)
        return [each for each in found if each.param_type_name == "option" or ctx.command is self]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Find the question wherever it is among the options; without one all are options of the group."""
        from slicewright.advise.questions import QUESTIONS

        at = first_word(args)
        if at is None or args[at] not in QUESTIONS:
            return super(TyperGroup, self).parse_args(ctx, args)
        ctx._protected_args, ctx.args = [args[at]], [*args[:at], *args[at + 1 :]]
        return list(ctx.args)

    def invoke(self, ctx: Any) -> Any:
        """Answer the question that is named; else that of the files."""
        if not ctx._protected_args:
            return ctx.invoke(self._command(INFERRED).callback, **ctx.params)
        (name,) = ctx._protected_args
        with self._command(name).make_context(name, ctx.args, parent=ctx) as inner:
            return inner.command.invoke(inner)


app = typer.Typer(name="advise", cls=Questions, subcommand_metavar="", rich_markup_mode=None, add_completion=False)


@app.callback()
def advise() -> None:
    """Recommend from reports or a scenario. Without a question, that which the files can answer.

    Each question has options of its own: slicewright advise QUESTION --help.

    \b
    Example:
      slicewright advise Y032180H.txt --at 13 --target 'response_ms <= 2'
      slicewright advise two-domains.toml --at '20 ms' --out advice
      slicewright advise zvm.toml --at 'CPUPAD 300 %' --at 6
      slicewright advise aliases runs/monday --interval 40..55
    """


def first_word(words: Sequence[str]) -> int | None:
    """Where the first word is that is neither an option nor the value of one.

    >>> first_word(["--at", "8", "-q", "aliases", "Y032180H.txt"]), first_word(["--at", "8"])
    (3, None)
    """
    of_option = False
    for at, word in enumerate(words):
        if of_option:
            of_option = False
        elif word == "--":
            return at + 1 if at + 1 < len(words) else None
        elif not word.startswith("-") or word == "-":
            return at
        else:
            of_option = word not in FLAGS and "=" not in word and (word.startswith("--") or word.endswith("o"))
    return None


def split(words: list[str]) -> tuple[str | None, list[str]]:
    """The question, if the first word is one or cannot be a file, and the files.

    >>> split(["aliases", "Y032180H.txt"]), split(["Y032180H.txt"])
    (('aliases', ['Y032180H.txt']), (None, ['Y032180H.txt']))
    """
    from slicewright.advise.questions import QUESTIONS
    from slicewright.errors import nearest

    first = words[0] if words else ""
    if first in QUESTIONS or (not _exists(first) and nearest(first, QUESTIONS)):
        return first, words[1:]
    return None, words


def _help(question: Question[Any, Any] | None) -> str | None:
    """The help of a question's command."""
    if question is None:
        return None
    return f"{question.asks}\n\nFiles: {question.files}.\n\n\b\nExample:\n  slicewright {question.example}"


def _command(question: Question[Any, Any] | None, questions: Any) -> Callable[..., int]:
    """A function whose arguments are the options of a question, from which the command line is made.

    Options of other questions are hidden arguments, so that the answer to one can say where it belongs.
    """

    def ask(
        files: list[str] | None = None, out: str | None = None, html: str | None = None, fresh: bool = False,
        **given: Any,
    ) -> int:  # fmt: skip
        from slicewright.advise.command import advise as answer
        from slicewright.advise.options import AdviceOptions

        name, named = (question.name, files or []) if question else split(files or [])
        written = {name: Path(file) for name, file in (("out", out), ("html", html)) if file is not None}
        options = AdviceOptions.of(**given, **written)
        with stored(fresh):
            return answer(name, named, options=options)

    words: Mapping[str, str] = question.help if question else {name: what for name, (_, what) in SHARED.items()}
    metavar = "FILE" if question else "[QUESTION] FILE"
    made = {"files": _given(typer.Argument(metavar=metavar, help=FILES), several=True)}
    for name, (metavar, _) in SHARED.items():
        made[name] = _option(name, metavar, words[name], name in REPEATED)
    for other in questions:
        for each in other.options:
            made[each.key] = _option(each.name, each.metavar, each.help, each.several, hidden=other is not question)
    alone = question.alone_is if question else "one scenario"
    made["out"] = _given(typer.Option("--out", "-o", metavar="DIR", help=f"{OUT} {alone} alone."))
    made["html"] = _given(typer.Option("--html", metavar="FILE", help="File for the report as one HTML page."))
    without = question is not None and question.day is None
    made["interval"] = _given(typer.Option("--interval", metavar="N[..M]", help=INTERVAL, hidden=without))
    made["fresh"] = inspect.Parameter("fresh", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Fresh)
    made["quiet"] = inspect.Parameter("quiet", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Quiet)
    made["format"] = inspect.Parameter("format", inspect.Parameter.KEYWORD_ONLY, default="text", annotation=Format)
    named = [each.replace(name=name) for name, each in made.items()]
    ask.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    ask.__annotations__ = {each.name: each.annotation for each in named}
    return ask


def _option(name: str, metavar: str, what: str, several: bool, hidden: bool = False) -> inspect.Parameter:
    words = f"{what.removesuffix('.')}; may be repeated." if several else what
    return _given(typer.Option(f"--{name}", metavar=metavar, help=words, hidden=hidden), several)


def _given(option: Any, several: bool = False) -> inspect.Parameter:
    kind: Any = list[str] | None if several else str | None
    return inspect.Parameter("given", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option])


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # a name that no system allows
        return False
