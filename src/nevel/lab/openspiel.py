"""The games for OpenSpiel. Importing this module registers every game as `nevel_` and its name, with its options as
parameters.

Seats are asked one after the other; who chooses at the same time as others doesn't see their choices. Chance is
explicit: before the deal and before every move that draws there is a chance node with equally likely outcomes,
which together key what is drawn. So a history says everything, and a state can be played again from it.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownParameterType=false
# pyright: reportUntypedBaseClass=false
# OpenSpiel is compiled and tells no types.

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from nevel.engine import chance, dispatch, tracing
from nevel.game.game import key_words
from nevel.game.registry import all_games, find
from nevel.lab.episode import Episode
from nevel.lab.task import Rewards, Task

#: How many outcomes a chance node has, and how many nodes decide a deal: a million million deals are enough.
FUTURES = 1024
NODES_OF_A_DEAL = 4
OUTCOMES = [(number, 1 / FUTURES) for number in range(FUTURES)]

#: Hints can be given and taken back for ever; somebody who only talks is cut short.
MOST_HINTS = 1000

Parameters = Mapping[str, Any]


def short_name(game: str) -> str:
    return f"nevel_{game.replace('-', '_')}"


@lru_cache
def game_type(game: str) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game before it is loaded."""
    spec = find(game)
    vocabulary = spec.vocabulary
    low, high = spec.rules.SEATS
    defaults: dict[str, Any] = {option.name: option.values[0] for option in vocabulary.options}
    utility = pyspiel.GameType.Utility.IDENTICAL if spec.is_cooperative else pyspiel.GameType.Utility.ZERO_SUM
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=spec.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2, "hints": False, **defaults},
    )


