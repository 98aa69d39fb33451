"""Checks of the rules: deals, legal moves and refusals, conservation, how games end, how many ways they can go."""

from typing import Any

import numpy as np

from nevel.bots.playing_out import play_out
from nevel.bots.policy import POLICIES
from nevel.engine import dispatch, tracing
from nevel.engine.legality import mark_legal
from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.game.move import IllegalMoveError
from nevel.languages import LANGUAGES, language, mark
from nevel.testing.check import check, fail, skip
from nevel.testing.refusals import refusals
from nevel.testing.subject import Options, Subject

#: How many ways a perft of words may count before it stops: each of them is a game that is copied and played.
MOST_WAYS = 4000


@check(mark("The same seed deals the same game"))
def seeds_decide(subject: Subject) -> None:
    """A seed decides everything that is drawn, and nothing else does.

    If two deals with one seed differ, something draws from another source than `s.chance` or keeps state between games.
    If other seeds deal the same, `setup` draws nothing: every game here has something hidden or random.
    """
    for seats in subject.spec.seats:
        first, again, other = (subject.new(seats, seed).fingerprint() for seed in (5, 5, 6))
        if first != again:
            fail(f"seed 5 deals {seats} players two different games")
        if first == other:
            fail(f"seeds 5 and 6 deal {seats} players the same game")
        if Game(subject.spec, seats).fingerprint() == Game(subject.spec, seats).fingerprint():
            fail("two games without a seed are the same")
    ends = set[bytes]()
    for _ in range(2):
        game = subject.new(subject.some_seats(2), 77)
        *_, last = subject.play(game, subject.dice("seeds"))
        ends.add(last.state.tobytes())
    if len(ends) != 1:
        fail("the same deal and the same moves led to different ends")


@check(mark("Legal moves are those that aren't refused"), is_slow=True)
def legal_moves_agree(subject: Subject) -> None:
    """In random and sensible games at every table: `mark_moves` marks exactly the moves `refusal` doesn't refuse.

    Whoever is waited for has a move, whoever isn't has hints at most, and every refusal is a clause of the rulebook.
    The message has the seat, the move and the clause: either `mark_moves` or `refusal` is wrong there.
    """
    reached = 0
    for number, (game, dice) in enumerate(subject.random_games(20, "legal")):
        for moment in subject.play(game, dice, is_sensible=number % 2 == 1, talk=0.2 if number % 4 == 1 else 0.0):
            compare_legality(subject, moment)
            reached += 1
    if reached < 10:
        fail("games are over before anything can be compared")


def compare_legality(subject: Subject, game: Game) -> None:
    """What is marked, what is refused and who is waited for, for every seat of a position."""
    rules, vocabulary, state = subject.spec.rules, subject.spec.vocabulary, game.state
    first_hint = len(vocabulary.moves) - len(vocabulary.hint_numbers)
    known = subject.spec.rulebook.by_code
    waiting = int(rules.waiting(state))
    for seat in range(game.seats):
        codes = refusals(state, seat)
        legal = codes == 0
        for size in {rules.MOVES, first_hint}:
            mask = np.full(size, 7, np.int8)
            count = rules.mark_moves(state, seat, mask)
            if wrong := np.flatnonzero((mask != 0) != legal[:size]).tolist():
                move, played = vocabulary.moves[wrong[0]], [str(entry.move) for entry in game.log][-5:]
                marks = "marks" if mask[wrong[0]] else "doesn't mark"
                fail(f"seat {seat}: mark_moves {marks} “{move}”, refusal says {codes[wrong[0]]}, after {played}")
            if count != mask.sum():
                fail(f"mark_moves says it marked {count} of seat {seat}'s moves; it marked {mask.sum()}")
        if unknown := set(codes[codes != 0].tolist()) - set(known):
            fail(f"seat {seat} is refused by {unknown}, which is no clause of the rulebook")
        is_waited_for, plays = bool(waiting >> seat & 1), int(legal[:first_hint].sum())
        if is_waited_for != (plays > 0):
            fail(f"seat {seat} is{'' if is_waited_for else ' not'} waited for, but has {plays} moves")


@check(mark("Moves are listed, played and refused in words as by the rules"))
def words_follow_rules(subject: Subject) -> None:
    """Prompts, legal moves, hints and warnings of a `Game` say what the rules say of each single move.

    Every legal move can be played; every other one raises an IllegalMoveError with its clause and changes nothing.
    Whoever is asked can answer. After the end nobody is asked and everything is refused.
    """
    for seats, options in subject.tables:
        dice = subject.dice(("words", seats, options))
        game = subject.new(seats, dice.getrandbits(128), options)
        for moment in subject.play(game, dice, is_sensible=dice.random() < 0.5):
            if dice.random() < 0.1:
                for seat in [*range(game.seats), None]:
                    moment.view(seat)
            if moment.is_over or dice.random() < 0.05:
                played = dice.randrange(seats) if dice.random() < 0.4 or moment.is_over else None
                for seat in range(seats):
                    compare_words(moment, seat, is_playing=seat == played)


