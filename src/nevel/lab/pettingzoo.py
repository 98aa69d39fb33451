"""The games as PettingZoo environments: one agent after the other, or all at once where choices are simultaneous.

An agent sees `{"observation": …, "action_mask": …}`. Actions are the numbers of moves; the last one is `wait`.
"""

# pyright: reportMissingTypeStubs=false

from typing import Any

import numpy as np
from gymnasium.spaces import Box as Range
from gymnasium.spaces import Dict, Discrete, Space
from pettingzoo import AECEnv, ParallelEnv

from nevel.game.box import Box
from nevel.lab.episode import Episode, Info, Sight
from nevel.lab.picture import RENDER_MODES, Rendered, render
from nevel.lab.task import Rewards, Task


def spaces_of(task: Task) -> tuple[Space[Any], Space[Any]]:
    """What agents see, and what they may do."""
    low, high = task.bounds()
    mask = Range(0, 1, (task.actions,), np.int8)
    return Dict({"observation": Range(low, high, dtype=np.int8), "action_mask": mask}), Discrete(task.actions)


class EnvironmentBase:
    """What both kinds of environments have in common."""

    metadata: dict[str, Any]
    possible_agents: list[str]
    agents: list[str]

    def sit_down(self, task: Task, max_cycles: int | None, illegal: str, render_mode: str | None) -> None:
        if illegal not in ("replace", "raise"):
            raise ValueError(f"illegal actions are replaced (replace) or refused (raise), not {illegal!r}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.task = task
        self.episode = Episode(task)
        self.max_cycles = max_cycles
        self.is_strict = illegal == "raise"
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(task.seats)]
        self.agents = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        spaces = {agent: spaces_of(task) for agent in self.possible_agents}
        self.observation_spaces = {agent: seen for agent, (seen, _) in spaces.items()}
        self.action_spaces = {agent: acted for agent, (_, acted) in spaces.items()}

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> Rendered | None:
        """The table as the seat that is asked sees it: text for `ansi`, pixels for `rgb_array`."""
        seat = self.episode.seat
        return render(self.episode.view(seat if seat >= 0 else None), self.render_mode)

    def close(self) -> None:
        pass


class AecEnvironment(EnvironmentBase, AECEnv[str, Any, Any]):
    """One agent after the other."""

    def __init__(
        self, task: Task, max_cycles: int | None = None, illegal: str = "replace", render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.sit_down(task, max_cycles, illegal, render_mode)
        self.metadata = metadata_of(task, is_parallelizable=False)
        self.asked = [0] * task.seats

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        self.episode.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: Info() for agent in self.agents}
        self.asked = [0] * self.task.seats
        self.agent_selection = self.possible_agents[self.episode.seat]

    def observe(self, agent: str) -> Sight:
        return self.episode.sight(self.seat_of[agent])

    def step(self, action: Any) -> None:
        if not self.agents:
            raise RuntimeError("there is no game: call reset first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self.episode
        seat = episode.seat
        info = self.infos[agent] = Info()
        made = episode.lawful(seat, int(action), self.is_strict, info)
        self.asked[seat] += 1
        self._cumulative_rewards[agent] = 0.0
        episode.act(made)
        for each, reward in zip(self.possible_agents, episode.rewards, strict=True):
            self.rewards[each] = reward
            self._cumulative_rewards[each] += reward
        if episode.seat < 0:
            for each in self.agents:
                self.terminations[each] = True
                self.infos[each] = self.infos[each] | episode.end(self.seat_of[each])
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = self.possible_agents[episode.seat]
        if self.max_cycles is not None and self.asked[episode.seat] >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)