class SpielGame(pyspiel.Game):
    """A game, with its number of players and its options."""

    def __init__(self, name: str, parameters: Parameters | None = None) -> None:
        given = dict(parameters or {})
        options = {option.name: given[option.name] for option in find(name).vocabulary.options if option.name in given}
        # Winning is what counts at the end; where cards left are counted, so does every card.
        rewards: Rewards = "points" if find(name).counts_cards_left else "win"
        seats, hints = int(given.get("players", 2)), bool(given.get("hints", False))
        self.task = Task(name, seats, hints=hints, rewards=rewards, options=options)
        is_cooperative = self.task.is_cooperative
        longest = self.task.spec.longest_game + (MOST_HINTS if self.task.wait > self.task.talk else 0)
        information = pyspiel.GameInfo(
            num_distinct_actions=self.task.actions,
            max_chance_outcomes=FUTURES,
            num_players=seats,
            min_utility=0.0 if is_cooperative else -1.0,
            max_utility=1.0,
            utility_sum=None if is_cooperative else 0.0,
            max_game_length=longest,
        )
        super().__init__(game_type(name), information, given)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        return Observer(self.task, kind or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        return self.max_game_length() + NODES_OF_A_DEAL


class EventLog(list[tuple[int, ...]]):
    """The events so far. It only grows, so copies share its rows."""

    def __deepcopy__(self, memo: object) -> "EventLog":
        return EventLog(self)


class SpielState(pyspiel.State):
    """A game at some moment, with the rules' trace of everything that happened, each event with who may know."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.task = game.task
        self.episode = Episode(game.task)
        self.trace = tracing.blank()
        #: The outcomes of chance so far, and a move that waits for one.
        self.outcomes: list[int] = []
        self.pending: int | None = None
        #: The rules' trace: rows of numbers, the second being who may know.
        self.events = EventLog()
        #: Hints given so far.
        self.talk = 0

    # ------------------------------------------------------------ what OpenSpiel asks

    def current_player(self) -> int:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if len(self.outcomes) < NODES_OF_A_DEAL or self.pending is not None:
            return pyspiel.PlayerId.CHANCE
        return self.episode.seat

    def is_terminal(self) -> bool:
        is_dealt = len(self.outcomes) >= NODES_OF_A_DEAL
        return is_dealt and self.pending is None and (self.episode.seat < 0 or self.talk >= MOST_HINTS)

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.episode.seat:
            return []
        return np.flatnonzero(self.episode.mask(player)).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return OUTCOMES

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.outcomes.append(action)
            if self.pending is not None:
                action, self.pending = self.pending, None
                chance.key(self.episode.state.chance, *self.key())
                self.make(action)
            elif len(self.outcomes) == NODES_OF_A_DEAL:
                self.deal()
        elif self.draws(action):
            self.pending = action
        else:
            self.make(action)

    def returns(self) -> list[float]:
        """Nothing before the end. Then the share of the cards that were laid, or what the win is worth."""
        if not self.is_terminal():
            return [0.0] * self.task.seats
        if self.task.spec.counts_cards_left:
            return [1 + points / self.task.spec.score_scale for points in self.episode.points()]
        return list(self.episode.rewards)

    def information_state_string(self, player: int | None = None) -> str:
        """Everything the player was told from the deal on, event by event, and who waited."""
        seat = self.current_player() if player is None else player
        rows = [row for row in self.events if row[1] in (tracing.EVERYONE, seat)]
        return f"seat {seat}\n" + "\n".join(" ".join(map(str, row)) for row in rows)

    def observation_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        return " ".join(str(number) for number in self.seen(seat).tolist())

    def _action_to_string(self, player: int, action: int) -> str:
        return f"future {action}" if player == pyspiel.PlayerId.CHANCE else self.task.text(action)

    def __str__(self) -> str:
        """The whole position and what was told: equal texts are equal states."""
        position = hashlib.blake2b(self.episode.state.tobytes(), digest_size=8).hexdigest()
        events = hashlib.blake2b(repr(self.events).encode(), digest_size=8).hexdigest()
        return f"{self.task.name} {position} {events} {self.outcomes} {self.pending} {self.episode.seat}"

    # ------------------------------------------------------------ what is played

    def key(self) -> list[int]:
        """The words that key what is drawn next: all outcomes so far, and how much was told."""
        text = f"{self.outcomes}/{len(self.events)}"
        return key_words(hashlib.blake2b(text.encode(), digest_size=16, person=b"nevel openspiel").digest())

    def deal(self) -> None:
        task, episode = self.task, self.episode
        chance.key(episode.state.chance, *self.key())
        task.rules.setup(episode.state, task.seats, task.box.numbers, task.option_numbers, self.trace)
        episode.seat = episode.first_waiting()
        self.listen()

    def draws(self, action: int) -> bool:
        """Whether anything is drawn when this is done: tried on a copy."""
        if action >= self.task.talk:
            return False
        twin = dispatch.new_states(self.task.rules)
        twin[0] = self.episode.state
        self.task.rules.apply(twin[0], self.episode.seat, action, None)
        return bool((twin[0].chance != self.episode.state.chance).any())

    def make(self, action: int) -> None:
        if action == self.task.wait:
            # Nothing happens, but everybody sees it.
            self.events.append((0, tracing.EVERYONE, self.episode.seat))
        elif action >= self.task.talk:
            self.talk += 1
        self.episode.act(action, self.trace)
        self.listen()

    def listen(self) -> None:
        """Append the rules' trace of the last move to the events."""
        count = int(self.trace[0, 0])
        self.events += [tuple(row) for row in self.trace[1 : count + 1].tolist()]
        self.trace[0, 0] = 0

    def seen(self, seat: int) -> NDArray[np.int8]:
        if len(self.outcomes) < NODES_OF_A_DEAL:
            return np.zeros(self.task.width, np.int8)  # nothing lies on the table yet
        return self.episode.sight(seat)["observation"]


class Observer:
    """Observations as numbers, part by part under their names."""

    def __init__(self, task: Task, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        self.kind = kind
        self.tensor = np.zeros(task.width, np.float32)
        self.dict = {name: self.tensor[part] for name, part in task.layout.items()}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = state.seen(player)

    def string_from(self, state: SpielState, player: int) -> str:
        if self.kind.perfect_recall:
            return state.information_state_string(player)
        return state.observation_string(player)


def register(game: str) -> None:
    """Make a game known to `pyspiel.load_game`."""

    class Registered(SpielGame):
        def __init__(self, parameters: Parameters | None = None) -> None:
            super().__init__(game, parameters)

    pyspiel.register_game(game_type(game), Registered)


for _game in all_games():
    register(_game)