def compare_words(game: Game, seat: int, is_playing: bool) -> None:
    vocabulary, moves = game.vocabulary, game.vocabulary.moves
    legal = [move for move in moves.all if game.is_legal(seat, move)]
    if game.legal_moves(seat) != legal:
        fail(f"legal_moves({seat}) isn't the list of moves for which is_legal says yes")
    plays = [move for move in legal if not vocabulary.is_hint(move)]
    if game.position.legal_moves(seat) != [move.number for move in plays]:
        fail(f"position.legal_moves({seat}) isn't the list of legal moves without hints")
    said = np.frombuffer(game.position.legal_hints(seat), np.int16).tolist()
    if said != [move.number for move in game.hints(seat)]:
        fail(f"position.legal_hints({seat}) isn't the list of legal hints")
    lost = {move.text: clause for move in plays if (clause := game.why_lost(seat, move))}
    if game.lost_moves(seat) != lost:
        fail(f"lost_moves({seat}) isn't what why_lost says of each move")
    if lost and not game.spec.can_lose_at_once:
        fail(f"{', '.join(lost)} can only lose (rules.losing_clause), but spec.can_lose_at_once is False")
    prompt = game.prompt(seat)
    if (prompt is not None) != (seat in game.waiting_for):
        fail(f"seat {seat} is{'' if prompt else ' not'} asked, but waiting_for is {game.waiting_for}")
    if prompt and list(prompt.moves) != [move.text for move in plays]:
        fail(f"seat {seat} is offered other moves than the legal ones")
    if is_playing:
        try_every_move(game, seat)


def try_every_move(game: Game, seat: int) -> None:
    before = game.fingerprint()
    for move in game.vocabulary.moves.all:
        clause, twin = game.why_not(seat, move), game.copy()
        try:
            twin.play(seat, move)
        except IllegalMoveError as refused:
            if (
                clause is None
                or refused.clause != clause
                or twin.fingerprint() != before
                or len(twin.log) != len(game.log)
            ):
                fail(f"“{move}” is refused by {refused.clause.id}, why_not says {clause and clause.id}")
        else:
            if clause is not None:
                fail(f"“{move}” is played, though why_not says {clause.id}")
            if len(twin.log) != len(game.log) + 1:
                fail(f"“{move}” isn't in the log after it was played")
    if game.fingerprint() != before:
        fail("playing on in a copy changed the game")


@check(mark("Nothing is lost and nothing appears"))
def pieces_are_conserved(subject: Subject) -> None:
    """The pieces a game counts (`TestingParts.conserved`) are the same from the deal to the end, at every table.

    If they differ, the message has the last move: `apply` puts a piece in two places or forgets to put it anywhere.
    """
    conserved = conserved_by(subject)
    for number, (game, dice) in enumerate(subject.random_games(5, "conserved")):
        dealt = list(conserved(game.state))
        for moment in subject.play(game, dice, is_sensible=number % 2 == 1):
            now = list(conserved(moment.state))
            if now != dealt:
                last = moment.log[-1]
                fail(f"after “{last.move}” of seat {last.seat} there are {now} pieces; {dealt} were dealt")


def conserved_by(subject: Subject) -> Any:
    """What counts the pieces, or a skip where the game counts nothing."""
    if subject.parts.conserved is None:
        skip(mark("it counts no pieces (TestingParts.conserved)"))
    return subject.parts.conserved


@check(mark("Every game ends, with a result"), is_slow=True)
def games_end(subject: Subject) -> None:
    """At every table games between random players and between simple bots end within `spec.longest_game` moves.

    The result is None before the end; then it has a clause, points for every seat, and winners: all or nobody where
    players win together, at least one where they don't. It can be told in every language.
    """
    rng = np.array([1, 2, 3, 4], np.int64)
    for number, (game, dice) in enumerate(subject.random_games(5, "ends")):
        for moment in subject.play(game, dice, is_sensible=number % 2 == 1):
            if not moment.is_over and (moment.outcome is not None or not moment.waiting_for):
                fail(f"nobody is waited for, or there is a result ({moment.outcome}), before the game is over")
        check_end(subject, game)
    for seats, options in subject.tables:
        for policy in ("random", "simple"):
            for seed in range(subject.amount(12)):
                game = subject.new(seats, seed, options)
                moves = int(play_out(game.state, np.full(seats, POLICIES[policy], np.int64), rng, None, None))
                if not 0 <= moves <= subject.most_moves(seats) or not game.is_over:
                    fail(f"a game of {seats} {policy} bots with {options} doesn't end: {moves} moves")
                check_ending(subject, game)
                if subject.parts.conserved:
                    dealt = list(subject.parts.conserved(subject.new(seats, seed, options).state))
                    if list(subject.parts.conserved(game.state)) != dealt:
                        fail(f"pieces were lost in a game of {seats} {policy} bots")


