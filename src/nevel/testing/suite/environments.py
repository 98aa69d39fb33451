"""Checks of the environments for learning, by the libraries' own tests; left out where a library is missing."""

import importlib
import io
import pickle
import warnings
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from nevel.engine import chance, dispatch
from nevel.languages import mark
from nevel.testing.check import check, fail, skip
from nevel.testing.subject import Subject

#: What PettingZoo advises against, though its own card games do it too: observations in a dictionary, with the mask.
ADVICE = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
#: Writing a state of OpenSpiel down and reading it plays everything again: long games do so at one table and seldom.
SHORT_GAME = 500


def library(name: str) -> ModuleType:
    """An optional library, or a skip."""
    try:
        return importlib.import_module(name)
    except ImportError:
        skip(mark("{library} isn't installed"), library=name.partition(".")[0])


@contextmanager
def quietly() -> Generator[None]:
    """Without what libraries print when all is well, and without advice we know of."""
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        for message in ADVICE:
            warnings.filterwarnings("ignore", message=message)
        yield


def settings_of(subject: Subject) -> list[tuple[int, dict[str, Any]]]:
    """Tables with the usual and with other options, with and without hints, rewarded by points and by winning."""
    found: list[tuple[int, dict[str, Any]]] = []
    for number, (seats, options) in enumerate(subject.few_tables):
        more: dict[str, Any] = {} if number == 0 else {"rewards": "win" if number % 2 else "points"}
        if subject.has_hints and number:
            more["hints"] = True
        found.append((seats, {**options, **more}))
    return found


@check(mark("PettingZoo's own tests pass"), is_slow=True)
def pettingzoo_accepts(subject: Subject) -> None:
    """`api_test` and `seed_test` of PettingZoo pass; the parallel ones too, where choices are simultaneous.

    Copies of an environment, also pickled ones, go on by themselves.
    """
    tests = library("pettingzoo.test")
    from nevel.lab.pettingzoo import env, parallel_env

    with quietly():
        for seats, settings in settings_of(subject):
            tests.api_test(env(subject.name, seats, **settings), num_cycles=400)
            tests.seed_test(partial(env, subject.name, seats, **settings), num_cycles=200)
            copies_go_on(env(subject.name, seats, **settings))
            if subject.spec.is_simultaneous:
                tests.parallel_api_test(parallel_env(subject.name, seats, **settings), num_cycles=1000)
                tests.parallel_seed_test(partial(parallel_env, subject.name, seats, **settings), num_cycles=200)


def copies_go_on(table: Any) -> None:
    from copy import deepcopy

    table.reset(seed=8)
    twins = [deepcopy(table), pickle.loads(pickle.dumps(table))]
    before = table.episode.state.tobytes()
    for twin in twins:
        for _ in range(4):
            if any(twin.terminations.values()):
                break
            twin.step(int(twin.observe(twin.agent_selection)["action_mask"].argmax()))
        if twin.episode.state.tobytes() == before or twin.episode.state.tobytes() != twins[0].episode.state.tobytes():
            fail("copies of an environment don't go on in the same way")
    if table.episode.state.tobytes() != before:
        fail("a step in a copy of an environment changed the environment")


