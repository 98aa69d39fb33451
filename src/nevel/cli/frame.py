"""What the command line says around our own words: how a command is used, and what was typed wrongly."""

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer._click import exceptions as typed_wrongly
from typer._click.core import Context
from typer._click.formatting import HelpFormatter
from typer.core import TyperGroup

from nevel.cli.common import asked_language, text
from nevel.languages import Language, mark

#: What the library writes in help, as it is written there.
HEADINGS = {"Arguments": mark("Arguments"), "Options": mark("Options"), "Commands": mark("Commands")}
#: The library's own options.
HELP = {
    "Show this message and exit.": mark("Show this help."),
    "Install completion for the current shell.": mark("Complete commands in this shell when Tab is pressed."),
    "Show completion for the current shell, to copy it or customize the installation.": mark(
        "Show the script that completes commands, to install it by hand."
    ),
}
#: Placeholders in the line that shows how a command is used.
PIECES = {"[OPTIONS]": mark("[OPTIONS]"), "COMMAND [ARGS]...": mark("COMMAND…")}
DEFAULT = re.compile(r"\[default: (.*)\]$", re.DOTALL)


class SpokenFormatter(HelpFormatter):
    """Help with headings, usage and defaults in the language asked for."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        for piece, message in PIECES.items():
            args = args.replace(piece, text(message))
        super().write_usage(prog, args, text(mark("Usage: ")) if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        super().write_heading(text(HEADINGS.get(heading, heading)))

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl([(name, say_option(help_text)) for name, help_text in rows], col_max, col_spacing)


def say_option(help_text: str) -> str:
    """The help of an option, whose words are ours but for these."""
    if help_text in HELP:
        return text(HELP[help_text])
    help_text = help_text.replace("[required]", text(mark("[required]")))
    return DEFAULT.sub(lambda found: asked_language().say(mark("[default: {value}]"), value=found[1]), help_text)


class SpokenUsageError(typed_wrongly.UsageError):
    """What was typed wrongly, in a language."""

    def __init__(self, problem: typed_wrongly.UsageError) -> None:
        super().__init__(explain(problem, asked_language()), problem.ctx)

    def show(self, file: Any = None) -> None:
        if self.ctx:
            typer.echo(self.ctx.get_usage(), file=file, err=True)
            message = mark("“{command}” explains it.")
            typer.echo(asked_language().say(message, command=f"{self.ctx.command_path} --help"), file=file, err=True)
            typer.echo(file=file, err=True)
        typer.echo(self.message, file=file, err=True)


@contextmanager
def in_words() -> Generator[None]:
    """Say what was typed wrongly in the language asked for."""
    try:
        yield
    except (SpokenUsageError, typed_wrongly.NoArgsIsHelpError):
        raise
    except typed_wrongly.UsageError as problem:
        raise SpokenUsageError(problem) from problem


class SpokenGroup(TyperGroup):
    """Commands that say in a language what was typed wrongly."""

    def make_context(self, *args: Any, **extra: Any) -> Context:
        with in_words():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Context) -> Any:
        with in_words():
            return super().invoke(ctx)


def explain(problem: typed_wrongly.UsageError, language: Language) -> str:
    """A sentence about what was typed wrongly; the library's own, where it is none of the usual mistakes."""
    quoted = re.findall(r"'(.*?)'", problem.message)
    match problem:
        case typed_wrongly.MissingParameter():
            name = problem.param.get_error_hint() if problem.param else ""
            return language.say(mark("{name} is missing."), name=name.strip("'"))
        case typed_wrongly.NoSuchOption():
            said = language.say(mark("There is no option {name}."), name=problem.option_name)
            if problem.possibilities:
                known = ", ".join(sorted(problem.possibilities))
                said += " " + language.say(mark("Did you mean {known}?"), known=known)
            return said
        case typed_wrongly.BadOptionUsage():
            takes_none = "does not take" in problem.message
            message = mark("{name} takes no value.") if takes_none else mark("{name} needs a value.")
            return language.say(message, name=problem.option_name)
        case typed_wrongly.BadParameter():
            name = problem.param.get_error_hint() if problem.param else ""
            return language.say(mark("The value of {name} isn't valid."), name=name.strip("'"))
        case _ if problem.message.startswith("No such command") and quoted:
            return language.say(mark("There is no command {name}."), name=quoted[0])
        case _ if problem.message.startswith("Missing command"):
            return language.say(mark("A command is missing."))
        case _ if found := re.match(r"Got unexpected extra argument.* \((.*)\)$", problem.message):
            return language.say(mark("This is too much: {extra}"), extra=found[1])
        case _:
            return problem.message
