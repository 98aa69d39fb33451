"""Draw the pictures of the README: tables as they look in a terminal. `make picture` writes them anew."""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

import nevel
from nevel.bots.bot import Bot
from nevel.terminal.drawing import draw

FOLDER = Path(__file__).parent
NAMES = ["Anna", "Bram", "Chloé", "Daan"]
#: Which moment of which game: the game, the seats, the seed, and after how many moves somebody in seat 0 is asked.
MOMENTS = [("what-the-fog", 4, 6, 60), ("extreme", 3, 5, 30), ("misty", 3, 4, 30)]


def moment(name: str, seats: int, seed: int, moves: int) -> nevel.Game:
    """A game some way in, where seat 0 has to answer."""
    game = nevel.new(name, seats=seats, seed=seed, names=NAMES[:seats])
    bots = [Bot("simple", seat) for seat in range(seats)]
    while not game.is_over and (len(game.log) < moves or 0 not in game.waiting_for):
        for seat in game.waiting_for:
            number = bots[seat].move(game.knowledge(seat))
            if number is not None:
                game.play(seat, game.vocabulary.moves[number])
                break
    return game


def picture(game: nevel.Game, width: int) -> str:
    """The table of seat 0 as a drawing of a terminal."""
    teller = nevel.Teller(nevel.language("en"), game.names)
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for event in game.story(0)[-5:]:
        console.print(Text(f"  {event.tell(teller)}", style="dim"))
    console.print(Rule(game.spec.title, style="dim"))
    console.print(draw(game.view(0), teller))
    prompt = game.prompt(0)
    if prompt:
        console.print(Text(f"\n{teller.name(0)}: {prompt.sentence(teller)}", style="bold"))
    drawn = console.export_svg(title=f"nevel play {game.name}")
    # Rich asks the reader's browser to fetch a font; the one that is there will do.
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


if __name__ == "__main__":
    for name, seats, seed, moves in MOMENTS:
        (FOLDER / f"{name}.svg").write_text(picture(moment(name, seats, seed, moves), width=118), "utf-8")
