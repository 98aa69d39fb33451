"""`nevel tournament`: players against each other as a file describes it."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from nevel.cli.common import (
    AsJson,
    Cores,
    LanguageOption,
    all_cores,
    choose_language,
    console,
    errors,
    notices,
    progress_bar,
    stop,
    text,
)
from nevel.cli.lab.ladder import pairing_table, rating_table
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.lab.tournaments.tournament import Tournament

#: What a process that was interrupted answers.
INTERRUPTED = 130


def tournament(
    file: Annotated[Path, typer.Argument(help=text(mark("A TOML file that says who plays what")))],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=text(mark("Where the results go; beside the file by default")))
    ] = None,
    cores: Cores = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help=text(mark("Play on the Ray cluster at this address")))
    ] = None,
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    from nevel.lab.tournaments.plan import Plan
    from nevel.lab.tournaments.report import repeatable
    from nevel.lab.tournaments.tournament import Tournament

    language = choose_language(language_code)
    folder = out or file.parent
    try:
        plan = Plan.read(file)
        played = Tournament(plan, notices(language))
        if plan.is_timed:
            errors.print(Text(language.say(repeatable(played)), style="yellow"))
        folder.mkdir(parents=True, exist_ok=True)
        play(played, folder / f"{file.stem}.results.jsonl", cores or all_cores(), cluster)
        written = write(played, folder / file.stem, language)
    except SpokenError as problem:
        stop(problem.sentence(language))
    except OSError as problem:
        stop(
            language.say(
                mark("{file} can't be written: {reason}"),
                file=problem.filename or folder,
                reason=language.explain(problem),
            )
        )
    except KeyboardInterrupt:
        errors.print(
            Text(
                language.say(
                    mark("Stopped early. Everything played so far is saved: run the same command to continue.")
                )
            )
        )
        raise typer.Exit(INTERRUPTED) from None
    show(played, language, as_json)
    files = language.say_list([path.name for path in written])
    errors.print(Text(language.say(mark("In {folder}: {files}."), folder=folder, files=files)))


def play(played: "Tournament", results: Path, cores: int, cluster: str | None) -> None:
    """Play what isn't played yet, with a bar that shows how far it is."""
    from nevel.lab.tournaments.results import Results

    with ExitStack() as stack:
        kept = stack.enter_context(Results(results, played.plan.fingerprint()))
        if cluster is None:
            runner = played.on_cores(cores)
        else:
            from nevel.lab.tournaments.cluster import Cluster

            runner = stack.enter_context(Cluster(cluster)).runner(played.plan)
        progress = stack.enter_context(progress_bar())
        tasks = [progress.add_task(ladder.matches.spec.title, total=None) for ladder in played.ladders]
        for step in played.run(runner, kept):
            progress.update(tasks[step.event], completed=step.done, total=step.total)


def write(played: "Tournament", stem: Path, language: Language) -> list[Path]:
    """All files of results; without pyarrow all but the Parquet table."""
    from nevel.lab.figures.parquet import NoParquetError
    from nevel.lab.tournaments.export import write_games, write_json
    from nevel.lab.tournaments.report import write_report

    ends = (".report.html", ".results.json", ".results.parquet")
    report, figures, games = (stem.with_name(stem.name + end) for end in ends)
    write_json(played, figures)
    report.write_text(write_report(played, language), "utf-8")
    try:
        write_games(played, games)
    except NoParquetError as problem:
        errors.print(Text(problem.sentence(language), style="yellow"))
        return [report, figures]
    return [report, figures, games]


def show(played: "Tournament", language: Language, as_json: bool) -> None:
    from nevel.lab.tournaments.export import figures

    if as_json:
        sys.stdout.write(json.dumps(figures(played), ensure_ascii=False) + "\n")
        return
    for ladder in played.ladders:
        console.print(rating_table(ladder.ratings(), ladder, language))
        console.print(pairing_table(ladder.pairings(), language))
