"""Taking back: free only while nothing was learnt, whoever plays along; and what is drawn doesn't change by it."""

import random
from collections.abc import Callable

import pytest

from nevel.tables.domain import facts
from nevel.tables.domain.commands import Leave, LetBotPlay, Play
from nevel.tables.domain.pace import DAY, Pace
from nevel.tables.domain.refusals import MoveRefusedError, NotAllowedError, WrongTimeError
from nevel.tables.domain.undo import AnswerUndo, Undo
from nevel.tables.runtime.presence import ASLEEP_AFTER, Presence
from nevel.tables.storage.storage import Storage
from nevel.tables.views.encoding import encode_view
from nevel.tables.views.view import PeopleStatus, Scene, Viewer, look
from tests.tables.one_table import OneTable, started

NOBODY = PeopleStatus({}, lambda _: False)


def play_until(one: OneTable, is_there: Callable[[], bool]) -> None:
    """Play at random for everybody."""
    dice = random.Random(5)
    while not is_there():
        assert one.table.game
        chair = one.table.waiting_for[0]
        prompt = one.table.game.prompt(chair)
        assert prompt
        person, move = one.table.chairs[chair].person, dice.choice(prompt.moves)
        if person is None:
            one.bot_plays(chair, move)
        else:
            one.play(person, move, chair)


def moves_of(one: OneTable, chair: int) -> tuple[str, ...]:
    prompt = one.table.game.prompt(chair) if one.table.game else None
    return prompt.moves if prompt else ()


def end_first_turn(one: OneTable) -> None:
    """The Game: start, play two cards, and draw."""
    if "start" in moves_of(one, 0):
        one.play("ann", "start")
    for _ in range(2):
        one.play("ann", moves_of(one, 0)[0])
    one.play("ann", "end turn")


def may_ask(one: OneTable, chair: int) -> bool:
    """Whether the page offers to take back, which JSON says alike."""
    view = look(one.table, Viewer("player", chair), NOBODY)
    assert view.undo
    encoded = encode_view(Scene(one.table, NOBODY), Viewer("player", chair))
    assert (b'"may_ask":true' in encoded) == view.undo.may_ask
    return view.undo.may_ask


# ---------------------------------------------------------------- what was learnt stays


def test_alone_drawn_cards_stay() -> None:
    one = started(people=("ann",))
    end_first_turn(one)
    with pytest.raises(WrongTimeError):
        one.ask("ann", Undo())


def test_against_bots_alone_drawn_cards_stay() -> None:
    one = started(people=("ann",), bots=1)
    end_first_turn(one)
    with pytest.raises(WrongTimeError):
        one.ask("ann", Undo())


@pytest.mark.clause("FOG-T3")
@pytest.mark.parametrize("is_practice", [False, True])
@pytest.mark.parametrize(("people", "bots"), [(("ann",), 1), (("ann", "bob"), 0)])
def test_a_lift_is_never_taken_back(people: tuple[str, ...], bots: int, is_practice: bool) -> None:
    one = started("what-the-fog", people, bots, is_practice=is_practice)
    play_until(one, lambda: "lift 1" in moves_of(one, 0))
    one.play("ann", "lift 1")
    assert not may_ask(one, 0)
    with pytest.raises(MoveRefusedError) as refused:
        one.ask("ann", Undo())
    assert refused.value.clause
    assert refused.value.clause.id == "FOG-T3"


def test_where_a_token_lies_is_taken_back_while_nobody_has_learnt_anything() -> None:
    one = started("what-the-fog", ("ann",), 1)
    play_until(one, lambda: "lift 1" in moves_of(one, 0))
    one.play("ann", "lift 1")
    one.play("ann", moves_of(one, 0)[0])
    assert may_ask(one, 0)
    one.ask("ann", Undo())
    assert one.table.played[-1][1].move == "lift 1"


# ---------------------------------------------------------------- the same again


def test_a_move_made_again_draws_the_same_cards() -> None:
    one = started(people=("ann", "bob"))
    end_first_turn(one)
    assert one.table.game
    after, row = one.table.game.view(0), one.table.played[-1][0]
    one.ask("ann", Undo())
    one.ask("bob", AnswerUndo(True))
    # Whatever is said meanwhile changes nothing.
    hints = one.table.game.hints(1)
    one.play("bob", hints[0].text)
    one.play("ann", "end turn")
    assert one.table.played[-1][0] > row
    assert one.table.game.view(0).hand == after.hand  # pyright: ignore[reportAttributeAccessIssue]
    again = one.again().game
    assert again
    assert again.fingerprint() == one.table.game.fingerprint()


