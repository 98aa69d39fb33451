"""Checks of the bots: every level plays legal moves, keeps to its budget, and sees nothing its seat can't know."""

import threading
import time

import numpy as np

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LADDER, LEVELS
from nevel.bots.playing_out import decide, say
from nevel.bots.policy import POLICIES
from nevel.game.game import Game
from nevel.languages import mark
from nevel.testing.check import check, fail
from nevel.testing.subject import Subject, dealt_otherwise, erased

FEW = Budget(playouts=60)
#: What a search may take longer than it was given, on a busy machine: it looks at the clock between its batches.
SLACK_SECONDS = 2.0


@check(mark("Bots of every level play legal moves"), is_slow=True)
def bots_play_legally(subject: Subject) -> None:
    """Games with a bot of another level in every chair are played to their ends; what bots say is legal too.

    A bot that answers None would rather wait for another seat; one of those who are waited for has to start.
    """
    for number, (seats, options) in enumerate(subject.few_tables):
        game = subject.new(seats, 30 + number, options)
        levels = [LEVELS[(seat + number) % len(LEVELS)] for seat in range(seats)]
        bots = [Bot(level, seat, Budget(playouts=8)) for seat, level in enumerate(levels)]
        for _ in range(subject.spec.longest_game):
            if game.is_over:
                break
            bot_moves(game, bots, levels)
        else:
            fail(f"a game of {', '.join(levels)} doesn't end")


def bot_moves(game: Game, bots: list[Bot], levels: list[str]) -> None:
    """Somebody may say something; then one of those who are waited for moves."""
    waiting = game.waiting_for
    if game.vocabulary.hint_numbers and len(game.log) % 4 == 0:
        speaker = len(game.log) // 4 % game.seats
        said = bots[speaker].hint(game.knowledge(speaker))
        if said is not None:
            if said not in game.vocabulary.hint_numbers or not game.is_legal(speaker, game.vocabulary.moves[said]):
                fail(f"a {levels[speaker]} bot says {said}, which isn't allowed")
            game.play(speaker, game.vocabulary.moves[said])
            return
    for seat in waiting:
        number = bots[seat].move(game.knowledge(seat))
        if number is None:
            continue
        move = game.vocabulary.moves[number]
        if clause := game.why_not(seat, move):
            fail(f"a {levels[seat]} bot plays “{move}”, which {clause.id} forbids")
        game.play(seat, move)
        return
    prompt = game.prompts()[0]
    game.play(prompt.seat, prompt.moves[0])


@check(mark("Policies don't use what is concealed"))
def policies_never_peek(subject: Subject) -> None:
    """In simulations policies get the whole record, for speed: they answer as with the concealed one.

    If they don't, a policy reads a field that `conceal` erases for its seat.
    """
    dice = subject.dice("policies")
    compared = 0
    for seed in range(3):
        game = subject.new(subject.some_seats(3), seed)
        for moment in subject.play(game, dice, talk=0.2):
            if moment.is_over or compared >= subject.amount(400) * (seed + 1):
                break
            for seat in moment.waiting_for:
                seen = moment.knowledge(seat).state
                for name, policy in POLICIES.items():
                    rng, again = np.array([1, 2, 3, 4]), np.array([1, 2, 3, 4])
                    if decide(seen, seat, policy, rng, True) != decide(moment.state, seat, policy, again, True):
                        fail(f"{name} decides otherwise in seat {seat} when it sees everything")
                    if say(seen, seat, policy, rng, True) != say(moment.state, seat, policy, again, True):
                        fail(f"{name} says something else in seat {seat} when it sees everything")
                    compared += 1
    if compared <= 100 * subject.effort:
        fail("there was hardly anything to decide")


@check(mark("Bots answer the same in worlds their seat can't tell apart"), is_slow=True)
def bots_never_peek(subject: Subject) -> None:
    """Two deals that look the same from a seat: every level makes the same move, gives the same hint and evaluation.

    A bot only gets `game.knowledge(seat)`; if it answers otherwise, concealing leaves something of the truth, or the
    bot keeps something between its moves.
    """
    seats = subject.some_seats(3)
    for level in LEVELS:
        dice = subject.dice(("peek", level))
        differed = 0
        for seed in range(3):
            game = subject.new(seats, seed)
            seat = game.waiting_for[0]
            twin = dealt_otherwise(game, seat, dice)
            differed += twin.state.tobytes() != game.state.tobytes()
            start = subject.spec.start_move
            if start is not None and game.is_legal(seat, game.vocabulary.moves[start]):
                game.play(seat, game.vocabulary.moves[start])
                twin.play(seat, twin.vocabulary.moves[start])
            for _ in range(2):  # as long as only this seat moves, the two worlds look the same
                if seat not in game.waiting_for or erased(game, seat) != erased(twin, seat):
                    break
                number = same_answers(Bot(level, seed, FEW), game, twin, seat)
                game.play(seat, game.vocabulary.moves[number])
                twin.play(seat, twin.vocabulary.moves[number])
        if differed < 3:
            fail("deals that a seat can't tell apart are the same: then nothing is compared")


def same_answers(bot: Bot, game: Game, twin: Game, seat: int) -> int:
    ours, theirs = game.knowledge(seat), twin.knowledge(seat)
    number = bot.move(ours)
    if number is None or number != bot.move(theirs):
        fail(f"{bot.level} plays {number} in one world and {bot.move(theirs)} in the other")
    if bot.hint(ours) != bot.hint(theirs):
        fail(f"{bot.level} says something else in the other world")
    if bot.level in LADDER:
        if bot.evaluate(ours) != bot.evaluate(theirs):
            fail(f"{bot.level} evaluates the two worlds differently")
        if bot.expect(ours, 20) != bot.expect(theirs, 20):
            fail(f"{bot.level} expects something else in the other world")
    return number


@check(mark("Bots keep within their budget"))
def bots_keep_their_budget(subject: Subject) -> None:
    """Every level that people choose answers within its play-outs and seconds, and at once when it is told to stop.

    An evaluation has every legal move of the seat, with chances between 0 and 1.
    """
    game = subject.new(subject.some_seats(2), 8)
    seat = game.waiting_for[0]
    if subject.spec.start_move is not None and game.is_legal(seat, game.vocabulary.moves[subject.spec.start_move]):
        game.play(seat, game.vocabulary.moves[subject.spec.start_move])
    knowledge = game.knowledge(seat)
    legal = set(game.position.legal_moves(seat))
    for level in LADDER:
        found = Bot(level, 1, FEW).evaluate(knowledge)  # compiles what is measured below
        judged = {choice.move for choice in found.choices}
        if not legal <= judged or not judged <= legal | game.vocabulary.hint_numbers:
            fail(f"{level} evaluates {len(judged)} moves; {len(legal)} are legal")
        if any(not 0 <= choice.value <= 1 for choice in found.choices):
            fail(f"{level} finds chances to win below 0 or above 1")
        began = time.monotonic()
        Bot(level, 1, Budget(seconds=0.2)).move(knowledge)
        if (took := time.monotonic() - began) > 0.2 + SLACK_SECONDS:
            fail(f"{level} was given 0.2 seconds and took {took:.1f}")
        stopped = threading.Event()
        stopped.set()
        began = time.monotonic()
        number = Bot(level, 1, Budget(seconds=60)).move(knowledge, stopped)
        if (took := time.monotonic() - began) > SLACK_SECONDS:
            fail(f"{level} was told to stop and took {took:.1f} seconds")
        if number is not None and number not in legal:
            fail(f"{level} plays an illegal move when it is told to stop")
