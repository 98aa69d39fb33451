"""The rules of liar's dice, clause by clause."""

from collections.abc import Sequence
from typing import Any

import nevel
import pytest
from nevel.game.game import Game

from liars_dice import rules


def table(*cups: Sequence[int], turn: int = 0, **options: Any) -> Game:
    """A game in which these dice lie under the cups."""
    game = nevel.new("liars-dice", seats=len(cups), seed=1, **options)
    state: Any = game.state
    state.dice[:] = 0
    for seat, dice in enumerate(cups):
        state.left[seat] = len(dice)
        for face in dice:
            state.dice[seat, face - 1] += 1
    state.turn = turn
    return game


def refusal(game: Game, seat: int, move: str) -> str | None:
    clause = game.why_not(seat, move)
    return clause and clause.id


def dice_left(game: Game) -> list[int]:
    return [player.dice_left for player in game.view(None).players]  # type: ignore[attr-defined]


@pytest.mark.clause("LD-S1")
def test_everybody_begins_with_five_dice() -> None:
    assert list(nevel.new("liars-dice", seats=2, seed=1).spec.seats) == [2, 3, 4, 5]
    for seats in range(2, 6):
        assert dice_left(nevel.new("liars-dice", seats=seats, seed=1)) == [5] * seats


@pytest.mark.clause("LD-S2")
def test_dice_are_rolled_anew_and_seen_by_their_owner_only() -> None:
    game = table([2, 2, 2, 2, 2], [3, 3, 3, 3, 3])
    assert (game.view(0).dice, game.view(1).dice, game.view(None).dice) == ([2] * 5, [3] * 5, None)  # type: ignore[attr-defined]
    game.play(0, "bid 9x6")
    game.play(1, "liar")
    assert game.view(1).dice != [3] * 5  # type: ignore[attr-defined]
    rolled = {tuple(nevel.new("liars-dice", seats=2, seed=seed).state.dice[0]) for seed in range(20)}
    assert len(rolled) > 10


@pytest.mark.clause("LD-S3")
def test_who_begins_is_drawn_by_lot() -> None:
    assert {nevel.new("liars-dice", seats=4, seed=seed).waiting_for[0] for seed in range(40)} == {0, 1, 2, 3}


@pytest.mark.clause("LD-B1")
def test_only_who_is_on_turn_acts_and_turns_go_round() -> None:
    game = table([2], [3], [4])
    assert refusal(game, 1, "bid 1x2") == "LD-B1"
    game.play(0, "bid 1x2")
    assert game.waiting_for == [1]
    assert refusal(game, 0, "liar") == "LD-B1"
    game.play(1, "bid 1x3")
    assert game.waiting_for == [2]


@pytest.mark.clause("LD-B2")
@pytest.mark.parametrize("move", ["bid 2x4", "bid 2x3", "bid 1x6"])
def test_a_bid_that_is_not_higher_is_refused(move: str) -> None:
    game = table([2, 2], [3, 3])
    game.play(0, "bid 2x4")
    assert refusal(game, 1, move) == "LD-B2"
    assert refusal(game, 1, "bid 2x5") is None
    assert refusal(game, 1, "bid 3x2") is None


@pytest.mark.clause("LD-B3")
def test_nobody_bids_more_dice_than_there_are() -> None:
    game = table([2, 2], [3])
    assert refusal(game, 0, "bid 4x2") == "LD-B3"
    game.play(0, "bid 3x6")
    assert [move.text for move in game.legal_moves(1)] == ["liar"]


@pytest.mark.clause("LD-V1")
@pytest.mark.parametrize(("plain", "refused", "loser"), [(0, "LD-V1", 1), (1, None, 0)])
def test_ones_are_wild_unless_they_are_plain(plain: int, refused: str | None, loser: int) -> None:
    game = table([1, 5], [5, 2], plain_ones=plain)
    assert refusal(game, 0, "bid 1x1") == refused
    game.play(0, "bid 3x5")
    game.play(1, "liar")
    assert dice_left(game)[loser] == 1


@pytest.mark.clause("LD-C1")
def test_there_is_nothing_to_doubt_before_the_first_bid() -> None:
    game = table([2], [3])
    assert refusal(game, 0, "liar") == "LD-C1"
    game.play(0, "bid 1x2")
    assert refusal(game, 1, "liar") is None


@pytest.mark.clause("LD-C2")
@pytest.mark.parametrize(("bid", "left"), [("bid 3x4", [2, 1]), ("bid 2x4", [2, 1]), ("bid 4x4", [1, 2])])
def test_who_is_wrong_loses_a_die(bid: str, left: list[int]) -> None:
    game = table([4, 4], [4, 6])
    game.play(0, bid)
    shown = [event.dice for event in game.play(1, "liar") if type(event).__name__ == "Shown"]  # type: ignore[attr-defined]
    assert shown == [[4, 4], [4, 6]]
    assert dice_left(game) == left


@pytest.mark.clause("LD-C3")
def test_the_loser_begins_or_the_next_player_if_the_loser_is_out() -> None:
    game = table([2, 2], [3, 3], [4, 4])
    game.play(0, "bid 1x2")
    game.play(1, "liar")
    assert game.waiting_for == [1]
    game = table([2, 2], [3], [4, 4])
    game.play(0, "bid 1x2")
    game.play(1, "liar")
    assert (dice_left(game), game.waiting_for) == ([2, 0, 2], [2])


@pytest.mark.clause("LD-X1")
def test_who_has_no_dice_is_left_out() -> None:
    game = table([2, 2], [], [4, 4])
    assert refusal(game, 1, "bid 1x2") == "LD-X1"
    game.play(0, "bid 1x2")
    assert game.waiting_for == [2]


@pytest.mark.clause("LD-X2")
def test_the_last_with_dice_wins() -> None:
    game = table([2], [3])
    game.play(0, "bid 1x2")
    game.play(1, "liar")
    assert game.outcome is not None
    assert (game.outcome.clause, game.outcome.winners, game.outcome.points) == ("LD-X2", [0], [1, 0])
    assert refusal(game, 0, "bid 1x2") == "LD-X2"


def test_every_refusal_is_a_clause() -> None:
    assert {code for name, code in vars(rules).items() if name.startswith("LD_")} == {
        clause.code for clause in nevel.new("liars-dice", seats=2, seed=1).spec.rulebook.values()
    }
