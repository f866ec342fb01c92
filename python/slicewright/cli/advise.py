"""`slicewright advise`: recommendations from reports or a scenario; a command per question, with its own options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from slicewright.cli.command import Panelled, parameter, sign, stored
from slicewright.values.settings import COMMANDS, Option

if TYPE_CHECKING:
    from slicewright.advise.question import Question

_FLAGS = ("--quiet", "-q", "--fresh", "--check", "--help", "-h")
_INFERRED = "files"
_FILES = (
    "Reports, rates, copies of cpu.stat, series of a cluster, monitor data (or DIR of read --out) or a scenario; - is "
    "standard input."
)


class _Questions(TyperGroup):
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
            app.command(name, cls=Panelled, help=_help(question), short_help=short)(
                _command(question, QUESTIONS.values())
            )
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
        found = self._command(_INFERRED).get_params(ctx)
        return [each for each in found if each.param_type_name == "option" or ctx.command is self]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Find the question wherever it is among the options; without one all are options of the group."""
        from slicewright.advise.questions import QUESTIONS

        at = _first_word(args)
        if at is None or args[at] not in QUESTIONS:
            return super(TyperGroup, self).parse_args(ctx, args)
        ctx._protected_args, ctx.args = [args[at]], [*args[:at], *args[at + 1 :]]
        return list(ctx.args)

    def invoke(self, ctx: Any) -> Any:
        """Answer the question that is named; else that of the files."""
        if not ctx._protected_args:
            return ctx.invoke(self._command(_INFERRED).callback, **ctx.params)
        (name,) = ctx._protected_args
        with self._command(name).make_context(name, ctx.args, parent=ctx) as inner:
            return inner.command.invoke(inner)


app = typer.Typer(name="advise", cls=_Questions, subcommand_metavar="", rich_markup_mode=None, add_completion=False)


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


def _first_word(words: Sequence[str]) -> int | None:
    """Where the first word is that is neither an option nor the value of one.

    >>> _first_word(["--at", "8", "-q", "aliases", "Y032180H.txt"]), _first_word(["--at", "8"])
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
            of_option = word not in _FLAGS and "=" not in word and (word.startswith("--") or word.endswith("o"))
    return None


def _split(words: list[str]) -> tuple[str | None, list[str]]:
    """The question, if the first word is one or cannot be a file, and the files.

    >>> _split(["aliases", "Y032180H.txt"]), _split(["Y032180H.txt"])
    (('aliases', ['Y032180H.txt']), (None, ['Y032180H.txt']))
    """
    from slicewright.advise.questions import QUESTIONS
    from slicewright.values.errors import nearest

    first = words[0] if words else ""
    if first in QUESTIONS or (not _exists(first) and nearest(first, QUESTIONS)):
        return first, words[1:]
    return None, words


def _help(question: Question[Any, Any] | None) -> str | None:
    """The help of a question's command."""
    if question is None:
        return None
    return f"{question.asks}\n\nFiles: {question.files}.\n\n\b\nExample:\n  slicewright {question.example}"


def _command(question: Question[Any, Any] | None, questions: Iterable[Question[Any, Any]]) -> Callable[..., int]:
    """A function whose arguments are the options of a question, from which the command line is made.

    Options of other questions are hidden arguments, so that the answer to one can say where it belongs.
    """

    def ask(
        files: list[str] | None = None, out: str | None = None, html: str | None = None, fresh: bool = False,
        predictions: str | None = None, **given: Any,
    ) -> int:  # fmt: skip
        from slicewright.advise.command import advise as answer
        from slicewright.advise.options import AdviceOptions

        name, named = (question.name, files or []) if question else _split(files or [])
        files_of = (("out", out), ("html", html), ("predictions", predictions))
        written = {name: Path(file) for name, file in files_of if file is not None}
        options = AdviceOptions.of(**given, **written)
        with stored(fresh):
            return answer(name, named, options=options)

    metavar = "FILE" if question else "[QUESTION] FILE"
    made = {"files": parameter(Option("files", metavar, _FILES, several=True, spelt=("",)))}
    for option in COMMANDS["advise"]:
        if option.name == "out":
            made |= {each.key: _typed(each, other is not question) for other in questions for each in other.options}
        made[option.key] = _typed(_of(option, question), _foreign(option, question))
    sign(ask, list(made.values()))
    return ask


def _of(option: Option, question: Question[Any, Any] | None) -> Option:
    """An option of every question as one of them has it."""
    help = question.help.get(option.name, option.help) if question else option.help
    return option.with_(help=help.format(alone=question.alone_is if question else "one scenario"))


def _foreign(option: Option, question: Question[Any, Any] | None) -> bool:
    """Whether a question refuses an option that others have."""
    if question is None:
        return False
    lacks = {
        "interval": question.day is None,
        **dict.fromkeys(("check", "then", "predictions"), question.second is None),
    }
    return lacks.get(option.name, False)


def _typed(option: Option, hidden: bool) -> inspect.Parameter:
    words = f"{option.help.removesuffix('.')}; may be repeated." if option.several else option.help
    return parameter(option.with_(help=words), hidden=hidden)


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # a name that no system allows
        return False
