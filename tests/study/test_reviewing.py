"""Reviews: the parts make up the result, nothing is known too early, blunders are found."""

import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

import nevel
from nevel.bots.assessment import share_of_victory
from nevel.bots.bot import Bot
from nevel.engine import dispatch
from nevel.engine.knowledge import HIDDEN, Knowledge
from nevel.game.game import Entry
from nevel.game.history import History
from nevel.games.misty.rules.window import score
from nevel.games.the_game.rules.table import CARDS, LOWEST, MARGIN, ON_A_PILE
from nevel.players.seating import seat_players
from nevel.players.table import play_to_end
from nevel.study.perspective import ReviewStoppedError, SeatPerspective
from nevel.study.review import Review, Swing
from nevel.study.reviewing import KEY_MOMENTS, TELLING, Reviewing
from tests.own_games import OWN_GAMES

FEW = 8


def played(name: str, seats: int, seed: int = 1, level: str = "simple", **options: Any) -> nevel.Game:
    """A whole game between bots."""
    game = nevel.new(name, seats=seats, seed=seed, **options)
    play_to_end(game, dict(seat_players(level, range(seats), seed)))
    return game


def part_of(game: nevel.Game, moves: int) -> nevel.Game:
    """The same game, some moves in."""
    part = nevel.new(game.name, seats=game.seats, seed=game.seed, **dict[str, Any](game.options))
    for entry in game.log[:moves]:
        part.play(entry.seat, entry.move)
    return part


def check_sums(game: nevel.Game, review: Review) -> None:
    assert len(review.accounts) == game.seats
    for seat, account in enumerate(review.accounts):
        assert len(account.chances) == len(game.log) + 1 == len(account.swings) + 1
        assert account.prior + account.dealt == pytest.approx(account.chances[0], abs=1e-9)
        for move, swing in enumerate(account.swings):
            assert swing.whole == pytest.approx(account.chances[move + 1] - account.chances[move], abs=1e-9)
            assert swing.you <= 0
            if game.log[move].seat != seat:
                assert swing.you == 0
        if game.is_over:
            assert account.chances[-1] == share_of_victory(game.state, seat)
        totals = account.totals
        assert account.prior + totals.you + totals.others + totals.deal == pytest.approx(account.chances[-1], abs=1e-9)
        costs = sum(decision.cost for decision in review.decisions if decision.seat == seat)
        assert totals.you == pytest.approx(-costs, abs=1e-9)
        assert all(0 <= chance <= 1 for chance in account.chances)
        assert len(account.key_moments) <= KEY_MOMENTS
        for moment in account.key_moments:
            swing = account.swings[moment]
            assert max(abs(swing.whole), -swing.you) >= TELLING
        assert account.accuracy is None or 0 <= account.accuracy <= 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("what-the-fog", 2, {}),
        ("what-the-fog", 3, {"long_game": 1}),
        ("the-game", 1, {}),
        ("the-game", 2, {}),
        ("the-game", 3, {}),
        ("extreme", 4, {}),
        ("misty", 2, {}),
        ("misty", 4, {"beginners": 1}),
    ],
)
def test_the_parts_make_up_the_result(name: str, seats: int, options: dict[str, Any]) -> None:
    game = played(name, seats, **options)
    review = Reviewing(game, FEW).run()
    check_sums(game, review)
    for decision in review.decisions:
        assert game.log[decision.at].seat == decision.seat
        assert game.log[decision.at].move.text == decision.move == decision.chosen.move
        assert len(decision.options) > 1
        assert (
            decision.cost == pytest.approx(max(decision.best.chance - decision.chosen.chance, 0)) or not decision.cost
        )
        assert not decision.cost or decision.best.move != decision.move
        assert not any(game.vocabulary.is_hint(game.vocabulary.moves.parse(each.move)) for each in decision.options)
    text = msgspec.json.encode(review)
    assert msgspec.json.decode(text, type=Review) == review


def test_a_game_that_isnt_over_is_reviewed_as_far_as_it_is() -> None:
    game = part_of(played("misty", 2), 30)
    check_sums(game, Reviewing(game, FEW).run())
    nothing = nevel.new("misty", seats=2, seed=1)
    review = Reviewing(nothing, FEW).run()
    assert [len(account.chances) for account in review.accounts] == [1, 1]
    assert review.accounts[0].accuracy is None


def test_chance_that_comes_from_outside_is_told_from_choices() -> None:
    """At tables every move has a key of its own; only moves that draw from it are matters of luck."""
    plain = played("misty", 2)
    game = nevel.new("misty", seats=2, seed=1)
    for number, entry in enumerate(plain.log[:24]):
        move = entry.move if game.is_legal(entry.seat, entry.move) else game.legal_moves(entry.seat)[0]
        game.play(entry.seat, move, key=f"{number + 1:032x}")
    assert game.past().drew.sum() < 4
    check_sums(game, Reviewing(game, FEW).run())


