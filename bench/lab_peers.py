"""Random play in other people's environments: lines of JSON with decisions per second.

Run by `bench.lab` in an environment of its own, where these packages are: pettingzoo[classic], rlcard, open_spiel, pgx.
"""

# pyright: reportMissingImports=false
# The peers are where this runs, not where it is checked.

import json
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

SECONDS = 2.0
GOES = 10


def measured(play: Callable[[], int]) -> float:
    """Decisions per second of processor time, so that others on the machine disturb less: the best of ten goes."""
    play()
    best = 0.0
    for _ in range(GOES):
        started, decisions = time.process_time(), 0
        while (elapsed := time.process_time() - started) < SECONDS / GOES:
            decisions += play()
        best = max(best, decisions / elapsed)
    return best


def measured_at_table(table: Any) -> float:
    """Decisions a second in an environment of PettingZoo's kind."""

    def play() -> int:
        table.reset(seed=random.getrandbits(31))
        decisions = 0
        for _ in table.agent_iter():
            sight, _, is_over, is_cut, _ = table.last()
            if is_over or is_cut:
                table.step(None)
                continue
            table.step(random.choice(sight["action_mask"].nonzero()[0]))
            decisions += 1
        return decisions

    return measured(play)


def pettingzoo(name: str) -> float:
    import importlib

    return measured_at_table(importlib.import_module(f"pettingzoo.classic.{name}").env())


def rlcard(name: str) -> float:
    import rlcard as library
    from rlcard.agents import RandomAgent

    table = library.make(name)
    table.set_agents([RandomAgent(num_actions=table.num_actions) for _ in range(table.num_players)])

    def play() -> int:
        trajectories, _ = table.run(is_training=False)
        return sum(len(trajectory) // 2 for trajectory in trajectories)

    return measured(play)


def open_spiel(name: str) -> float:
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return measured(play)


def pgx(name: str, batch: int = 8192, length: int = 20) -> float:
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    table = library.make(name)
    step = jax.vmap(auto_reset(table.step, table.init))

    def one(carry, _):
        state, key = carry
        key, choosing, dealing = jax.random.split(key, 3)
        action = jax.random.categorical(choosing, jnp.where(state.legal_action_mask, 0.0, -1e9))
        return (step(state, action, jax.random.split(dealing, batch)), key), None

    many = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length)[0])
    key = jax.random.PRNGKey(0)
    carry = [(jax.jit(jax.vmap(table.init))(jax.random.split(key, batch)), key)]

    def play() -> int:
        carry[0] = jax.block_until_ready(many(carry[0]))
        return batch * length

    return measured(play)


PEERS: list[tuple[str, Callable[[str], float], str]] = [
    ("PettingZoo", pettingzoo, "connect_four_v3"),
    ("PettingZoo", pettingzoo, "leduc_holdem_v4"),
    ("PettingZoo", pettingzoo, "texas_holdem_v4"),
    ("RLCard", rlcard, "leduc-holdem"),
    ("RLCard", rlcard, "uno"),
    ("OpenSpiel from Python", open_spiel, "leduc_poker"),
    ("OpenSpiel from Python", open_spiel, "gin_rummy"),
    ("OpenSpiel from Python", open_spiel, "hearts"),
    ("Pgx, batch 8,192", pgx, "connect_four"),
    ("Pgx, batch 8,192", pgx, "leduc_holdem"),
]

if __name__ == "__main__":
    for family, measure, name in PEERS:
        try:
            row = {"family": family, "name": name, "rate": measure(name)}
        except Exception as problem:  # a peer that can't be measured is said so, the others still are
            row = {"family": family, "name": name, "problem": f"{type(problem).__name__}: {problem}"}
        sys.stdout.write(json.dumps(row) + "\n")
        sys.stdout.flush()
