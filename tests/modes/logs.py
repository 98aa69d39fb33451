"""Play fixed games and print a fingerprint of every position: the same in every mode, or the rules differ.

Run as a program, compiled or with NUMBA_DISABLE_JIT=1. It also goes where games seldom go, so that an interpreted run
executes every line of the rules.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

import nevel
from nevel.engine import chance, dispatch, narrow, stepping, tracing
from nevel.engine.knowledge import redraw
from nevel.game.box import Box
from nevel.game.registry import all_games, find
from nevel.games.the_game.rules.extreme_turn import NO_TRICK
from nevel.games.the_game.rules.table import PILE_HINTS, START

LAST_MOVES = 400

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "what-the-fog": [{}, {"long_game": 1}],
    "the-game": [{}, {"minimum": 3, "fewer_cards": 1}],
    "extreme": [{}, {"minimum": 3, "random_commands": 1}],
    "misty": [{}, {"beginners": 1}],
}


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=6).hexdigest()


def knowledge(game: nevel.Game, dice: random.Random) -> Iterator[str]:
    """Conceal, imagine, observe, judge: what bots and learners ask of a position."""
    rules = game.spec.vocabulary.rules
    seat = dice.randrange(-1, game.seats)
    yield from imagined(game, seat, dice)
    out = np.zeros(1000, np.int64)
    count = rules.observe(game.state, max(seat, 0), out)
    assert count == sum(length for _, length in rules.OBSERVATION)
    yield digest(out.tobytes())
    yield repr([int(rules.refusal(game.state, max(seat, 0), number)) for number in range(rules.MOVES)])
    yield repr(game.position.losing_clauses(max(seat, 0), list(game.position.legal(max(seat, 0)))))


def imagined(game: nevel.Game, seat: int, dice: random.Random) -> Iterator[str]:
    """What a seat knows, and a guess at the rest."""
    twin = game.copy()
    game.spec.vocabulary.rules.conceal(twin.state, seat)
    yield digest(twin.state.tobytes())
    chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
    game.spec.vocabulary.rules.imagine(twin.state, seat)
    yield digest(twin.state.tobytes())


def answer(game: nevel.Game, seat: int, dice: random.Random) -> nevel.Move:
    """Any legal move, preferring small steps in The Game so that games last."""
    vocabulary = game.vocabulary
    moves = [move for move in game.legal_moves(seat) if not vocabulary.is_hint(move)]
    if vocabulary.name in ("the-game", "extreme") and game.state.phase == 1 and dice.random() < 0.9:
        moves.sort(key=lambda move: step(game, move))
        moves = moves[:2]
        safe = [move for move in moves if game.why_lost(seat, move) is None]
        moves = safe or moves
    return dice.choice(moves)


def step(game: nevel.Game, move: nevel.Move) -> int:
    card, pile = divmod(move.number, 4)
    if card >= 98:
        return 3
    distance = card + 2 - int(game.state.tops[pile])
    return distance if pile < 2 else -distance


def play(game: nevel.Game, dice: random.Random) -> Iterator[str]:
    yield f"{game.name} {game.seats} {game.options} {game.fingerprint()}"
    often = 0.04 if game.box.is_ours else 0.3
    while not game.is_over and len(game.log) < LAST_MOVES * 4:
        if dice.random() < often:
            yield from knowledge(game, dice)
        if dice.random() < 0.1 and (hints := game.hints(speaker := dice.randrange(game.seats))):
            game.play(speaker, dice.choice(hints))
            yield game.log[-1].after
        seat = dice.choice(game.waiting_for)
        move = answer(game, seat, dice)
        yield str(game.why_lost(seat, move))
        game.play(seat, move, key=f"{dice.getrandbits(128):032x}" if len(game.log) == 5 else None)
        yield f"{seat} {game.log[-1].move} {game.log[-1].after}"
    yield from knowledge(game, dice)
    yield repr(game.outcome)
    if game.seats == 2:  # one a variant is enough: the whole game is played again
        remembered = game.knowledge(dice.randrange(game.seats))
        yield digest(remembered.states.tobytes() + remembered.moves.tobytes())
        assert remembered.state.tobytes() == remembered.states[-1].tobytes()
        yield from drawn_again(game, dice)


def drawn_again(game: nevel.Game, dice: random.Random) -> Iterator[str]:
    """The game as it was, and what else its last move might have led to."""
    past = game.past()
    yield digest(past.states.tobytes() + past.drew.tobytes())
    assert past.states[-1].tobytes() == game.state.tobytes()
    states = dispatch.new_states(game.spec.vocabulary.rules, 4)
    states[0] = past.states[-2]
    mover, move = int(past.movers[-1]), int(past.moves[-1])
    for is_hidden_too in (False, True):
        redraw(states, mover, mover, move, is_hidden_too, np.array([dice.getrandbits(32) for _ in range(4)]))
        yield digest(states.tobytes())


def games() -> Iterator[nevel.Game]:
    for name, variants in OPTIONS.items():
        low, high = find(name).vocabulary.rules.SEATS
        for seats in range(low, high + 1):
            # Every number of seats, and every variant with several: interpreted games take long.
            for number, options in enumerate(variants):
                if seats == low or number == seats % len(variants):
                    yield nevel.new(name, seats, seed=100 * seats + number, **options)
    # Days full of symbols: hands run out of hidden cards, the deck runs out, returned tokens come back.
    yield nevel.new("what-the-fog", 5, seed=1, box=fog_box(["swap", "swap", "reveal", "reveal"]))
    yield nevel.new("what-the-fog", 5, seed=2, box=fog_box(["swap", "swap", "swap", "swap"]))
    # Windows in which nothing moves.
    content = Box.of("misty").content
    cards = {kind: {**card, "arrow": ""} for kind, card in content["cards"].items()}
    yield nevel.new("misty", 2, seed=1, box=Box({**content, "cards": cards}))
    # Drawings with either direction.
    cards = {**content["cards"], "truck": {**content["cards"]["truck"], "turned": 2}}
    yield nevel.new("misty", 2, seed=2, box=Box({**content, "cards": cards}))


def fog_box(parts: list[str], **tokens: int) -> Box:
    """A box of What the Fog?! with other days and tokens."""
    content = dict(Box.of("what-the-fog").content)
    content["days"] = {str(day): parts for day in range(1, 8)}
    if tokens:
        content["tokens"] = {pair: tokens.get(pair.replace("-", "_"), 0) for pair in content["tokens"]}
    return Box(content)


def hidden_backs(dice: random.Random) -> Iterator[str]:
    """Rain showing on a day, a pile, in a hand or in the supply, where one token only has rain: guesses go wrong."""
    for place in range(4):
        game = nevel.new("what-the-fog", 2, seed=1, box=fog_box([""] * 4, rain_snow=1, snow_fog=44))
        s = game.state
        s.day[:4, 0] = 2
        s.top[:] = 2
        if place == 0:
            s.day[3, 0] = 1
        elif place == 1:
            s.top[2] = 1
        elif place == 2:
            s.lifted = 1
        else:
            s.returned[0] = 1
        for _ in range(60):
            yield from imagined(game, 0, dice)


def scarce_backs(dice: random.Random) -> Iterator[str]:
    """Snow wherever it can lie and a single token of it to spare: guesses at backs fail. Then one rain too many."""
    game = nevel.new("what-the-fog", 2, seed=1, box=fog_box([""] * 4, rain_snow=1, snow_fog=31, fog_sun=13))
    s = game.state
    s.day[:, :] = 2
    s.filled[:] = 4
    s.day[6, 3], s.filled[6], s.returned[1] = 0, 3, 1
    s.top[:] = 2
    s.pile_size[:] = 1
    s.lifted = 1
    for _ in range(20):
        yield from imagined(game, 0, dice)
    s.top[0] = 1
    yield from imagined(game, 0, dice)


def nothing_to_reveal() -> str:
    """Somebody without hidden cards while the others choose: hands are equal, so only a strange box leads there."""
    game = nevel.new("what-the-fog", 2, seed=1)
    game.state.phase = 3
    game.state.held[1] = 0
    return str(game.why_not(1, "reveal fog"))


def talk() -> Iterator[str]:
    """Everything that can be said and taken back."""
    game = nevel.new("extreme", 3, seed=4, open_tricks=1)
    for seat, text in (
        (0, "hint start 2"),
        (1, "hint start 3"),
        (0, "hint start none"),
        (2, "hint hold stop"),
        (2, "hint hold stop none"),
        (1, "start"),
        (1, "hint hold skull"),
        (1, "hint up1 leave"),
        (0, "hint up2 jump"),
        (0, "hint up2 none"),
    ):
        game.play(seat, text)
        yield game.fingerprint()


def any_record(dice: random.Random) -> Iterator[str]:
    """The same rules by way of the record. Games that nobody watches are in `environments`."""
    out = np.zeros((5, 2), np.int64)
    seen = np.zeros(1000, np.int64)
    for name in OPTIONS:
        spec = find(name)
        options = spec.vocabulary.option_numbers(spec.vocabulary.read_options({}))
        trace = tracing.blank(0)
        s = dispatch.new_states(spec.vocabulary.rules)[0]
        chance.key(s.chance, 1, 2, 3, 4)
        dispatch.setup(s, 2, Box.of(name).numbers, options, trace)
        for _ in range(300):
            waiting = int(dispatch.waiting(s))
            if not waiting:
                break
            seat = 0 if waiting & 1 else 1
            legal = [move for move in range(spec.vocabulary.rules.MOVES) if dispatch.refusal(s, seat, move) == 0]
            move = dice.choice(legal)
            dispatch.losing_clause(s, seat, move)
            dispatch.apply(s, seat, move, trace)
        dispatch.outcome(s, out)
        dispatch.observe(s, 0, seen)
        dispatch.conceal(s, 0)
        chance.key(s.chance, 5, 6, 7, 8)
        dispatch.imagine(s, 0)
        yield digest(s.tobytes() + out.tobytes() + seen.tobytes())
    try:
        dispatch.rules_of(np.zeros(1, np.dtype([("nothing", "i8")]))[0])
    except TypeError as problem:
        yield str(problem)
    yield from same_records()


def same_records() -> Iterator[str]:
    """Records for a GPU, and what is refused when two modules have the same record or a type is nobody's."""
    for spec in all_games().values():
        yield str(narrow.narrowed(spec.rules.STATE, spec.rules.WIDER_FIELDS))
    twin = ModuleType("twin")
    vars(twin)["STATE"] = find("misty").rules.STATE
    sys.modules["twin"] = twin
    try:
        dispatch.register("twin")
    except ValueError as problem:
        yield str(problem)
    try:
        dispatch.rules_of_type("nobody's")
    except KeyError as problem:
        yield str(problem)


