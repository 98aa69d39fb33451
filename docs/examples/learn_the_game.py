"""Learn to play The Game with PPO, in NumPy, on one core: python learn_the_game.py learnt.npz

All seats share one small network. What it reads is what a player sees on the table: the four tops, the own hand, the
draw pile, how many cards this turn still needs. `learnt_bot.py` puts the result at a table.
"""

import argparse
import time

import numpy as np

from nevel.lab.vector import VectorEnvironment

CARDS, PILES, END_TURN, ACTIONS = 98, 4, 392, 395
FEATURES = 4 + CARDS + 3
#: A step of a card is how far it moves its pile, backwards below nought: 201 of them, with 100 in the middle.
STEPS = 201
CARD_OF, PILE_OF = np.divmod(np.arange(END_TURN), PILES)
DIRECTION = np.array([1, 1, -1, -1])[PILE_OF]


def features(tops, hand, left, played, need):
    """What the network reads, one row a decision; `hand` has a column for each card from 2 to 99."""
    columns = (tops / 50 - 1, hand, left[:, None] / CARDS, played[:, None] / 4, (need - played)[:, None] / 2)
    return np.concatenate(columns, axis=1, dtype=np.float32)


class Network:
    """One hidden layer for the worth of a position and of each action, and a worth for every size of step."""

    def __init__(self, seed=0, hidden=96):
        dice = np.random.default_rng(seed)
        self.weights = {
            "hidden": dice.normal(0, FEATURES**-0.5, (FEATURES, hidden)).astype(np.float32),
            "hidden_bias": np.zeros(hidden, np.float32),
            "action": np.zeros((hidden, ACTIONS), np.float32),
            "action_bias": np.zeros(ACTIONS, np.float32),
            "value": np.zeros((hidden, 1), np.float32),
            "value_bias": np.zeros(1, np.float32),
            "step": np.zeros(STEPS, np.float32),
        }
        self.momentum = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.scale = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.updates = 0

    def forward(self, x, steps, mask):
        """Chances of all actions, the value of the position, and what `backward` needs."""
        w = self.weights
        hidden = np.tanh(x @ w["hidden"] + w["hidden_bias"])
        logits = hidden @ w["action"] + w["action_bias"]
        logits[:, :END_TURN] += w["step"][steps]
        logits[mask == 0] = -1e9
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        return chances, (hidden @ w["value"] + w["value_bias"])[:, 0], hidden

    def backward(self, x, steps, hidden, by_logit, by_value):
        """How the loss changes with every weight, from how it changes with logits and values."""
        w = self.weights
        by_hidden = (by_logit @ w["action"].T + by_value[:, None] * w["value"].T) * (1 - hidden**2)
        by_step = np.bincount(steps.ravel(), by_logit[:, :END_TURN].ravel(), STEPS)
        return {
            "hidden": x.T @ by_hidden,
            "hidden_bias": by_hidden.sum(axis=0),
            "action": hidden.T @ by_logit,
            "action_bias": by_logit.sum(axis=0),
            "value": hidden.T @ by_value[:, None],
            "value_bias": by_value.sum(keepdims=True),
            "step": by_step,
        }

    def improve(self, gradient, rate):
        """One step of Adam, no longer than a gradient of length one half."""
        length = np.sqrt(sum(float((each**2).sum()) for each in gradient.values()))
        self.updates += 1
        for name, weight in self.weights.items():
            slope = gradient[name] * min(1.0, 0.5 / (length + 1e-8))
            self.momentum[name] += 0.1 * (slope - self.momentum[name])
            self.scale[name] += 0.001 * (slope**2 - self.scale[name])
            mean = self.momentum[name] / (1 - 0.9**self.updates)
            spread = self.scale[name] / (1 - 0.999**self.updates)
            weight -= rate * (mean / (np.sqrt(spread) + 1e-8)).astype(np.float32)

    def save(self, path):
        np.savez(path, **self.weights)

    @classmethod
    def load(cls, path):
        network = cls()
        network.weights = dict(np.load(path))
        return network


def look(games):
    """Features, steps and masks of all games."""
    tops = games.named("tops").astype(np.int64)
    x = features(
        tops,
        games.named("hand"),
        games.named("left")[:, 0],
        games.named("played_this_turn")[:, 0],
        games.named("need")[:, 0],
    )
    return x, steps_of(tops), games.now.mask.copy()


def steps_of(tops):
    """How far each card would move each pile, as an index of the network's steps."""
    return (CARD_OF + 2 - tops[:, PILE_OF]) * DIRECTION + STEPS // 2