def test_the_same_seed_gives_the_same_review() -> None:
    game = played("misty", 2)
    review = Reviewing(game, FEW, seed=5).run()
    assert Reviewing(game.copy(), FEW, seed=5).run() == review
    assert Reviewing(game, FEW, seed=6).run() != review


# ---------------------------------------------------------------- nobody knows too much


@pytest.mark.parametrize("name", OWN_GAMES)
def test_what_a_seat_knew_is_a_part_of_what_it_knows(name: str) -> None:
    """Cutting off the end of a seat's knowledge gives what it knew then."""
    game = played(name, 3)
    for seat in range(3):
        perspective = SeatPerspective(game, game.past(), seat, Bot("expert"), FEW)
        for moment in range(0, len(game.log) + 1, 29):
            then = part_of(game, moment).knowledge(seat)
            assert perspective.at(moment).states.tobytes() == then.states.tobytes()
            assert np.array_equal(perspective.at(moment).movers, then.movers)
            assert np.array_equal(perspective.at(moment).moves, then.moves)


class Watched(Bot):
    """A bot that keeps what it is shown."""

    seen: list[Knowledge]

    def expect(self, knowledge: Knowledge, *more: Any, **named: Any) -> Any:
        self.seen.append(knowledge._replace(states=knowledge.states.copy()))
        return super().expect(knowledge, *more, **named)

    def weigh(self, knowledge: Knowledge, *more: Any, **named: Any) -> Any:
        self.seen.append(knowledge._replace(states=knowledge.states.copy()))
        return super().assess(knowledge, *more, **named)


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_review_never_uses_what_a_seat_couldnt_know(name: str) -> None:
    """Whatever reaches the expert, drawn again or not, has nothing left to conceal, and a past the seat could see."""
    game = part_of(played(name, 3), 60)
    reviewing = Reviewing(game, FEW)
    bot = Watched("expert", 0)
    bot.seen = []
    reviewing.bot = bot
    reviewing.run()
    assert len(bot.seen) > 60
    for knowledge in bot.seen:
        moment = len(knowledge.moves)
        then = game.knowledge(knowledge.seat) if len(game.log) >= moment else None
        last = knowledge.states[-1:].copy()
        game.vocabulary.rules.conceal(last[0], knowledge.seat)
        assert last.tobytes() == knowledge.states[-1:].tobytes()
        if then is None or moment == 0:
            continue
        is_this_game = knowledge.states[0].tobytes() == then.states[0].tobytes()
        if is_this_game:  # and not one of the deals the first chance is measured on
            assert knowledge.states[:-1].tobytes() == then.states[:moment].tobytes()
            assert np.array_equal(knowledge.moves, then.moves[:moment])
            for number in range(moment):
                if game.log[number].seat != knowledge.seat and game.log[number].move.text.split()[0] in (
                    "pick",
                    "reveal",
                    "discard",
                ):
                    assert knowledge.moves[number] == HIDDEN


@pytest.mark.parametrize("name", OWN_GAMES)
def test_games_a_seat_cant_tell_apart_get_the_same_review_for_it(name: str) -> None:
    """Everything hidden from a seat is dealt anew; as long as it sees the same, it is told the same."""
    dice = np.array([5, 6, 7, 8])
    compared = 0
    for seed in range(4):
        game = nevel.new(name, seats=3, seed=seed)
        seat = game.waiting_for[0]
        twin = game.copy()
        rules = twin.vocabulary.rules
        rules.conceal(twin.state, seat)
        twin.state.chance[:] = dice + seed
        rules.imagine(twin.state, seat)
        twin._first = twin.state.tobytes()
        assert twin.state.tobytes() != game.state.tobytes()
        for _ in range(3):
            prompt = game.prompt(seat)
            if prompt is None:
                break
            for each in (game, twin):
                each.play(seat, prompt.moves[-1])
            if game.knowledge(seat).state.tobytes() != twin.knowledge(seat).state.tobytes():
                for each in (game, twin):  # chance turned up something else: up to there
                    each.log = History(each.log[:-1])
                break
        first, second = Reviewing(game, FEW).run(), Reviewing(twin, FEW).run()
        assert first.accounts[seat].chances == second.accounts[seat].chances
        own = [[each for each in review.decisions if each.seat == seat] for review in (first, second)]
        assert own[0] == own[1]
        compared += len(own[0])
    assert compared


# ---------------------------------------------------------------- what is found


