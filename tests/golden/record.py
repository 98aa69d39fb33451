"""Recorded games, readable as prose: one a game and language. `make golden` writes them anew."""

from pathlib import Path

import nevel
from nevel.bots.bot import Bot
from nevel.game.event import Event
from nevel.languages import LANGUAGES
from tests.own_games import OWN_GAMES

FOLDER = Path(__file__).parent
NAMES = ["Anna", "Bram", "Chloé"]
SEEDS = {"what-the-fog": 2, "the-game": 1, "extreme": 3, "misty": 4}


def playthrough(game: str, code: str) -> str:
    """A whole game between simple bots, told to a spectator."""
    played = nevel.new(game, seats=len(NAMES), seed=SEEDS[game], names=NAMES)
    bots = [Bot("simple", seat) for seat in range(len(NAMES))]
    language = nevel.language(code)
    teller = nevel.Teller(language, NAMES)
    moves = played.vocabulary.moves
    lines = [f"{played.spec.title} · {language.say(played.spec.pitch)}", ""]
    lines += tell(played.opening, teller)
    while not played.is_over:
        for seat in played.waiting_for:
            number = bots[seat].move(played.knowledge(seat))
            if number is not None:
                played.play(seat, moves[number])
                lines += ["", f"{len(played.log)}. {NAMES[seat]} – {moves.text(moves[number], language)}"]
                lines += tell(played.log[-1].events, teller)
                break
    assert played.outcome is not None
    lines += ["", played.vocabulary.tell_outcome(played.outcome, teller)]
    return "\n".join(lines) + "\n"


def tell(events: tuple[tuple[int, Event], ...], teller: nevel.Teller) -> list[str]:
    return [f"   {event.tell(teller)}" for audience, event in events if audience < 0]


def file_of(game: str, code: str) -> Path:
    return FOLDER / f"{game}.{code}.txt"


if __name__ == "__main__":
    for name in OWN_GAMES:
        for code in LANGUAGES:
            file_of(name, code).write_text(playthrough(name, code), "utf-8")