def choose(chances, dice):
    """Draw an action from every row of chances."""
    drawn = (chances.cumsum(axis=1) > dice.random((len(chances), 1))).argmax(axis=1)
    return np.where(chances[np.arange(len(chances)), drawn] > 0, drawn, chances.argmax(axis=1))


def play(network, games, length, dice):
    """Play `length` decisions in every game; what was seen, done and gained, with the advantage of each action."""
    rows = np.arange(games.count)
    seen, chosen, before, values, gained, ended = [], [], [], [], [], []
    for _ in range(length):
        x, steps, mask = look(games)
        chances, value, _ = network.forward(x, steps, mask)
        action = choose(chances, dice)
        games.step(action)
        seen.append((x, steps, mask))
        chosen.append(action)
        before.append(chances[rows, action])
        values.append(value)
        gained.append(games.now.reward[:, 0] * 10)  # all seats gain the same; in tenths of all cards or so
        ended.append(games.now.done.copy())
    # Generalised advantages, from the last decision back to the first. A card is worth as much now as later.
    following, advantage, advantages = network.forward(*look(games))[1], np.zeros(games.count), []
    for value, reward, is_over in zip(values[::-1], gained[::-1], ended[::-1], strict=True):
        surprise = reward + 0.99 * following * ~is_over - value
        advantage = surprise + 0.99 * 0.95 * advantage * ~is_over
        advantages.append(advantage.astype(np.float32))
        following = value
    x, steps, mask = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    advantages = np.concatenate(advantages[::-1])
    return x, steps, mask, np.concatenate(chosen), np.concatenate(before), advantages, np.concatenate(values)


def learn(network, batch, dice, rate=0.003, epochs=2, size=1024, clip=0.2, curiosity=0.003):
    """Proximal policy optimisation: make good actions likelier, but not by much at once."""
    _, _, _, actions, before, advantages, values = batch
    targets = advantages + values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(epochs):
        for part in np.array_split(dice.permutation(len(actions)), max(1, len(actions) // size)):
            x, steps, mask = batch[0][part], batch[1][part], batch[2][part]
            chances, value, hidden = network.forward(x, steps, mask)
            rows = np.arange(len(part))
            ratio = chances[rows, actions[part]] / before[part]
            gain = advantages[part]
            is_clipped = ((gain > 0) & (ratio > 1 + clip)) | ((gain < 0) & (ratio < 1 - clip))
            push = np.where(is_clipped, 0, -gain * ratio) / len(part)
            by_logit = -chances * push[:, None]
            by_logit[rows, actions[part]] += push
            logs = np.log(chances + 1e-12)
            entropy = -(chances * logs).sum(axis=1, keepdims=True)
            by_logit += curiosity * chances * (logs + entropy) / len(part)
            by_value = (value - targets[part]) / len(part)
            network.improve(network.backward(x, steps, hidden, by_logit.astype(np.float32), by_value), rate)


def cards_laid(games_played, seats, network=None, seed=1_000_000):
    """How many of the 98 cards are laid on average: by the network's likeliest actions, or at random without one."""
    games = VectorEnvironment("the-game", seats, count=min(games_played, 256), seed=seed)
    laid = []
    while len(laid) < games_played:
        actions = network.forward(*look(games))[0].argmax(axis=1) if network else games.random_actions()
        games.step(actions)
        laid += (CARDS + games.points[games.now.done, 0]).tolist()
    return float(np.mean(laid))


def train(seats=2, updates=300, count=256, length=32, seed=0, tell=print):
    """A network that has played `updates * count * length` decisions."""
    dice = np.random.default_rng(seed)
    network = Network(seed)
    games = VectorEnvironment("the-game", seats, count=count, seed=seed)
    started = time.process_time()
    for update in range(updates):
        learn(network, play(network, games, length, dice), dice)
        if (update + 1) % 25 == 0:
            decisions, seconds = (update + 1) * count * length, time.process_time() - started
            laid = cards_laid(256, seats, network)
            tell(f"{decisions:>9,} decisions, {seconds:4.0f} s of processor time: {laid:.1f} cards")
    return network


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", help="where the network is saved")
    arguments.add_argument("--seats", type=int, default=2)
    arguments.add_argument("--updates", type=int, default=300)
    given = arguments.parse_args()
    print(f"at random: {cards_laid(2000, given.seats):.1f} cards of 98 are laid")
    network = train(given.seats, given.updates)
    network.save(given.out)
    print(f"as learnt: {cards_laid(2000, given.seats, network):.1f} cards of 98 are laid; saved as {given.out}")
