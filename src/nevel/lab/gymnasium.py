"""One seat of a game as a Gymnasium environment, with bots in the others.

Importing this module registers every game, as `nevel/`, its name in capitals and `-v0`.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge, remember
from nevel.game.box import Box
from nevel.game.registry import all_games
from nevel.lab.episode import Episode, Info, Sight
from nevel.lab.pettingzoo import spaces_of
from nevel.lab.picture import RENDER_MODES, Rendered, render
from nevel.lab.task import Rewards, Task
from nevel.players.table import MOST_HINTS


def environment_id(game: str) -> str:
    """The name of a game's environment: `nevel/AnyGame-v0` for `any-game`."""
    return f"nevel/{''.join(part.capitalize() for part in game.split('-'))}-v0"


#: The games by the names of their environments.
GAMES = {environment_id(game): game for game in all_games()}


class SeatEnvironment(gymnasium.Env[Sight, int]):
    """A game seen from `seat`. `bots` is a level for all other chairs, or one for each, in the order of the seats.

    Levels that search think for `seconds` about a move. With `hints`, the agent may say something when it is asked, and
    bots say what they say at a table. The other settings are those of `nevel.lab.pettingzoo.env`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str,
        seats: int = 2,
        seat: int = 0,
        bots: str | Sequence[str] = "casual",
        *,
        seconds: float = 0.1,
        hints: bool = False,
        rewards: Rewards | None = None,
        box: Box | None = None,
        illegal: str = "replace",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.task = Task(game, seats, hints=hints, rewards=rewards, box=box, options=options)
        if not 0 <= seat < seats:
            raise ValueError(f"seats are numbers from 0 to {seats - 1}, not {seat}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        if illegal not in ("replace", "raise"):
            raise ValueError(f"illegal actions are replaced (replace) or refused (raise), not {illegal!r}")
        others = [other for other in range(seats) if other != seat]
        levels = [bots] * len(others) if isinstance(bots, str) else list(bots)
        if len(levels) != len(others):
            raise ValueError(f"there are {len(others)} other seats, but {len(levels)} bots")
        self.seat = seat
        self.has_talk = hints
        self.is_strict = illegal == "raise"
        self.render_mode = render_mode
        self.observation_space, self.action_space = spaces_of(self.task)
        self.episode = Episode(self.task)
        budget = Budget(seconds=seconds)
        self.bots = {other: Bot(level, budget=budget) for other, level in zip(others, levels, strict=True)}
        # What was played so far, because a bot remembers what it saw.
        self._first = dispatch.new_states(self.task.rules)
        self._log: list[tuple[int, int]] = []

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Sight, Info]:
        super().reset(seed=seed)
        self.begin(seed)
        while not self.let_bots_act():  # it may end before the agent is asked for the first time
            self.begin(None)
        self.gained = 0.0
        return self.episode.sight(self.seat), {}

    def begin(self, seed: int | None) -> None:
        self.episode.begin(seed)
        self._first[0] = self.episode.state
        self._log = []
        self.gained = 0.0
        for bot in self.bots.values():
            bot.seed = self.episode.seeds.getrandbits(64)

    def step(self, action: int) -> tuple[Sight, float, bool, bool, Info]:
        info: Info = {}
        made = self.episode.lawful(self.seat, int(action), self.is_strict, info)
        self.gained = 0.0
        self.act(made)
        is_over = not self.let_bots_act()
        if is_over:
            info |= self.episode.end(self.seat)
        return self.episode.sight(self.seat), self.gained, is_over, False, info

    def act(self, action: int) -> None:
        """An action of the seat that is asked."""
        if action != self.task.wait:
            self._log.append((self.episode.seat, action))
        self.episode.act(action)
        self.gained += self.episode.rewards[self.seat]

    def let_bots_act(self) -> bool:
        """Go on until the agent is asked; False when the game ends before."""
        episode = self.episode
        while episode.seat >= 0:
            self.let_bots_speak()
            if episode.seat == self.seat:
                return True
            move = self.bots[episode.seat].move(self.knowledge(episode.seat))
            if move is None:  # it would rather not start
                move = self.task.wait if episode.mask(episode.seat)[self.task.wait] else int(self.task.terms[3])
            self.act(move)
        return False

    def let_bots_speak(self) -> None:
        if not self.has_talk:
            return
        for seat, bot in self.bots.items():
            for _ in range(MOST_HINTS):
                hint = bot.hint(self.knowledge(seat))
                if hint is None:
                    break
                self._log.append((seat, hint))
                self.task.rules.apply(self.episode.state, seat, hint, None)

    def knowledge(self, seat: int) -> Knowledge:
        """What a seat knows, now and before every move: all that a bot gets."""
        states = dispatch.new_states(self.task.rules, len(self._log) + 1)
        states[0] = self._first[0]
        movers, moves = np.array(self._log, np.int64).reshape(-1, 2).T.copy()
        remember(states, seat, movers, moves, np.zeros((len(moves), 4), np.int64))
        return Knowledge(seat, states, movers, moves)

    def render(self) -> Rendered | None:  # type: ignore[override]
        """The table as the agent's seat sees it."""
        return render(self.episode.view(self.seat), self.render_mode)


def register() -> None:
    """Make the games known to `gymnasium.make`."""
    for name, game in GAMES.items():
        if name not in gymnasium.registry:
            gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
                name, entry_point="nevel.lab.gymnasium:SeatEnvironment", kwargs={"game": game}
            )


register()