def test_the_cards_of_an_undone_turn_come_though_it_goes_otherwise() -> None:
    one = started(people=("ann", "bob"))
    end_first_turn(one)
    assert one.table.game
    keys = [fact.key for _, fact in one.table.played]
    one.ask("ann", Undo())
    one.ask("bob", AnswerUndo(True))
    one.play("ann", moves_of(one, 0)[0])
    one.play("ann", "end turn")
    assert one.table.played[-1][1].key == keys[-1], "the first draw is the first draw"
    one.play("bob", moves_of(one, 1)[0])
    assert one.table.played[-1][1].key != keys[-1]


# ---------------------------------------------------------------- who has a say


def test_whose_chair_was_taken_over_keeps_their_say() -> None:
    one = started(people=("ann", "bob"))
    end_first_turn(one)
    one.asleep = {"bob"}
    one.ask("ann", LetBotPlay(1))
    assert one.ask("ann", Undo()) == [facts.UndoAsked(0)]
    one.ask("bob", AnswerUndo(True))
    assert one.table.played[-1][1].move != "end turn"


def test_who_left_of_their_own_accord_leaves_it_to_the_others() -> None:
    one = started(people=("ann", "bob", "cas"))
    end_first_turn(one)
    one.ask("cas", Leave())
    row = one.table.played[-1][0]
    assert one.ask("ann", Undo()) == [facts.UndoAsked(0)]
    assert one.ask("bob", AnswerUndo(True))[-1] == facts.Undone(row)


def test_at_a_timed_table_only_the_clock_lets_a_bot_play() -> None:
    one = started(people=("ann", "bob"), pace=Pace("correspondence", 7 * DAY))
    one.asleep = {"bob"}
    with pytest.raises(NotAllowedError):
        one.ask("ann", LetBotPlay(1))
    assert not one.table.chairs[1].is_stood_in
    one.ask("bob", LetBotPlay(1))  # one's own chair is one's own affair
    assert one.table.chairs[1].is_stood_in


def test_after_a_restart_nobody_is_taken_for_asleep(storage: Storage) -> None:
    now = 1_000_000
    presence = Presence(storage, lambda: now)
    assert not presence.is_asleep("bob")
    now += ASLEEP_AFTER - 1
    assert not presence.is_asleep("bob")
    now += 1
    assert presence.is_asleep("bob")
    presence.notice("bob")
    assert not presence.is_asleep("bob")


# ---------------------------------------------------------------- practice


def test_at_a_practice_table_drawn_cards_go_back() -> None:
    one = started(people=("ann",), is_practice=True)
    end_first_turn(one)
    drawn = one.table.game.view(0) if one.table.game else None
    assert may_ask(one, 0)
    one.ask("ann", Undo())
    assert "end turn" in moves_of(one, 0)
    one.play("ann", "end turn")
    assert one.table.game
    assert one.table.game.view(0) == drawn


@pytest.mark.clause("FOG-T3")
def test_at_a_practice_table_a_bots_lift_stays_too() -> None:
    one = started("what-the-fog", ("ann",), 1, is_practice=True)
    play_until(one, lambda: "lift 1" in moves_of(one, 0))
    one.play("ann", "lift 1")
    one.play("ann", moves_of(one, 0)[0])
    assert may_ask(one, 0)
    play_until(one, lambda: "lift 1" in moves_of(one, 1))
    one.bot_plays(1, "lift 1")
    assert not may_ask(one, 0)
    with pytest.raises(MoveRefusedError) as refused:
        one.ask("ann", Undo())
    assert refused.value.clause
    assert refused.value.clause.id == "FOG-T3"


def test_at_a_practice_table_bots_moves_go_with_ones_own() -> None:
    one = started("the-game", ("ann",), 1, is_practice=True)
    end_first_turn(one)
    while 1 in one.table.waiting_for:
        one.bot_plays(1, moves_of(one, 1)[-1])
    own = next(row for row, fact in reversed(one.table.played) if fact.chair == 0)
    assert may_ask(one, 0)
    assert one.ask("ann", Undo()) == [facts.Undone(own, and_after=True)]
    assert one.table.waiting_for == [0]
    assert "end turn" in moves_of(one, 0)
    again = one.again()
    assert again.game
    assert again.game.fingerprint() == one.table.game.fingerprint()  # pyright: ignore[reportOptionalMemberAccess]
    assert again.times == one.table.times


def test_at_a_practice_table_other_people_stay_where_they_are() -> None:
    one = started("the-game", ("ann", "bob"), is_practice=True)
    end_first_turn(one)
    one.ask("bob", Play(moves_of(one, 1)[0], one.table.seq))
    with pytest.raises(WrongTimeError):
        one.ask("ann", Undo())
