"""The game loop for players: hints first, then a move; when everyone would rather wait, the keenest starts."""

from collections.abc import Container, Mapping

from nevel.game.game import Game
from nevel.game.vocabulary import Prompt
from nevel.players.player import Player

#: Hints one player may give between two moves.
MOST_HINTS = 10


def let_speak(game: Game, players: Mapping[int, Player]) -> int:
    """Let everyone say what they want to say now; gives how much was said."""
    said = 0
    for seat, player in players.items():
        for _ in range(MOST_HINTS):
            if game.is_over or (hint := player.speak(game, seat)) is None:
                break
            game.play(seat, hint)
            said += 1
    return said


def let_move(game: Game, players: Mapping[int, Player]) -> bool:
    """One move of somebody who is waited for; False when all of these players wait for somebody else."""
    for seat in game.waiting_for:
        if seat in players:
            move = players[seat].choose(game, seat)
            if move is not None:
                game.play(seat, move)
                return True
    return False


def keenest(game: Game, seats: Container[int]) -> Prompt | None:
    """Everyone would rather wait: what is asked of the one of these who offered to start most strongly."""
    keen = {seat: 0 for seat in game.waiting_for if seat in seats}
    if not keen:
        return None
    keen = {seat: game.vocabulary.wish_to_start(game.position, seat) for seat in keen}
    return game.prompt(max(keen, key=lambda seat: (keen[seat], -seat)))


def let_keenest_start(game: Game, players: Mapping[int, Player]) -> None:
    """Make the first move of the player who most wants to start, if all would rather wait."""
    prompt = keenest(game, players)
    if prompt:
        game.play(prompt.seat, prompt.moves[0])


def play_to_end(game: Game, players: Mapping[int, Player]) -> int:
    """A whole game between players; gives how many moves it took, what was said not counted."""
    moves = 0
    while not game.is_over:
        let_speak(game, players)
        if not let_move(game, players):
            let_speak(game, players)  # somebody may have said that they would rather wait
            let_keenest_start(game, players)
        moves += 1
    return moves
