"""Checks of who may know what: nothing a seat is shown, told or remembers depends on what it can't know."""

from random import Random
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.engine.knowledge import HIDDEN
from nevel.game.game import Game
from nevel.languages import mark
from nevel.tables.views.encoding import encode_board
from nevel.testing.check import check, fail
from nevel.testing.refusals import refusals
from nevel.testing.subject import Subject, erased, imagined, rekey

#: Larger than any game's observation, and no number an observation has.
NOT_WRITTEN = -99


@check(mark("Concealing leaves no trace of what a seat can't know"), is_slow=True)
def concealing_is_complete(subject: Subject) -> None:
    """Conceal a position for a seat, imagine the rest anew, conceal again: nothing is different, at every table.

    Concealing twice is the same as once. What was imagined is whole (`TestingParts.conserved`), and the seat observes
    the same of the truth, of what was imagined and of what was concealed. The message names the field: `conceal`
    leaves something in it that `imagine` then changes, or `imagine` changes what the seat knows.
    """
    conserved = subject.parts.conserved
    for number, (game, dice) in enumerate(subject.random_games(3, "conceal")):
        dealt = list(conserved(game.state)) if conserved else []
        for moment in subject.play(game, dice, is_sensible=number % 2 == 1, talk=0.2):
            if not moment.is_over and dice.random() >= 0.15:
                continue
            for seat in range(-1, moment.seats):
                seen = concealed(moment, seat)
                dream = imagined(moment, seat, dice)
                again = concealed(dream, seat)
                if fields := differing(again.state, seen.state):
                    fail(f"{fields} of seat {seat} differ after imagining and concealing again")
                if fields := differing(concealed(seen, seat).state, seen.state):
                    fail(f"{fields} of seat {seat} differ when a concealed position is concealed again")
                if conserved and list(conserved(dream.state)) != dealt:
                    fail(f"what seat {seat} imagines has {list(conserved(dream.state))} pieces; {dealt} were dealt")
                if seat >= 0:
                    observed = {observe(one, seat).tobytes() for one in (moment, dream, seen)}
                    if len(observed) > 1:
                        fail(f"seat {seat} observes something it can't know")


def concealed(game: Game, seat: int) -> Game:
    twin = game.copy()
    game.spec.rules.conceal(twin.state, seat)
    return twin


def differing(one: Any, two: Any) -> str:
    """The names of the fields that aren't the same."""
    return ", ".join(name for name in one.dtype.names if not np.array_equal(one[name], two[name]))


def observe(game: Game, seat: int) -> NDArray[np.int64]:
    """All numbers a seat observes, each of them written."""
    rules = game.spec.rules
    width = sum(length for _, length in rules.OBSERVATION)
    out = np.full(width, NOT_WRITTEN, np.int64)
    if rules.observe(game.state, seat, out) != width or (out == NOT_WRITTEN).any():
        fail(f"observe doesn't write all {width} numbers of rules.OBSERVATION, or gives another number than that")
    return out


