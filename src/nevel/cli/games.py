"""`nevel games` and `nevel rules`: what there is to play, and how."""

from rich.table import Table
from rich.text import Text

from nevel.cli.common import GameName, LanguageOption, choose_language, console, stop
from nevel.languages import SpokenError, mark


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