def check_end(subject: Subject, game: Game) -> None:
    outcome = game.outcome
    if outcome is None or game.prompts() or game.waiting_for:
        fail("a game is over without a result, or somebody is still asked something")
    if outcome.clause not in subject.spec.rulebook or len(outcome.points) != game.seats:
        fail(f"the result {outcome} needs a clause of the rulebook and points for each of {game.seats} seats")
    check_ending(subject, game)
    if subject.spec.is_cooperative:
        if len(outcome.winners) not in (0, game.seats) or len(set(outcome.points)) != 1:
            fail(f"players win or lose together (spec.is_cooperative), but the result is {outcome}")
    elif not outcome.winners:
        fail("a game between opponents ended without a winner")
    for seat in range(game.seats):
        if not refusals(game.state, seat).all():
            fail(f"the game is over, but seat {seat} has legal moves")
    for code in LANGUAGES:
        sentence = game.vocabulary.tell_outcome(outcome, Teller(language(code)))
        if not sentence.endswith(".") or "{" in sentence:
            fail(f"the result is told in {code} as {sentence!r}")


def check_ending(subject: Subject, game: Game) -> None:
    """The game ended by a clause it can end by, and somebody won if and only if that clause says so."""
    ends, outcome = subject.parts.ends, game.outcome
    if ends and outcome and ends.get(outcome.clause) is not bool(outcome.winners):
        fail(f"a game ended by {outcome.clause} with the winners {outcome.winners}; TestingParts.ends is {ends}")


@check(mark("The number of possible continuations is exact"))
def perft_agrees(subject: Subject) -> None:
    """From fixed deals, lines of one, two, three moves are counted twice: by the compiled rules, and with `Game`s.

    Where the game gives exact numbers (`TestingParts.perft`), as chess programs do, they are counted too: a rule
    that lets one move too many or too few through changes them. If that is meant, correct them and raise rules.VERSION.
    """
    for seats in {subject.spec.seats[0], subject.spec.usual_seats}:
        options = subject.variants[-1]
        counted = ways_in_words(subject, seats, options)
        by_rules = ways(subject, seats, 1, len(counted), options)
        if counted != by_rules:
            fail(f"{seats} seats, {options}: games in words go on in {counted} ways, by the rules in {by_rules}")
    for (seats, seed), expected in subject.parts.perft.items():
        found = ways(subject, seats, seed, len(expected))
        if found != list(expected):
            fail(f"{seats} seats, seed {seed}: there are {found} ways to go on, not {list(expected)}")


def ways(subject: Subject, seats: int, seed: int, depth: int, options: Options | None = None) -> list[int]:
    """The number of lines of 1, 2, … `depth` moves; hints are no moves here, or there would be no end of them."""
    rules, vocabulary = subject.spec.rules, subject.spec.vocabulary
    states: Any = dispatch.new_states(rules, depth + 1)
    states[0] = subject.new(seats, seed, options).state
    counts = [0] * depth
    no_trace = tracing.blank(0)
    mask = np.zeros(rules.MOVES, np.int64)
    plays = np.array([not vocabulary.is_hint(move) for move in vocabulary.moves.all])

    def explore(level: int) -> None:
        s = states[level]
        waiting = int(rules.waiting(s))
        for seat in (seat for seat in range(seats) if waiting >> seat & 1):
            mark_legal(s, seat, mask)
            for move in np.flatnonzero((mask != 0) & plays).tolist():
                counts[level] += 1
                if level + 1 < depth:
                    states[level + 1] = states[level]
                    rules.apply(states[level + 1], seat, move, no_trace)
                    explore(level + 1)

    explore(0)
    return counts


def ways_in_words(subject: Subject, seats: int, options: Options) -> list[int]:
    """The same with games that are copied, asked and played, as deep as a few thousand ways lead."""
    games, counts = [subject.new(seats, 1, options)], list[int]()
    while games and sum(counts) < MOST_WAYS and len(counts) < 3:
        answers = [(game, prompt.seat, move) for game in games for prompt in game.prompts() for move in prompt.moves]
        counts.append(len(answers))
        if sum(counts) + len(answers) * 4 > MOST_WAYS:
            break
        games = list[Game]()
        for game, seat, move in answers:
            twin = game.copy()
            twin.play(seat, move)
            games.append(twin)
    return counts