def puzzle(tops: list[int], hands: list[list[int]]) -> nevel.Game:
    """The end of a game of The Game: the draw pile is empty, all other cards are played."""
    game = nevel.new("the-game", seats=len(hands), seed=1)
    if len(hands) > 1:
        game.play(0, "start")
    s = game.state
    s.tops[:] = tops
    s.where[:] = 0
    s.where[MARGIN + LOWEST : MARGIN + LOWEST + CARDS] = ON_A_PILE
    s.hand[:] = 0
    s.held[:] = 0
    for seat, cards in enumerate(hands):
        s.held[seat] = len(cards)
        s.hand[seat, : len(cards)] = cards
        for card in cards:
            s.where[MARGIN + card] = 1 + seat
    s.left = 0
    s.active = s.played = 0
    s.began = len(hands[0])
    s.need = 1
    game._first = game.state.tobytes()
    game.log = History[Entry]()
    return game


def test_a_blunder_is_found() -> None:
    """The 60 buries the 51, which would have fitted before it: a won game is lost by one card."""
    game = puzzle([50, 98, 3, 3], [[51, 60], [99]])
    game.play(0, "play 60 up1")
    review = Reviewing(game, FEW).run()
    decision = review.decisions[0]
    assert decision.cost == 1.0
    assert decision.best.move == "play 51 up1"
    assert review.accounts[0].key_moments == (0,)
    assert review.accounts[0].swings == (Swing(-1.0, 0.0, 0.0),)
    assert review.accounts[0].accuracy == pytest.approx(100 * 0.5**20)
    assert review.accounts[1].swings == (Swing(0.0, -1.0, 0.0),)
    better = puzzle([50, 98, 3, 3], [[51, 60], [99]])
    better.play(0, "play 51 up1")
    good = Reviewing(better, FEW).run()
    assert good.decisions[0].cost == 0
    assert good.accounts[0].accuracy == 100
    assert good.accounts[0].chances == good.accounts[1].chances == (1.0, 1.0)


def test_better_players_are_more_accurate() -> None:
    game = nevel.new("misty", seats=2, seed=4)
    players = dict(seat_players("strong", [0], 1)) | dict(seat_players("random", [1], 1))
    play_to_end(game, players)
    strong, anything = (account.accuracy for account in Reviewing(game, 32).run().accounts)
    assert strong is not None
    assert anything is not None
    assert strong > anything + 3


def test_activations_cost_exactly_what_they_leave_out_of_reach() -> None:
    """Seen against a search through all orders, and without a standard error."""
    game = nevel.new("misty", seats=2, seed=3)
    players = dict(seat_players("simple", range(2), 1))
    while not any(entry.move.text.startswith("move") for entry in game.log):
        for seat in list(game.waiting_for):
            move = players[seat].choose(game, seat)
            assert move is not None
            game.play(seat, move)
            break
    review = Reviewing(game, FEW).run()
    decision = review.decisions[-1]
    assert decision.move.startswith("move")
    before = part_of(game, decision.at)
    for option in decision.options:
        assert option.error == 0
        after = before.copy()
        after.play(decision.seat, option.move)
        assert option.points == max(all_scores(after, decision.seat))
    most = max(option.points for option in decision.options)
    assert decision.points_cost == most - decision.chosen.points


def all_scores(game: nevel.Game, seat: int) -> Iterator[int]:
    """The score of every way to go on activating a window."""
    moves = game.legal_moves(seat)
    if not moves:
        yield int(score(game.state, seat, game.state.activated[seat]))
    for move in moves:
        after = game.copy()
        after.play(seat, move)
        yield from all_scores(after, seat)


# ---------------------------------------------------------------- stopping


def test_it_stops_when_asked_and_tells_how_far_it_is() -> None:
    game = part_of(played("misty", 2), 40)
    stop = threading.Event()
    shares: list[float] = []

    def halfway(share: float) -> None:
        shares.append(share)
        if share > 0.5:
            stop.set()

    with pytest.raises(ReviewStoppedError):
        Reviewing(game, FEW).run(stop, halfway)
    assert 0.5 < shares[-1] < 0.7
    shares.clear()
    Reviewing(game, FEW).run(threading.Event(), shares.append)
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] == 1.0
    with pytest.raises(ReviewStoppedError):  # where a first chance has to be measured, too
        Reviewing(part_of(played("the-game", 2), 3), FEW + 1).run(stop)


def test_only_moves_that_draw_are_matters_of_chance() -> None:
    game = played("the-game", 2)
    past = game.past()
    for entry, drew, before, after in zip(game.log, past.drew, past.states, past.states[1:], strict=False):
        assert drew == (before.left != after.left)
        assert not drew or entry.move.text == "end turn"
    assert past.states[-1].tobytes() == game.state.tobytes()
    assert dispatch.outcome(past.states[-1], np.zeros((5, 2), np.int64))
