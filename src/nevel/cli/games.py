"""`nevel games` and `nevel rules`: what there is to play, and how."""

from rich.table import Table
from rich.text import Text

from nevel.cli.common import GameName, Tongue, console, stop, tongue
from nevel.languages import SpokenError, mark


def list_games(language: Tongue = None) -> None:
    from nevel.game.registry import all_games

    speech = tongue(language)
    table = Table()
    for heading in (mark("Name"), mark("Game"), mark("Players"), mark("Minutes"), mark("Variants")):
        table.add_column(speech.say(heading))
    for game in all_games().values():
        low, high = game.rules.SEATS
        variants = "\n".join(
            f"{option.name}={'|'.join(map(str, option.values))}: {speech.say(option.title)} ({option.clause})"
            for option in game.vocabulary.options
        )
        about = Text.assemble((game.title, "bold"), "\n", speech.say(game.pitch))
        table.add_row(game.name, about, f"{low}–{high}", str(game.minutes), variants)
    console.print(table)


def show_rules(game: GameName, language: Tongue = None) -> None:
    from nevel.game.registry import find

    speech = tongue(language)
    try:
        spec = find(game)
    except SpokenError as problem:
        stop(problem.sentence(speech))
    console.print(Text(spec.title, style="bold"))
    console.print(speech.say(spec.pitch) + "\n")
    table = Table.grid(padding=(0, 2))
    for clause in spec.rulebook.values():
        table.add_row(Text(clause.id, style="bold"), clause.sentence(speech))
    console.print(table)
