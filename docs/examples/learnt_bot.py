"""What `learn_the_game.py` has learnt, as a player at a table.

    nevel play the-game --bots "program:python learnt_bot.py learnt.npz"

It reads lines of JSON and answers with lines of JSON, as docs/outside-bots.md tells.
"""

import json
import sys

import numpy as np
from learn_the_game import ACTIONS, CARDS, END_TURN, Network, features, steps_of

PILES = ("up1", "up2", "down1", "down2")


def number_of(move):
    """The number of a move in the network: `play 37 up1`, `end turn` or `start`."""
    if not move.startswith("play"):
        return END_TURN if move == "end turn" else END_TURN + 1
    _, card, pile = move.split()
    return (int(card) - 2) * 4 + PILES.index(pile)


def answer(network, prompt):
    """The likeliest of the moves that are allowed."""
    view, moves = prompt["view"], prompt["moves"]
    tops = np.array([[pile["top"] for pile in view["piles"]]])
    hand = np.zeros((1, CARDS))
    hand[0, np.array(view["hand"], int) - 2] = 1
    played, need = np.array([view["played"]]), np.array([view["needed"]])
    mask = np.zeros((1, ACTIONS))
    mask[0, [number_of(move) for move in moves]] = 1
    x = features(tops, hand, np.array([view["draw_pile"]]), played, need)
    chances, _, _ = network.forward(x, steps_of(tops), mask)
    return max(moves, key=lambda move: chances[0, number_of(move)])


if __name__ == "__main__":
    network = Network.load(sys.argv[1])
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            reply = {"type": "hello", "name": "learnt"}
        elif message["type"] == "prompt":
            reply = {"id": message["id"], "move": answer(network, message)}
        else:
            break  # the game is over
        print(json.dumps(reply), flush=True)
