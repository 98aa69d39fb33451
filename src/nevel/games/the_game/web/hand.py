"""A hand of The Game on the page: the cards and where they may be played, and what can be done besides."""

from collections.abc import Mapping

from nevel.game.event import Teller
from nevel.games.the_game.events import COMMAND_NAMES, START_HINT_WORDS, say_command
from nevel.games.the_game.words import TheGameView
from nevel.languages import mark
from nevel.web.rendering.board import Look
from nevel.web.rendering.fragment import Fragment, Inner, Parts, Text, Values, made_once

TRICK = 10


def draw_hand(look: Look, board: TheGameView, commands: Mapping[int, str]) -> tuple[Fragment, ...]:
    """The viewer's cards, and what can be done besides playing them."""
    moves = tuple(look.prompt.moves) if look.prompt else ()
    tops = tuple([(pile.name, pile.is_rising, pile.top) for pile in board.piles]) if moves else ()
    cards = tuple([(card, commands.get(card)) for card in board.hand or ()])
    return (
        HandOfCards(look.suffix, cards, tops, moves, tuple(look.doomed.items())),
        Doom(look.suffix),
        draw_turn(look, board),
    )


def say_whole_command(name: str, teller: Teller) -> Values:
    """A command with its sign, its name and what it says."""
    return {"icon": f"command-{name}", "name": teller.say(COMMAND_NAMES[name]), "says": say_command(name, teller)}


@made_once
def about(subject: str, hints: tuple[str, ...]) -> tuple[str, ...]:
    """What may be said about a pile, about who starts, or about what one holds."""
    start = f"hint {subject} "
    return tuple([hint for hint in hints if hint.startswith(start)])


class HeldCard(Fragment, frozen=True):
    """A card of the hand. `targets` are the piles it may go on and how far each is; `dooms` why that can only lose."""

    template = "the-game/card.html"
    card: int
    command: str | None
    is_idle: bool
    has_trick: bool
    targets: Text
    dooms: Text

    @property
    def id(self) -> str:
        return f"card-{self.card}"

    def fill(self, teller: Teller) -> Values:
        said = say_whole_command(self.command, teller) if self.command else None
        return super().fill(teller) | {"command": said, "label": f"{self.card}, {said['name']}" if said else self.card}


NO_TEXT = Text("")


@made_once
def resting(card: int, command: str | None) -> HeldCard:
    """A card while its holder isn't asked."""
    return HeldCard(card, command, False, False, NO_TEXT, NO_TEXT)


class HandOfCards(Fragment, frozen=True):
    """The viewer's cards; with what may be played where, if they are asked."""

    template = "the-game/hand.html"
    suffix: str
    #: Each card, and its command.
    cards: Inner[tuple[tuple[int, str | None], ...]]
    #: The piles: their names, whether they rise, and their cards on top.
    tops: Inner[tuple[tuple[str, bool, int], ...]]
    moves: Inner[tuple[str, ...]]
    #: Moves that can only lose, each with a sentence why.
    doomed: Inner[tuple[tuple[str, str], ...]]

    @property
    def id(self) -> str:
        return f"hand{self.suffix}"

    def parts(self) -> Parts:
        if not any(move.startswith("play ") for move in self.moves):
            return {"cards": tuple([resting(*card) for card in self.cards])}
        moves, doomed = frozenset(self.moves), dict(self.doomed)
        return {"cards": tuple([self.playable(*card, moves, doomed) for card in self.cards])}

    def playable(self, card: int, command: str | None, moves: frozenset[str], doomed: Mapping[str, str]) -> HeldCard:
        """A card as the viewer may play it now."""
        targets, dooms = list[str](), list[str]()
        has_trick = False
        for pile, is_rising, top in self.tops:
            move = f"play {card} {pile}"
            if move in moves:
                step = card - top if is_rising else top - card
                has_trick |= step == -TRICK
                targets.append(f"{pile}:{step}")
                if move in doomed:
                    dooms.append(f"{pile}:{doomed[move]}")
        # Of dooms a line each: sentences have semicolons.
        return HeldCard(card, command, not targets, has_trick, Text(";".join(targets)), Text("\n".join(dooms)))


class Doom(Fragment, frozen=True):
    """Where a script says why what is about to be done can only lose."""

    template = "the-game/doom.html"
    suffix: str

    @property
    def id(self) -> str:
        return f"doom{self.suffix}"


class Turn(Fragment, frozen=True):
    """What can be done besides playing a card. `played` is how many were, and how many must be."""

    template = "the-game/turn.html"
    suffix: str
    played: tuple[int, int] | None
    can_start: bool
    #: Whether all have said how well they could start, and nobody before the viewer could as well.
    is_waited_for: bool
    can_end: bool
    end_warning: str
    starting: tuple[str, ...]
    holding: tuple[str, ...]

    @property
    def id(self) -> str:
        return f"turn{self.suffix}"

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {
            "start_hints": start_hints(self.starting, teller),
            "hold_hints": hold_hints(self.holding, teller),
        }


def draw_turn(look: Look, board: TheGameView) -> Turn:
    is_asked = look.is_playing and look.prompt is not None
    hints = tuple(look.hints)
    return Turn(
        look.suffix,
        (board.played, board.needed) if is_asked else None,
        "start" in look.moves,
        "start" in look.moves and is_first_choice(board),
        "end turn" in look.moves,
        look.doomed.get("end turn", ""),
        about("start", hints),
        about("hold", hints),
    )


def is_first_choice(board: TheGameView) -> bool:
    """Whether bots wait for the viewer to start: of those who said the most, the first (TG-S2)."""
    said = [player.start_hint for player in board.players]
    return board.you is not None and board.seats > 1 and all(said) and said.index(max(said)) == board.you


def start_hints(hints: tuple[str, ...], teller: Teller) -> list[Values]:
    offered = [
        {"move": f"hint start {strength}", "text": teller.say(words)}
        for strength, words in enumerate(START_HINT_WORDS, 1)
        if f"hint start {strength}" in hints
    ]
    if "hint start none" in hints:
        offered.append({"move": "hint start none", "text": teller.say(mark("Say nothing about starting"))})
    return offered


def hold_hints(hints: tuple[str, ...], teller: Teller) -> list[Values]:
    """What a player may say about the commands they hold."""
    offered: list[Values] = []
    for command, name in COMMAND_NAMES.items():
        word = teller.say(name)
        if f"hint hold {command}" in hints:
            text = teller.say(mark("I hold: {command}"), command=word)
            offered.append({"move": f"hint hold {command}", "icon": f"command-{command}", "text": text})
        if f"hint hold {command} none" in hints:
            text = teller.say(mark("Withdraw: {command}"), command=word)
            offered.append({"move": f"hint hold {command} none", "icon": f"command-{command}", "text": text})
    return offered