class ParallelEnvironment(EnvironmentBase, ParallelEnv[str, Any, Any]):
    """All agents at once. Those who aren't waited for can only `wait`."""

    def __init__(
        self, task: Task, max_cycles: int | None = None, illegal: str = "replace", render_mode: str | None = None
    ) -> None:
        if not task.spec.is_simultaneous:
            raise ValueError(f"nobody chooses at the same time in {task.name}; use env")
        self.sit_down(task, max_cycles, illegal, render_mode)
        self.metadata = metadata_of(task, is_parallelizable=True)
        self.cycles = 0

    def reset(self, seed: int | None = None, options: Info | None = None) -> tuple[dict[str, Sight], dict[str, Info]]:
        self.episode.begin(seed)
        self.agents = list(self.possible_agents)
        self.cycles = 0
        return self.sights(), {agent: Info() for agent in self.agents}

    def sights(self) -> dict[str, Sight]:
        """What every agent sees. All who are waited for are asked now."""
        sights = {agent: self.episode.sight(seat) for agent, seat in self.seat_of.items()}
        for seat in self.episode.waiting():
            sights[self.possible_agents[seat]]["action_mask"][:] = self.episode.mask(seat)
        return sights

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Sight], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        if not self.agents:
            raise RuntimeError("there is no game: call reset first")
        episode = self.episode
        infos = {agent: Info() for agent in self.agents}
        # Who is waited for now acts now: what follows from everyone's choice is a matter for the next step.
        waiting = episode.waiting()
        made: dict[int, int] = {}
        for agent in self.agents:
            seat, action = self.seat_of[agent], int(actions[agent])
            if seat in waiting:
                made[seat] = episode.lawful(seat, action, self.is_strict, infos[agent])
            elif action != self.task.wait:
                episode.refuse(seat, action, self.task.wait, self.is_strict, infos[agent])
        episode.act_together(made)
        self.cycles += 1
        is_over = episode.seat < 0
        is_cut = not is_over and self.max_cycles is not None and self.cycles >= self.max_cycles
        if is_over:
            for agent, seat in self.seat_of.items():
                infos[agent] |= episode.end(seat)
        result = (
            self.sights(),
            dict(zip(self.possible_agents, episode.rewards, strict=True)),
            dict.fromkeys(self.agents, is_over),
            dict.fromkeys(self.agents, is_cut),
            infos,
        )
        if is_over or is_cut:
            self.agents = []
        return result


def metadata_of(task: Task, is_parallelizable: bool) -> dict[str, Any]:
    name = f"{task.name.replace('-', '_')}_v0"
    return {"render_modes": list(RENDER_MODES), "name": name, "is_parallelizable": is_parallelizable, "render_fps": 2}


def env(
    game: str,
    seats: int = 2,
    *,
    hints: bool = False,
    rewards: Rewards | None = None,
    box: Box | None = None,
    max_cycles: int | None = None,
    illegal: str = "replace",
    render_mode: str | None = None,
    **options: object,
) -> AecEnvironment:
    """A game as an AEC environment: `env(game, seats=3)`.

    `hints`: whether agents may say something when they are asked, where a game has hints. `rewards`: "points" as they
    are scored or "win". `illegal`: what becomes of an action the mask forbids: the first legal one is taken instead
    ("replace"; the agent's info says so), or an error is raised ("raise"). `max_cycles`: a game is cut when a seat
    would be asked more often. `render_mode`: "ansi" or "rgb_array". Other names are the game's options.

    PettingZoo's wrappers aren't put around it: they would take most of the time, and it checks what they check itself.
    """
    task = Task(game, seats, hints=hints, rewards=rewards, box=box, options=options)
    return AecEnvironment(task, max_cycles, illegal, render_mode)


def parallel_env(
    game: str,
    seats: int = 2,
    *,
    rewards: Rewards | None = None,
    box: Box | None = None,
    max_cycles: int | None = None,
    illegal: str = "replace",
    render_mode: str | None = None,
    **options: object,
) -> ParallelEnvironment:
    """A game in which choices are simultaneous as a parallel environment: `parallel_env(game, seats=3)`."""
    task = Task(game, seats, rewards=rewards, box=box, options=options)
    return ParallelEnvironment(task, max_cycles, illegal, render_mode)