@check(mark("Environments play what the vector environment plays"))
def environments_agree(subject: Subject) -> None:
    """With the same seed and actions the PettingZoo environment and the vector environment show the same seat the same
    numbers, allow the same actions and give the same rewards, to the end.
    """
    library("pettingzoo")
    from nevel.lab.pettingzoo import env
    from nevel.lab.vector import VectorEnvironment

    for seats, settings in settings_of(subject):
        table: Any = env(subject.name, seats, **settings)
        table.reset(seed=17)
        games = VectorEnvironment(subject.name, seats, count=1, seed=17, **settings)
        while not any(table.terminations.values()):
            agent = table.agent_selection
            sight = table.observe(agent)
            if agent != f"player_{games.now.seat[0]}":
                fail(f"PettingZoo asks {agent}, the vector environment seat {games.now.seat[0]}")
            if not np.array_equal(sight["observation"], games.now.observation[0]):
                fail(f"{agent} observes something else in the vector environment")
            if not np.array_equal(sight["action_mask"], games.now.mask[0]):
                fail(f"{agent} may do something else in the vector environment")
            action = int(games.random_actions()[0])
            table.step(action)
            games.step([action])
            if not np.allclose(list(table.rewards.values()), games.now.reward[0], atol=1e-6):
                fail(f"rewards are {table.rewards}, in the vector environment {games.now.reward[0]}")
            if all(table.terminations.values()) != games.now.done[0]:
                fail("one of the two environments is over, the other isn't")
        for seat, info in enumerate(table.infos.values()):
            if (info["points"], info["won"]) != (games.points[0, seat], games.won[0, seat]):
                fail(f"seat {seat} has another result in the vector environment")


@check(mark("Environments can be rendered"), is_slow=True)
def environments_render(subject: Subject) -> None:
    """An environment renders as pixels and as text, and what it shows changes as the game goes on.

    What is drawn is the scene of the lab parts: every drawing it names has to exist in the game's `web/drawings`.
    """
    library("pettingzoo")
    library("PIL")
    library("resvg_py")
    from nevel.lab.pettingzoo import env

    seats = subject.some_seats(2)
    table: Any = env(subject.name, seats, render_mode="rgb_array")
    table.reset(seed=1)
    before: Any = table.render()
    if np.shape(before) != (640, 960, 3):
        fail("the picture isn't 960 by 640 pixels")
    for number, agent in enumerate(table.agent_iter(120)):
        sight, _, is_over, _, _ = table.last()
        table.step(None if is_over else table.action_space(agent).sample(sight["action_mask"]))
        if number % 10 == 0 and not isinstance(table.render(), np.ndarray):
            fail("there is no picture of a position")
    if np.array_equal(before, table.render()):
        fail("the picture is the same after a game as before it")
    words: Any = env(subject.name, seats, render_mode="ansi")
    words.reset(seed=1)
    if f"player {words.agent_selection[-1]} (you)" not in words.render():
        fail("the text doesn't say which player is looking")
    silent: Any = env(subject.name, seats)
    silent.reset(seed=1)
    if silent.unwrapped.render() is not None:
        fail("something is rendered though no render_mode was given")


@check(mark("Gymnasium's own check passes"), is_slow=True)
def gymnasium_accepts(subject: Subject) -> None:
    """`check_env` of Gymnasium passes for one seat with bots in the others; a seed plays the same game again."""
    library("gymnasium")
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from nevel.lab.gymnasium import environment_id

    name, seats = environment_id(subject.name), subject.some_seats(3)
    levels = [("random", "strong")[i % 2] for i in range(seats - 1)]
    others: dict[str, Any] = {"seats": seats, "seat": seats - 1, "bots": levels}
    few: dict[str, Any] = {"seats": subject.some_seats(2)}
    for settings in (few, others):
        with quietly():
            for mode in ("rgb_array", "ansi"):
                check_env(gymnasium.make(name, render_mode=mode, **settings).unwrapped)
    table = gymnasium.make(name, seats=seats, seat=min(1, seats - 1), bots="simple")
    first = played(table, 6)
    if first != played(table, 6):
        fail("the same seed and actions play another game")
    if first == played(table, 7):
        fail("another seed plays the same game")
    if not subject.spec.is_cooperative and (sum(reward for _, reward, _ in first[:-1]) > 0) != first[-1]["won"]:
        fail("rewards are positive in a game that was lost, or negative in one that was won")