def environments() -> Iterator[str]:
    """Several games a step, with and without hints, rewarded by points or by winning, in boxes that deal badly too."""
    skulls = Box.of("extreme").numbers.copy()
    skulls[0] = 4  # with a card fewer, three cards of which three must be played: three skulls can't be
    skulls[5 + 2 : 5 + 60] = 2
    for name, seats, hints, by_points, options, box in (
        ("the-game", 3, True, 1, [2, 0, 1], None),
        ("the-game", 1, False, 0, [3, 1, 0], None),
        ("extreme", 2, True, 0, [2, 0, 0, 1], None),
        ("extreme", 1, False, 1, [3, 1, 0, 1], skulls),
        ("what-the-fog", 2, False, 1, [1], None),
        ("what-the-fog", 3, False, 0, [0], None),
        ("misty", 3, False, 0, [1], None),
    ):
        rules = find(name).vocabulary.rules
        together = name in ("the-game", "extreme")
        wait = PILE_HINTS if together and not hints else rules.MOVES
        terms = np.array(
            [seats, wait, PILE_HINTS if together else wait, START if together else -1, by_points, together], np.int64
        )
        yield from stepped(rules, Box.of(name).numbers if box is None else box, np.array(options, np.int64), terms)


def stepped(rules: Any, box: Any, options: Any, terms: Any) -> Iterator[str]:
    games, seats, wait = 3, int(terms[0]), int(terms[1])
    states = dispatch.new_states(rules, games)
    keys = np.arange(1, 1 + games * 4).reshape(games, 4)
    states["chance"] = keys
    masks = np.zeros((games, -(-(wait + 1) // stepping.MASK_STEP) * stepping.MASK_STEP), np.int8)
    seen = np.zeros((games, sum(length for _, length in rules.OBSERVATION)), np.int8)
    asked, choices, clauses = np.zeros((3, games), np.int32)
    points, last_points = np.zeros((2, games, seats), np.int32)
    rewards, done = np.zeros((games, seats), np.float32), np.zeros(games, np.bool_)
    won, actions = np.zeros((games, seats), np.bool_), np.zeros(games, np.int64)
    out, rng, deals = np.zeros((5, 2), np.int64), np.array([1, 2, 3, 4]), keys + 100
    setup = stepping.GameSetup(box, options, terms, 0.5)
    batch = stepping.Batch(
        states, deals, asked, masks, choices, seen, rewards, done, points, clauses, last_points, won, out
    )  # fmt: skip
    stepping.deal_all(batch, setup)
    ended = 0
    for number in range(2000):
        stepping.choose_any(masks.view(np.int64), choices, rng, actions)
        assert stepping.first_illegal(masks, actions) == -1
        stepping.step_all(batch, setup, actions)
        ended += int(done.sum())
        if number % 10 == 0 or done.any():
            shown = (asked, masks, choices, seen, rewards, done, clauses, last_points, won)
            yield digest(b"".join(array.tobytes() for array in shown))
        if ended > 3:
            break
    actions[:] = wait if masks[1, wait] == 0 else wait + 1
    yield str(stepping.first_illegal(masks, actions))
    seat = int(asked[0])
    yield str(stepping.look(states, seat, terms, masks[0], seen[0]))
    yield str(stepping.act_once(states, seat, int(masks[0].argmax()), terms, None, out))


def endings() -> Iterator[nevel.Game]:
    """Positions of The Game and Extreme just before each kind of end, and with rare commands in hand."""
    for name, tops, hand, move in (
        ("extreme", [1, 1, 100, 100], [10, 42, 50, 60, 70], "play 10 up1"),
        ("the-game", [98, 98, 3, 3], [99], "play 99 up1"),
        ("the-game", [98, 97, 3, 3], [99, 98], "play 99 up1"),
        ("extreme", [98, 98, 9, 3], [7], "play 7 down1"),
        ("extreme", [98, 98, 3, 11], [10], "play 10 down2"),
        ("extreme", [98, 98, 3, 3], [99], "play 99 up1"),
        ("extreme", [98, 98, 3, 11], [10, 9], "play 10 down2"),
        ("extreme", [98, 98, 3, 11], [7, 96, 97], "play 7 down2"),
        ("extreme", [40, 98, 3, 3], [42, 99], "play 42 up1"),
    ):
        game = nevel.new(name, 1, seed=1)
        lay(game, tops, hand)
        clause = game.why_lost(0, move)
        game.play(0, move)
        sys.stdout.write(f"{name} {hand} {clause and clause.id} {game.outcome} {game.why_not(0, 'play 42 up1')}\n")
        yield game


def skipped() -> Iterator[str]:
    """A player without cards is passed over."""
    game = nevel.new("the-game", 3, seed=1)
    game.play(0, "start")
    lay(game, [50, 50, 50, 50], [51, 52])
    game.state.held[1:3] = [0, 1]
    game.state.hand[2, 0] = 60
    game.state.where[70] = 3
    game.play(0, "play 51 up1")
    game.play(0, "end turn")
    yield f"{game.waiting_for} {game.fingerprint()}"


def jumps() -> Iterator[str]:
    """Cards that only jumps let one play: two at once, one that makes room for another. And the least a turn asks."""
    for need in (1, 3, 4):
        game = nevel.new("the-game", 1, seed=1)
        lay(game, [90, 85, 10, 15], [91, 75, 25, 80])
        game.state.need = need
        yield f"{game.why_lost(0, 'play 91 up1')} {game.why_not(0, 'end turn')}"
    # One more can be played: none after it, and another by a jump.
    for hand in ([91, 99, 50], [91, 81, 71]):
        game = nevel.new("the-game", 1, seed=1)
        lay(game, [90, 98, 3, 3], hand)
        game.state.need = 3
        yield str(game.why_lost(0, "play 91 up1"))


def forbidden_jump() -> str:
    """A jump back while a card lies open that forbids it."""
    game = nevel.new("extreme", 1, seed=1)
    forbidding = int(np.flatnonzero(game.state.command == NO_TRICK)[0])
    lay(game, [50, forbidding, 90, 95], [40, 60])
    return f"{game.why_not(0, 'play 40 up1')} {game.why_not(0, 'play 60 up1')}"


def lay(game: nevel.Game, tops: list[int], hand: list[int]) -> None:
    """The last cards: everything else is on the piles."""
    s = game.state
    s.tops[:] = tops
    s.left = 0
    s.deck[:] = 0
    s.where[:] = 0
    s.where[12:110] = 9
    s.hand[:] = 0
    s.held[0] = len(hand)
    s.hand[0, : len(hand)] = hand
    for card in hand:
        s.where[10 + card] = 1
    s.need = 1
    s.began = len(hand)


def main() -> None:
    dice = random.Random(7)
    for game in games():
        for line in play(game, dice):
            sys.stdout.write(line + "\n")
    for game in endings():
        sys.stdout.write(game.fingerprint() + "\n")
    for lines in (hidden_backs(dice), scarce_backs(dice), talk(), skipped(), jumps(), any_record(dice), environments()):
        for line in lines:
            sys.stdout.write(line + "\n")
    sys.stdout.write(f"{nothing_to_reveal()}\n{forbidden_jump()}\n")
    rng = np.zeros(4, np.int64)
    chance.key(rng, 0, 0, 0, 0)
    sys.stdout.write(f"{rng.tolist()}\n")
    for parent in (np.array([1, 2, 3, 4]), np.zeros(4, np.int64)):
        chance.branch(rng, parent)
        # A bound for which a quarter of all words is rejected.
        sys.stdout.write(f"{rng.tolist()} {[int(chance.below(rng, 3 << 29)) for _ in range(20)]}\n")


if __name__ == "__main__":
    main()
