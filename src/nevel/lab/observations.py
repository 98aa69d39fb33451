"""What every number of an observation means. The rules write them; here they have names, bounds and a sentence."""

from types import ModuleType
from typing import NamedTuple

from nevel.rules import extreme, misty, the_game, what_the_fog


class Part(NamedTuple):
    """Some numbers of an observation that belong together."""

    name: str
    length: int
    low: int
    high: int
    meaning: str


TO_ACT = (0, 1, "1 when this seat is waited for")

THE_GAME: dict[str, tuple[int, int, str]] = {
    "to_act": TO_ACT,
    "phase": (0, 2, "0 before anybody has started, 1 while cards are played, 2 when the game is over"),
    "tops": (1, 100, "the top card of each pile: up1, up2, down1, down2"),
    "hand": (0, 1, "1 for each card in the own hand, from 2 to 99"),
    "played": (0, 1, "1 for each card that lies on a pile, from 2 to 99"),
    "held": (0, 8, "how many cards each seat holds"),
    "left": (0, 98, "cards in the draw pile"),
    "played_this_turn": (0, 8, "cards played in this turn"),
    "need": (0, 3, "cards this turn needs"),
    "active": (0, 1, "1 for the seat whose turn it is"),
    "hints": (0, 4, "for each seat, what it says about each pile: 1 leave, 2 leave!, 3 small, 4 jump"),
    "start_hints": (0, 3, "for each seat, how much it wants to start"),
}
EXTREME = THE_GAME | {
    "command": (0, 7, "for each card from 2 to 99: stop, skull, three, silence, no-trick, one-pile, draw-one; 0 none"),
    "three": (0, 1, "1 when exactly three cards are commanded in this turn"),
    "skulls": (0, 1, "1 for each pile whose skull must still be covered in this turn"),
    "last": (0, 1, "1 for the pile of the last card of this turn"),
    "holds": (0, 1, "for each seat, 1 for each command it says it holds"),
}
WHAT_THE_FOG: dict[str, tuple[int, int, str]] = {
    "to_act": TO_ACT,
    "phase": (0, 1, "1 for one of: lifting, placing, swapping, revealing, predicting, discarding, over"),
    "round": (1, 4, "the number of the round"),
    "days": (
        0,
        6,
        "the weather on the four parts of each of seven days, as in the box: 1 rain to 6 sun",
    ),
    "symbols": (0, 2, "what is printed on each part: 1 swap, 2 reveal"),
    "tops": (0, 6, "the weather on top of each pile"),
    "pile_sizes": (0, 10, "tokens in each pile"),
    "supply": (0, 45, "tokens in the supply"),
    "lifted": (0, 6, "the weather that was lifted and must be placed"),
    "hand": (0, 8, "hidden cards of each weather in the own hand"),
    "open": (0, 8, "for each seat, open cards of each weather"),
    "held": (0, 8, "hidden cards of each seat"),
    "discards": (0, 48, "discarded cards of each weather"),
    "deck": (0, 48, "cards in the draw pile"),
    "predictions": (0, 7, "days each seat has predicted in this round"),
    "sheets": (-7, 11, "for each seat and each of the four rounds: predicted, claimed, points"),
    "own_choice": (0, 6, "the card this seat has chosen to reveal or discard"),
    "active": (0, 1, "1 for the seat whose turn it is"),
    "starter": (0, 1, "1 for the seat that began the round"),
}
MISTY: dict[str, tuple[int, int, str]] = {
    "to_act": TO_ACT,
    "phase": (0, 1, "1 for one of: picking, placing, activating, over"),
    "round": (1, 5, "the number of the round"),
    "deal": (0, 3, "how many times hands have been dealt in this round before"),
    "passes": (0, 5, "how often the present hands have been passed"),
    "held": (0, 6, "cards in every hand"),
    "hand": (0, 6, "cards of each of the 14 kinds in the own hand, in the order of the box"),
    "own_choice": (0, 14, "the card this seat has picked, 1 to 14"),
    "wins": (0, 2, "rounds each seat has won"),
    "windows": (0, 14, "for each seat, the card on each of the 7 x 7 spaces of the frame, row by row, as built"),
    "activated": (0, 1, "1 for each space of the own window whose card has moved"),
}
PARTS: dict[ModuleType, dict[str, tuple[int, int, str]]] = {
    what_the_fog: WHAT_THE_FOG,
    the_game: THE_GAME,
    extreme: EXTREME,
    misty: MISTY,
}


def parts_of(game: ModuleType) -> tuple[Part, ...]:
    """The parts of a game's observations, in order. Seats are counted from the observer's own, clockwise."""
    return tuple(Part(name, length, *PARTS[game][name]) for name, length in game.OBSERVATION)