def played(table: Any, seed: int) -> list[Any]:
    """A whole game with random actions; what was seen and gained."""
    sight, _ = table.reset(seed=seed)
    table.action_space.seed(seed)
    story: list[Any] = []
    while True:
        if sight not in table.observation_space:
            fail("an observation is outside of its space")
        action = table.action_space.sample(sight["action_mask"])
        sight, reward, is_over, is_cut, info = table.step(action)
        story.append((int(action), reward, sight["observation"].tobytes()))
        if is_cut:
            fail("a game was cut short")
        if is_over:
            return [*story, info]


@check(mark("OpenSpiel's own test passes"), is_slow=True)
def openspiel_accepts(subject: Subject) -> None:
    """`random_sim_test` of OpenSpiel passes: legal actions, masks, returns, observations, copies, written states.

    Information states don't depend on what a seat can't know. At the end returns are between 0 and 1 and equal where
    players win together, and sum up to 0 where they don't.
    """
    pyspiel: Any = library("pyspiel")
    from nevel.lab import openspiel

    name = openspiel.short_name(subject.name)
    if name not in pyspiel.registered_names():
        fail(f"{name} isn't registered")
    is_short = subject.spec.longest_game <= SHORT_GAME
    tables = subject.few_tables if is_short else [(subject.spec.seats[0], subject.variants[-1])]
    for seats, options in tables:
        parameters: dict[str, Any] = {"players": seats, **options}
        if subject.has_hints and seats == subject.spec.seats[-1]:
            parameters["hints"] = True
        game = pyspiel.load_game(name, parameters)
        if game.num_players() != seats:
            fail(f"a game for {seats} is loaded as one for {game.num_players()}")
        with quietly():
            pyspiel.random_sim_test(game, num_sims=1, serialize=is_short, verbose=False)
        states_are_histories(pyspiel, game, openspiel.FUTURES)
        information_is_known(game, subject.dice(("openspiel", seats)), openspiel.FUTURES)
        for seed in range(3):
            returns = random_state(game, seed, 10_000, openspiel.FUTURES).returns()
            if subject.spec.is_cooperative:
                if len(set(returns)) != 1 or not 0 <= returns[0] <= 1:
                    fail(f"returns of a game that is won together are {returns}")
            elif abs(sum(returns)) > 1e-9:
                fail(f"returns are {returns}, which isn't 0 in all")


def random_state(game: Any, seed: int, most: int, futures: int) -> Any:
    dice = Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal() and state.move_number() < most:
        state.apply_action(random_action(state, dice, futures))
    return state


def random_action(state: Any, dice: Random, futures: int) -> int:
    return dice.randrange(futures) if state.is_chance_node() else dice.choice(state.legal_actions())


def states_are_histories(pyspiel: Any, game: Any, futures: int) -> None:
    """Written down, pickled and copied states are the same."""
    for most in (2, 6, 60, 10_000):
        state = random_state(game, most, most, futures)
        _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        for other in (again, pickle.loads(pickle.dumps(state)), state.clone()):
            if str(other) != str(state):
                fail(f"a state after {state.move_number()} moves isn't the same when it is written down or copied")
        if state.move_number() > game.max_game_length() + game.max_chance_nodes_in_history():
            fail("a game is longer than OpenSpiel is told")


def information_is_known(game: Any, dice: Random, futures: int) -> None:
    """Everything hidden from a seat is imagined anew: OpenSpiel shows it the same."""
    state = game.new_initial_state()
    while not state.is_terminal() and state.move_number() < 150:
        if not state.is_chance_node():
            seat = state.current_player()
            twin = state.clone()
            record = twin.episode.state
            rules = dispatch.rules_of(record)
            rules.conceal(record, seat)
            chance.key(record.chance, *(dice.getrandbits(32) for _ in range(chance.RNG_WORDS)))
            rules.imagine(record, seat)
            for what in ("information_state_string", "observation_string", "observation_tensor", "legal_actions"):
                if getattr(twin, what)(seat) != getattr(state, what)(seat):
                    fail(f"{what} of seat {seat} depends on what it can't know")
        state.apply_action(random_action(state, dice, futures))
