"""The command line `nevel …`: one module per command; `common` has what they share."""

import typer
from typer.core import TyperGroup

from nevel.cli import check_game, games, play, verify
from nevel.cli.common import text
from nevel.cli.frame import SpokenFormatter, SpokenGroup
from nevel.cli.lab import data, ladder, simulate, tournament
from nevel.cli.server import backup, load, serve
from nevel.cli.study import forecasts, puzzle, review, think
from nevel.languages import mark

TyperGroup.context_class.formatter_class = SpokenFormatter

app = typer.Typer(
    cls=SpokenGroup,
    help=text(mark("Tabletop games in which nobody sees everything.")),
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=True,
)
app.command("games", help=text(mark("The games, their players and their variants.")))(games.list_games)
app.command("rules", help=text(mark("The rules of a game, clause by clause.")))(games.show_rules)
app.command("play", help=text(mark("Play in this terminal, with bots in the other chairs.")))(play.play)
app.command("puzzle", help=text(mark("A puzzle: a position with a best move. Today's, or any other.")))(puzzle.puzzle)
app.command("think", help=text(mark("A bot's evaluation of every move in a saved game.")))(think.think)
app.command("forecasts", help=text(mark("How good predictions were, in games in which people predict")))(
    forecasts.forecasts
)
app.command("review", help=text(mark("The review of a game: choices, luck and key moments of every player.")))(
    review.review
)
app.command("simulate", help=text(mark("Many games at once between bots, on all cores.")))(simulate.simulate)
app.command("ladder", help=text(mark("How strong the levels are: each against each on the same deals.")))(ladder.ladder)
app.command("tournament", help=text(mark("A tournament described in a file, with a report.")))(tournament.tournament)
app.add_typer(data.app, name="data", help=text(mark("Games as data, in Parquet files.")))
app.command("verify", help=text(mark("Check that a game at a table was dealt fairly, by dealing it again.")))(
    verify.verify
)
app.command("backup", help=text(mark("Everything a server has stored, in one file.")))(backup.backup)
app.command("restore", help=text(mark("Fill an empty database from a backup.")))(backup.restore)
app.command("serve", help=text(mark("A server: tables for everyone who can reach this machine.")))(serve.serve)
app.command("load", help=text(mark("How much a server can take: many tables at once, with real sockets.")))(load.load)
app.command("check-game", help=text(mark("Check that a game does everything a game has to do.")))(check_game.check_game)
