"""A bot for Nevel in plain Python. In The Game it plays the smallest step, elsewhere the first move it may."""

import json
import sys


def step(move, tops):
    """How far a move of The Game takes its pile: `play 37 up1` on 30 is 7, jumping back is less than nothing."""
    _, card, pile = move.split()
    return (int(card) - tops[pile]) * (1 if pile.startswith("up") else -1)


def answer(prompt):
    """The move to make: one of prompt["moves"]."""
    view, moves = prompt["view"], prompt["moves"]
    if view["game"] not in ("the-game", "extreme") or prompt["question"] == "start":
        return moves[0]
    if "end turn" in moves:
        return "end turn"  # no more cards than it must
    tops = {pile["name"]: pile["top"] for pile in view["piles"]}
    return min(moves, key=lambda move: step(move, tops))


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "hello", "name": "smallest step"}
    elif message["type"] == "prompt":
        reply = {"id": message["id"], "move": answer(message)}
    else:
        break  # the game is over
    print(json.dumps(reply), flush=True)
