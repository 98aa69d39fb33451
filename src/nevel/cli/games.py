"""`nevel games` and `nevel rules`: what there is to play, and how."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from nevel.cli.common import GameName, LanguageOption, choose_language, console, stop
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:  # the command line starts quickly
    from nevel.game.boxes.sheet import BoxField, BoxSheet
    from nevel.game.spec import GameSpec


def list_games(language_code: LanguageOption = None) -> None:
    from nevel.game.registry import all_games

    language = choose_language(language_code)
    table = Table()
    for heading in (mark("Name"), mark("Game"), mark("Players"), mark("Minutes"), mark("Variants")):
        table.add_column(language.say(heading))
    for game in all_games().values():
        low, high = game.rules.SEATS
        variants = "\n".join(
            f"{option.name}={'|'.join(map(str, option.values))}: {language.say(option.title)} ({option.clause})"
            for option in game.vocabulary.options
        )
        about = Text.assemble((game.title, "bold"), "\n", language.say(game.pitch))
        table.add_row(game.name, about, f"{low}–{high}", str(game.minutes), variants)
    console.print(table)


def show_rules(game: GameName, language_code: LanguageOption = None) -> None:
    from nevel.game.registry import find

    language = choose_language(language_code)
    try:
        spec = find(game)
    except SpokenError as problem:
        stop(problem.sentence(language))
    console.print(Text(spec.title, style="bold"))
    console.print(language.say(spec.pitch) + "\n")
    table = Table.grid(padding=(0, 2))
    for clause in spec.rulebook.values():
        table.add_row(Text(clause.id, style="bold"), clause.sentence(language))
    console.print(table)
    show_box(spec, language)


def show_box(spec: "GameSpec", language: Language) -> None:
    """What is in the box, number by number, and which of it is reconstructed."""
    from nevel.game.boxes.sheet import sheet_of

    sheet = sheet_of(spec)
    for section in sheet.sections:
        title = Text.assemble(f"\n{language.say(section.title)} ({section.clause})", style="bold")
        if section.is_reconstructed:
            title.append(f"  {language.say(mark('reconstructed'))}", style="yellow")
        console.print(title)
        console.print(language.say(section.source))
        table = Table(box=None, padding=(0, 2, 0, 0))
        table.add_column()
        for column in section.columns:
            table.add_column(column.say(language))
        for row in section.rows:
            table.add_row(row.title(language), *(say_fact(sheet, field, language) for field in row.fields))
        console.print(table)
    if any(section.is_reconstructed for section in sheet.sections):
        console.print("\n" + language.say(mark("Where your box differs, correct a copy of our file: --box FILE.")))


def say_fact(sheet: "BoxSheet", field: "BoxField | None", language: Language) -> str:
    """What our box says of one fact; a dash where it says nothing."""
    value = sheet.value(sheet.ours, field) if field else ""
    return language.say(dict(field.choices)[str(value)]) if field and field.choices and value else str(value) or "–"
