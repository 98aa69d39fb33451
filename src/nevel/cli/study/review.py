"""`nevel review`: what each player's choices cost, judged by what they could know."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from nevel.cli.common import AsJson, LanguageOption, choose_language, console, percent, stop, stoppable, text
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.game.event import Teller
    from nevel.game.game import Game
    from nevel.study.review import Account, Decision, Review
    from nevel.study.reviewing import Reviewing

#: Less than this share of a win is nothing to speak of.
NOTHING = 0.0005
STYLES = ("cyan", "magenta", "green", "yellow", "blue")


def review(
    file: Annotated[Path, typer.Argument(help=text(mark("A saved game, or the record of one played at a table")))],
    seat: Annotated[
        int | None, typer.Option(min=1, help=text(mark("Whose review, counted from 1; by default everyone's")))
    ] = None,
    playouts: Annotated[
        int | None, typer.Option(min=1, help=text(mark("How many games are simulated per position")))
    ] = None,
    is_all: Annotated[
        bool, typer.Option("--all", help=text(mark("Show every choice, not only the key moments")))
    ] = False,
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    from nevel.game import load
    from nevel.study.reviewing import PLAYOUTS, Reviewing

    language = choose_language(language_code)
    try:
        game = load(file.read_bytes())
        if seat is not None and seat > game.seats:
            raise SpokenError(mark("There is no player {number}; there are {seats}."), number=seat, seats=game.seats)
        if not game.log:
            raise SpokenError(mark("Nothing has been played yet: there is nothing to review."))
    except SpokenError as problem:
        stop(problem.sentence(language))
    except OSError as problem:
        stop(language.say(mark("{file} can't be read: {reason}"), file=file, reason=language.explain(problem)))
    found = look_back(Reviewing(game, playouts or PLAYOUTS), language)
    if found is None:
        stop(language.say(mark("Stopped: an unfinished review has no results.")))
    if as_json:
        import msgspec

        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return
    show(game, found, range(game.seats) if seat is None else (seat - 1,), is_all, language)


def look_back(reviewing: "Reviewing", language: Language) -> "Review | None":
    """Review a game with a progress bar; None when it was stopped."""
    from nevel.study.perspective import ReviewStoppedError

    try:
        return stoppable(reviewing.run, language.say(mark("Reviewing; Ctrl-C stops")))
    except ReviewStoppedError:
        return None


# ------------------------------------------------------------ on the screen


def show(game: "Game", found: "Review", seats: Sequence[int], is_all: bool, language: Language) -> None:
    from nevel.game.event import Teller
    from nevel.terminal.chart import draw_chances

    teller = Teller(language, game.names)
    console.print(summary(game, found, seats, teller))
    for seat in seats:
        account = found.accounts[seat]
        own = [decision for decision in found.decisions if decision.seat == seat]
        console.print()
        console.print(Text(teller.name(seat), style=f"bold {STYLES[seat]}"))
        console.print(Text(tell_luck(game, account, language)))
        console.print(draw_chances(account.chances, console.width - 8, STYLES[seat]))
        if account.key_moments:
            console.print(moments_table(game, found, seat, teller))
        if is_all and own:
            console.print(decisions_table(game, own, teller))


def summary(game: "Game", found: "Review", seats: Sequence[int], teller: "Teller") -> Table:
    """A row a player: how well they chose, and where the result came from."""
    language = teller.language
    table = Table(title=game.spec.title, title_justify="left", title_style="bold")
    table.add_column(language.say(mark("Player")))
    end = mark("Result") if game.is_over else mark("So far")
    for heading in (mark("Accuracy"), mark("Before the deal"), mark("Deal"), mark("Own choices"), mark("Others"), end):
        table.add_column(language.say(heading), justify="right")
    for seat in seats:
        account = found.accounts[seat]
        totals = account.totals
        table.add_row(
            Text(teller.name(seat)),
            "–" if account.accuracy is None else percent(account.accuracy / 100, language),
            percent(account.prior, language),
            *(signed(part, language) for part in (totals.deal, totals.you, totals.others)),
            percent(account.chances[-1], language),
        )
    return table


def signed(share: float, language: Language) -> str:
    """A change of a chance, with its sign."""
    return ("+" if share > 0 else "") + percent(share if abs(share) >= NOTHING else 0.0, language)


def tell_luck(game: "Game", account: "Account", language: Language) -> str:
    """The ledger in sentences."""
    totals = account.totals
    sentences = [
        language.say(mark("Before the deal the chance was {chance}."), chance=percent(account.prior, language)),
        tell_part(
            totals.deal,
            (mark("The deal gave {share}."), mark("The deal cost {share}."), mark("The deal changed nothing.")),
            language,
        ),
        language.say(mark("Own choices cost {share}."), share=percent(-totals.you, language))
        if totals.you <= -NOTHING
        else language.say(mark("Own choices cost nothing.")),
        tell_part(
            totals.others,
            (mark("The others gave {share}."), mark("The others cost {share}."), mark("The others changed nothing.")),
            language,
        ),
    ]
    end = mark("That makes {chance}: the result.") if game.is_over else mark("That makes {chance} so far.")
    return " ".join([*sentences, language.say(end, chance=percent(account.chances[-1], language))])


def tell_part(share: float, messages: tuple[str, str, str], language: Language) -> str:
    gave, cost, nothing = messages
    if abs(share) < NOTHING:
        return language.say(nothing)
    return language.say(gave if share > 0 else cost, share=percent(abs(share), language))


def moments_table(game: "Game", found: "Review", seat: int, teller: "Teller") -> Table:
    """What happened at the moments that mattered most."""
    language = teller.language
    table = Table(title=language.say(mark("Key moments")), title_justify="left", title_style="bold")
    for heading in (mark("Move"), mark("Player"), mark("Played"), mark("Best")):
        table.add_column(language.say(heading), justify="right" if heading == "Move" else "left")
    for heading in (mark("Cost"), mark("Chance before"), mark("Chance after")):
        table.add_column(language.say(heading), justify="right")
    account = found.accounts[seat]
    decisions = {decision.at: decision for decision in found.decisions if decision.seat == seat}
    for moment in account.key_moments:
        entry = game.log[moment]
        decision = decisions.get(moment)
        table.add_row(
            str(moment + 1),
            Text(teller.name(entry.seat)),
            Text(game.vocabulary.describe(entry.move, teller)),
            Text(described(game, decision.best.move, teller) if decision and decision.cost else ""),
            percent(decision.cost, language) if decision and decision.cost else "",
            percent(account.chances[moment], language),
            percent(account.chances[moment + 1], language),
        )
    return table


def decisions_table(game: "Game", decisions: "list[Decision]", teller: "Teller") -> Table:
    """Every choice of one player."""
    language = teller.language
    table = Table(title=language.say(mark("Every choice")), title_justify="left", title_style="bold")
    for heading in (mark("Move"), mark("Played"), mark("Best")):
        table.add_column(language.say(heading), justify="right" if heading == "Move" else "left")
    for heading in (mark("Chance to win"), mark("Standard error"), mark("Cost")):
        table.add_column(language.say(heading), justify="right")
    for decision in decisions:
        is_best = decision.best.move == decision.move
        table.add_row(
            str(decision.at + 1),
            Text(described(game, decision.move, teller)),
            Text("" if is_best else described(game, decision.best.move, teller)),
            percent(decision.chosen.chance, language),
            percent(decision.chosen.error, language),
            percent(decision.cost, language) if decision.cost else "",
        )
    return table


def described(game: "Game", move: str, teller: "Teller") -> str:
    words = game.vocabulary
    return words.describe(words.moves.parse(move), teller)
