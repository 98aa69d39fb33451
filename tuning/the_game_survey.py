"""Counts how games of The Game end after the worth of positions was learnt, and adds it to `worth.npz`.

    python -m tuning.the_game_survey

For each number of players: how many cards are left in the end on average, by cards left at the end of a
turn and by the chance to win then, in tenths.
"""

from pathlib import Path

import numpy as np

from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled
from nevel.game.box import Box
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.bots.learnt import mind as the_game_mind
from nevel.games.the_game.bots.learnt.mind import FILE, learnt, turn_scratch, weights_for
from nevel.games.the_game.bots.learnt.turn import BROAD, find_turns
from nevel.games.the_game.bots.learnt.workspace import reset_workspace, workspace_worth
from nevel.games.the_game.bots.learnt.worth import chance_of
from nevel.games.the_game.rules.table import CARDS, END_TURN, OVER, START, cards_left

GAMES = 4000
SEED = (20, 26, 3, 4)
TURNS = 64


@compiled
def survey(s, seats, box, options, games, weights, workspace, sums, turns, worth, seen, rng, lefts, counts):
    """Play games between players who see each other's cards; add up how they ended, by what was seen on the way."""
    for _ in range(games):
        chance.branch(s.chance, rng)
        the_game.setup(s, seats, box, options, None)
        if seats > 1:
            the_game.apply(s, chance.below(rng, seats), START, None)
        length = 0
        while s.phase != OVER:
            seat = s.active
            if find_turns(s, seat, weights, workspace, sums, turns[0], turns[1:], worth, BROAD) == 0:
                break
            for i in range(1, turns[1, 0] + 1):
                if s.phase != OVER:
                    the_game.apply(s, seat, turns[1, i], None)
            if s.phase == OVER:
                break
            reset_workspace(s, seat, workspace)
            seen[length, 0] = cards_left(s)
            seen[length, 1] = int(chance_of(workspace_worth(workspace, sums, weights)) * 9.999)
            length += 1
            the_game.apply(s, seat, END_TURN, None)
        for i in range(length):
            lefts[seen[i, 0], seen[i, 1]] += cards_left(s)
            counts[seen[i, 0], seen[i, 1]] += 1


def main() -> None:
    rng = np.array(SEED, np.int64)
    content = dict(learnt())
    for seats in range(1, 6):
        weights = weights_for(seats)
        workspace, sums, turn = turn_scratch()
        lefts, counts = np.zeros((CARDS + 1, 10)), np.zeros((CARDS + 1, 10))
        survey(
            dispatch.new_states(the_game)[0],
            seats,
            Box.of("the-game").numbers,
            np.array([2, 0, 0], np.int64),
            GAMES,
            weights,
            workspace,
            sums,
            np.stack([turn, turn]),
            np.zeros(1),
            np.zeros((TURNS * 2, 2), np.int64),
            rng,
            lefts,
            counts,
        )
        # Where few games came by, those with the same chance at any time tell.
        usual = lefts.sum(axis=0) / np.maximum(counts.sum(axis=0), 1)
        content[f"left-{seats}"] = ((lefts + 5 * usual) / (counts + 5)).astype(np.float32)
    np.savez_compressed(Path(the_game_mind.__file__).with_name(FILE), **content)


if __name__ == "__main__":
    main()