@check(mark("Simulated games vary"))
def imagining_varies(subject: Subject) -> None:
    """With other chance `imagine` makes up other worlds: at several moments, ten tries give more than one.

    If it always makes up the same, searches would think that a seat knows everything.
    """
    seats = subject.some_seats(4)
    dice = subject.dice("varies")
    moments = [moment.copy() for moment in subject.play(subject.new(seats, 5), dice)][:-1]
    for moment in moments[:: max(1, len(moments) // 4)][:3]:
        dreams = set[bytes]()
        for _ in range(10):
            dream = imagined(moment, 0, dice)
            dream.state.chance[:] = 0
            dreams.add(dream.state.tobytes())
        if len(dreams) == 1:
            fail(f"after {len(moment.log)} moves seat 0 always imagines the same")


@check(mark("Observations match their description"))
def observations_fit(subject: Subject) -> None:
    """An observation begins with whether the seat is to act, and every number is within the bounds the lab tells.

    The first part of `rules.OBSERVATION` is `to_act`. Bounds are in the lab parts of the game.
    """
    from nevel.lab.task import Task

    if subject.spec.rules.OBSERVATION[0] != ("to_act", 1):
        fail("the first part of rules.OBSERVATION has to be to_act, one number")
    for seats, options in subject.tables:
        dice = subject.dice(("observe", seats, options))
        task = Task(subject.name, seats, options=options)
        low, high = task.bounds()
        for moment in subject.play(subject.new(seats, dice.getrandbits(64), options), dice, is_sensible=True):
            for seat in range(seats):
                seen = observe(moment, seat)
                if seen[0] != (seat in moment.waiting_for):
                    fail(f"to_act of seat {seat} is {seen[0]}, but {moment.waiting_for} are waited for")
                if ((seen < low) | (seen > high)).any():
                    at = int(np.flatnonzero((seen < low) | (seen > high))[0])
                    part = next(name for name, where in task.layout.items() if where.start <= at < where.stop)
                    fail(f"part {part} of an observation has {seen[at]}; the lab says {low[at]} to {high[at]}")


@check(mark("Nothing shown depends on what a seat can't know"))
def shown_is_known(subject: Subject) -> None:
    """The check that matters most. In 1,500 positions a variant, everything a seat (or a spectator) can't know is
    imagined anew: its view and its JSON, its prompt, its legal moves, who is waited for stay the same to the byte.

    If something differs, a view reads a field that is hidden from that seat, or legality depends on one.
    """
    differed = compared = 0
    for game, dice in subject.positions(1500 * min(len(subject.variants), 2), "shown"):
        seat = dice.randrange(-1, game.seats)
        twin = imagined(game, seat, dice)
        compared += 1
        differed += twin.state.tobytes() != game.state.tobytes()
        ours, theirs = shown(game, seat), shown(twin, seat)
        if ours != theirs:
            what = next(i for i, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1])
            fail(f"{SHOWN[what]} of seat {seat} shows what it can't know:\n{ours[what]}\n{theirs[what]}")
        if erased(twin, seat) != erased(game, seat):
            fail(f"what seat {seat} knows isn't the same in a world it can't tell apart")
    if differed <= 2 * compared // 3:
        fail("what is imagined is mostly the truth: then nothing is compared")


SHOWN = ("the view", "the view as JSON", "the prompt", "the list of legal moves", "waiting_for")


def shown(game: Game, seat: int) -> tuple[bytes, ...]:
    """Everything a seat is shown now."""
    whose = None if seat < 0 else seat
    encode = msgspec.json.encode
    view = encode(game.view(whose)), encode_board(game.vocabulary, game.position, whose)
    if seat < 0:
        return (*view, b"", b"", encode(game.waiting_for))
    legal = encode(np.flatnonzero(refusals(game.state, seat) == 0).tolist())
    return (*view, encode(game.prompt(seat)), legal, encode(game.waiting_for))


@check(mark("Nothing told depends on what a seat can't know"))
def told_is_known(subject: Subject) -> None:
    """Somebody moves in two worlds a seat can't tell apart: as long as nothing comes into the open, it hears the same.

    Secret moves (`rules.is_secret`) while others are still to choose, and the game's `TestingParts.quiet_moves`, must
    leave others with the same events and views, whatever was chosen or drawn. After any other move that a seat can
    make in both worlds: where the seat knows the same afterwards, it was told the same.
    """
    compared = 0
    for game, dice in subject.positions(1500 * min(len(subject.variants), 2), "told"):
        other = dice.choice(game.waiting_for)
        seat = dice.choice([seat for seat in range(-1, game.seats) if seat != other])
        ours, theirs = game.copy(), imagined(game, seat, dice)
        rekey(ours, dice)
        pair = moves_to_compare(subject, ours, theirs, other, dice)
        if pair is None:
            continue
        first, second, is_silent = pair
        left = [waited for waited in game.waiting_for if waited != other]
        ours.play(other, first)
        theirs.play(other, second)
        if ours.is_over or theirs.is_over:
            continue  # which everyone may know
        if is_silent and ours.waiting_for != theirs.waiting_for:
            continue  # somebody has finished sooner in one of the two worlds
        is_open = first in subject.parts.quiet_moves
        if not (is_silent and (left or is_open)) and erased(ours, seat) != erased(theirs, seat):
            continue  # something came into the open
        if told(ours, seat) != told(theirs, seat):
            fail(f"seat {seat} hears of “{first}” of seat {other}: {told(ours, seat)!r}\nor {told(theirs, seat)!r}")
        if shown(ours, seat) != shown(theirs, seat):
            fail(f"seat {seat} is shown something else after “{first}” than after “{second}” of seat {other}")
        compared += 1
    if compared <= 40 * subject.effort:
        fail("hardly any moves could be compared: give the game's quiet moves (TestingParts.quiet_moves)")


def moves_to_compare(
    subject: Subject, ours: Game, theirs: Game, seat: int, dice: Random
) -> tuple[str, str, bool] | None:
    """A move of a seat in each of two worlds; and whether the others learn nothing of it but that it was made."""
    prompt, twin_prompt = ours.prompt(seat), theirs.prompt(seat)
    if prompt is None or twin_prompt is None:
        fail(f"seat {seat} is asked in one of two worlds that others can't tell apart")
    if not twin_prompt.moves:
        return None  # what was imagined for that seat leaves it no move: such a game would have been over
    both = sorted(set(prompt.moves) & set(twin_prompt.moves))
    quiet = [move for move in both if move in subject.parts.quiet_moves]
    if quiet:
        return quiet[0], quiet[0], True
    rules, moves = subject.spec.rules, ours.vocabulary.moves
    first, second = dice.choice(prompt.moves), dice.choice(twin_prompt.moves)
    if rules.is_secret(ours.state, moves.parse(first).number) and len(ours.waiting_for) > 1:
        secret = rules.is_secret(theirs.state, moves.parse(second).number)
        return (first, second, True) if secret else None
    if not both:
        return None
    same = dice.choice(both)
    return same, same, False


def told(game: Game, seat: int) -> bytes:
    """What a seat heard of the last move."""
    return msgspec.json.encode([event for audience, event in game.log[-1].events if audience in (-1, seat)])


@check(mark("A seat remembers what it has seen"))
def memory_is_what_was_seen(subject: Subject) -> None:
    """`game.knowledge(seat)`, which is all a bot gets, has the concealed position before every move and now.

    Secret moves of others (`rules.is_secret`) are hidden in it, all other moves are there, also where the chance of a
    move came from outside.
    """
    dice = subject.dice("memory")
    most = 120
    for seed in range(4):
        seats = subject.some_seats(3)
        game = subject.new(seats, seed)
        seen: list[list[bytes]] = [[] for _ in range(seats)]
        secret: list[bool] = []
        for moment in subject.play(game, dice, is_sensible=seed % 2 == 1, talk=0.2):
            for seat in range(seats):
                seen[seat].append(erased(moment, seat))
            if moment.is_over or len(moment.log) == most:
                break
            if len(moment.log) % 10 == 3:  # the chance of a move may come from outside
                prompt = moment.prompts()[0]
                moment.play(prompt.seat, dice.choice(prompt.moves), key=f"{dice.getrandbits(128):032x}")
                for seat in range(seats):
                    seen[seat].append(erased(moment, seat))
                if moment.is_over:
                    break
        past = game.past()
        secret = [bool(game.spec.rules.is_secret(past.states[i], int(past.moves[i]))) for i in range(len(past.moves))]
        for seat in range(seats):
            knowledge = game.knowledge(seat)
            if [state.tobytes() for state in knowledge.states] != seen[seat]:
                fail(f"seat {seat} remembers other positions than it could see")
            expected = [
                HIDDEN if is_secret and entry.seat != seat else entry.move.number
                for entry, is_secret in zip(game.log, secret, strict=True)
            ]
            if knowledge.moves.tolist() != expected or knowledge.movers.tolist() != [entry.seat for entry in game.log]:
                fail(f"seat {seat} remembers other moves than it could see")
