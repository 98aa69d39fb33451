"""Tables: who sits where, what may be asked when, clocks, taking back; and that the log alone says it all."""

import hmac
import random

import pytest

from nevel.languages import SpokenError
from nevel.tables.domain import facts
from nevel.tables.domain.command import Command
from nevel.tables.domain.commands import (
    Close,
    Kick,
    Leave,
    LetBotPlay,
    MakeHost,
    Play,
    Reclaim,
    SeatBot,
    SetTerms,
    Sit,
    Start,
)
from nevel.tables.domain.dealing import Dealing, row_context
from nevel.tables.domain.pace import DAY, Pace
from nevel.tables.domain.recent_commands import MOST_COMMANDS
from nevel.tables.domain.refusals import (
    MalformedError,
    MoveRefusedError,
    NotAllowedError,
    StaleError,
    TakenError,
    WrongTimeError,
)
from nevel.tables.domain.undo import AnswerUndo, Undo
from tests.own_games import OWN_GAMES
from tests.tables.one_table import OneTable, started

GAMES = tuple(OWN_GAMES)
LIVE = Pace("live", seconds=10, reserve=60)


def mover(one: OneTable) -> tuple[int, str]:
    """A chair that is waited for, and a move it may make."""
    assert one.table.game
    chair = one.table.waiting_for[0]
    prompt = one.table.game.prompt(chair)
    assert prompt
    return chair, prompt.moves[0]


def person_at(one: OneTable, chair: int) -> str:
    person = one.table.chairs[chair].person
    assert person
    return person


# ---------------------------------------------------------------- sitting down


def test_people_sit_down_and_stand_up() -> None:
    one = OneTable(chairs=3)
    one.ask("ann", Sit())
    one.ask("bob", Sit(chair=2))
    assert [chair.person for chair in one.table.chairs] == ["ann", None, "bob"]
    one.ask("bob", Leave())
    assert one.table.empty_chairs == [1, 2]


def test_a_chair_is_taken_once() -> None:
    one = OneTable(chairs=2)
    one.ask("ann", Sit(chair=0))
    with pytest.raises(TakenError):
        one.ask("bob", Sit(chair=0))
    one.ask("bob", Sit())
    with pytest.raises(TakenError):
        one.ask("eve", Sit())
    with pytest.raises(MalformedError):
        one.ask("eve", Sit(chair=7))


def test_at_a_public_table_nobody_takes_two_chairs() -> None:
    one = OneTable(chairs=3, is_public=True)
    one.ask("ann", Sit())
    with pytest.raises(TakenError):
        one.ask("ann", Sit())
    private = OneTable(chairs=3)
    private.ask("ann", Sit())
    private.ask("ann", Sit())
    assert private.table.chairs_of("ann") == [0, 1]
    with pytest.raises(NotAllowedError):
        private.ask("ann", Leave())  # which of the two?


def test_only_the_host_arranges_the_table() -> None:
    one = OneTable(chairs=3)
    one.ask("ann", Sit())
    one.ask("bob", Sit())
    for command in (Kick(0), SeatBot("casual"), MakeHost(1), Start(), Close()):
        with pytest.raises(NotAllowedError):
            one.ask("bob", command)
    one.ask("ann", Kick(1))
    assert one.table.chairs[1].is_empty
    one.ask("ann", SeatBot("strong", 2))
    one.ask("ann", Kick(2))
    with pytest.raises(WrongTimeError):
        one.ask("ann", Start())
    with pytest.raises(MalformedError):
        one.ask("ann", SeatBot("genius"))


def test_the_host_changes_the_terms_until_the_start() -> None:
    one = OneTable(chairs=2, pace=Pace("live", 30, 120), options={"minimum": 2, "fewer_cards": 0, "open_tricks": 0})
    one.ask("ann", Sit())
    one.ask("bob", Sit())
    seen = one.table.seq
    with pytest.raises(NotAllowedError):
        one.ask("bob", SetTerms(stand_in="strong"))
    assert len(one.ask("ann", SetTerms({"fewer_cards": 1}, seq=seen))) == 1
    assert one.table.opened.options == {"minimum": 2, "fewer_cards": 1, "open_tricks": 0}
    # From a page that shows what was agreed before.
    with pytest.raises(StaleError):
        one.ask("ann", SetTerms({"minimum": 3}, seq=seen))
    assert one.ask("ann", SetTerms({"fewer_cards": 1})) == [], "nothing else than was agreed"
    one.ask("ann", SetTerms(pace=Pace("live", 60, 0), stand_in="strong", seq=one.table.seq))
    for wrong in (
        SetTerms({"minimum": 4}),
        SetTerms({"speed": 1}),
        SetTerms(pace=Pace("live", 1)),
        SetTerms(pace=Pace("relaxed", 5)),
        SetTerms(stand_in="genius"),
    ):
        with pytest.raises(MalformedError):
            one.ask("ann", wrong)
    again = one.again().opened
    assert (again.options, again.pace, again.stand_in) == (
        {"minimum": 2, "fewer_cards": 1, "open_tricks": 0},
        Pace("live", 60, 0),
        "strong",
    )
    one.ask("ann", Start())
    game = one.table.game
    assert game
    assert game.options == {"minimum": 2, "fewer_cards": 1, "open_tricks": 0}
    assert one.table.chairs[0].clock.deadline == one.now + 60_000, "the clock is the one agreed last"
    with pytest.raises(WrongTimeError):
        one.ask("ann", SetTerms(stand_in="casual"))


def test_a_game_that_was_brought_along_keeps_its_variants() -> None:
    one = OneTable("misty", 2, options={"beginners": 0}, prelude=facts.Prelude("5e" * 16, []))
    with pytest.raises(WrongTimeError):
        one.ask("ann", SetTerms({"beginners": 1}))
    one.ask("ann", SetTerms({"beginners": 0}, Pace("correspondence", 2 * 86_400)))
    assert one.table.opened.pace.kind == "correspondence"


def test_the_host_hands_over_or_is_followed() -> None:
    one = OneTable(chairs=3)
    for person in ("ann", "bob", "cas"):
        one.ask(person, Sit())
    one.ask("ann", MakeHost(2))
    assert one.table.host == "cas"
    one.ask("cas", Leave())
    assert one.table.host == "ann"
    one.ask("bob", Leave())
    one.ask("ann", Leave())
    assert one.table.phase == "closed"


def test_a_reserved_chair_waits_for_its_person() -> None:
    one = OneTable(chairs=2)
    one.table.opened = facts.Opened("the-game", 2, {}, Pace(), "casual", "ann", "", reserved={0: "bob"})
    one.ask("ann", Sit())
    assert one.table.chairs_of("ann") == [1]
    with pytest.raises(TakenError):
        one.ask("eve", Sit())
    one.ask("bob", Sit())
    assert one.table.chairs_of("bob") == [0]


def test_a_contribution_is_one_short_line() -> None:
    one = OneTable()
    for text in ("x" * 129, "two\nlines", "\x00"):
        with pytest.raises(SpokenError):
            one.ask("ann", Sit(contribution=text))


# ---------------------------------------------------------------- playing


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_and_the_log_alone(game: str) -> None:
    one = started(game, ("ann", "bob"), bots=1)
    chance = random.Random(3)
    while one.table.phase == "playing":
        assert one.table.game
        chair = chance.choice(one.table.waiting_for)
        prompt = one.table.game.prompt(chair)
        assert prompt
        move = chance.choice(prompt.moves)
        if one.table.chairs[chair].is_bot:
            one.bot_plays(chair, move)
        else:
            one.play(person_at(one, chair), move)
    twin = one.again()
    assert one.table.game
    assert twin.game
    assert twin.game.fingerprint() == one.table.game.fingerprint()
    assert twin.game.outcome == one.table.game.outcome
    assert [fact.after for _, fact in twin.played] == [entry.after for entry in one.table.game.log]
    assert twin.phase == "over"


def test_moves_are_refused_by_clause_by_chair_and_by_time() -> None:
    one = OneTable(chairs=2)
    one.ask("ann", Sit())
    one.ask("bob", Sit())
    with pytest.raises(WrongTimeError):
        one.play("ann", "start")
    one.ask("ann", Start())
    with pytest.raises(WrongTimeError):
        one.ask("bob", Sit())
    with pytest.raises(NotAllowedError):
        one.play("eve", "start")
    with pytest.raises(NotAllowedError):
        one.play("ann", "start", chair=1)
    with pytest.raises(MalformedError):
        one.play("ann", "fly away")
    one.play("ann", "start")
    with pytest.raises(MoveRefusedError) as refused:
        one.play("ann", "end turn")
    assert refused.value.clause
    assert refused.value.clause.id == "TG-T1"
    assert one.table.seq == one.rows[-1][0]


def test_a_repeated_command_is_done_once() -> None:
    one = started()
    command = Play("start", one.table.seq)
    assert len(one.ask("ann", command, "click")) == 1
    assert one.ask("ann", command, "click") == []
    # After a restart too.
    one.table = one.again()
    assert one.ask("ann", command, "click") == []
    # Somebody else's click of the same name is another one.
    with pytest.raises(MoveRefusedError):
        one.ask("bob", Play("start", one.table.seq), "click")
    # What isn't legal any more because of what happened since is stale.
    with pytest.raises(StaleError):
        one.ask("bob", Play("start", one.table.seq - 1))


def test_whatever_changes_a_table_is_done_once_after_a_restart_too() -> None:
    one = OneTable(chairs=4)

    def twice(command: Command) -> None:
        assert one.ask("ann", command, f"{command}")
        one.table = one.again()
        assert one.ask("ann", command, f"{command}") == []

    twice(Sit())
    assert one.table.chairs_of("ann") == [0], "a repeat doesn't take a second chair"
    one.ask("ann", Sit(), "another click does")
    one.ask("bob", Sit())
    twice(Leave(1))
    twice(SeatBot("casual"))
    twice(Kick(3))
    twice(SeatBot("strong", 3))
    twice(MakeHost(2))
    one.ask("bob", MakeHost(0))
    twice(SetTerms({"minimum": 3}))
    twice(Start())
    game = one.table.game
    assert game
    assert game.fingerprint() == one.again().game.fingerprint()  # pyright: ignore[reportOptionalMemberAccess]
    assert len(set(one.table.commands)) == len(one.table.commands) == 9


def test_the_table_remembers_only_so_many_commands() -> None:
    one = OneTable(chairs=2)
    for number in range(MOST_COMMANDS):
        one.ask("ann", SeatBot("casual", 1), f"seat {number}")
        one.ask("ann", Kick(1), f"kick {number}")
    assert len(one.table.commands) == MOST_COMMANDS


def test_a_stale_move_is_refused() -> None:
    one = started("the-game", ("ann",))
    before = one.table.seq
    chair, move = mover(one)
    one.play("ann", move)
    _, another = mover(one)
    with pytest.raises(StaleError):
        one.ask("ann", Play(another, before, chair))
    with pytest.raises(StaleError):
        one.ask("ann", Play(another, one.table.seq + 1, chair))


def test_two_people_who_choose_at_the_same_time_dont_disturb_each_other() -> None:
    one = started("misty")
    seq = one.table.seq
    assert one.table.game
    first = one.table.game.prompt(0)
    second = one.table.game.prompt(1)
    assert first
    assert second
    one.ask("ann", Play(first.moves[0], seq))
    one.ask("bob", Play(second.moves[0], seq))  # bob hadn't seen that ann has chosen


# ---------------------------------------------------------------- leaving and coming back


def test_a_bot_plays_for_a_leaver_until_they_are_back() -> None:
    one = started()
    one.ask("bob", Leave())
    assert one.table.chairs[1].is_bot
    assert one.table.humans == [0]
    with pytest.raises(WrongTimeError):
        one.play("bob", "start")
    one.bot_plays(1, "start")
    one.ask("bob", Reclaim())
    assert one.table.humans == [0, 1]
    assert one.ask("bob", Reclaim()) == []
    _, move = mover(one)
    one.play("bob", move)


def test_others_may_let_a_bot_play_only_for_those_who_sleep() -> None:
    one = started()
    with pytest.raises(NotAllowedError):
        one.ask("ann", LetBotPlay(1))
    one.asleep = {"bob"}
    with pytest.raises(NotAllowedError):
        one.ask("eve", LetBotPlay(1))
    one.ask("ann", LetBotPlay(1))
    assert one.table.chairs[1].is_stood_in


def test_bots_dont_play_on_for_nobody() -> None:
    one = started(people=("ann",), bots=1)
    one.play("ann", "start")
    assert not one.table.are_bots_needed
    one.ask("ann", Leave())
    assert not one.table.are_bots_needed
    one.ask("ann", Reclaim())
    one.ask("ann", LetBotPlay(0))
    assert not one.table.are_bots_needed


# ---------------------------------------------------------------- time


def test_the_reserve_is_used_when_a_decision_takes_longer() -> None:
    one = started(people=("ann",), pace=LIVE)
    one.now += 10_000
    _, move = mover(one)
    one.play("ann", move)
    assert one.table.chairs[0].clock.reserve == 60_000
    one.now += 25_000
    _, move = mover(one)
    one.play("ann", move)
    assert one.table.chairs[0].clock.reserve == 45_000
    assert one.table.deadline == one.now + 55_000
    assert one.again().deadline == one.table.deadline


def test_a_missed_deadline_lets_a_bot_play() -> None:
    one = started(people=("ann", "bob"), pace=Pace("correspondence", seconds=2 * DAY))
    one.play("ann", "start")
    assert one.table.deadline == one.now + 2 * DAY * 1000
    one.now += 2 * DAY * 1000 - 1
    assert one.expire() == []
    one.now += 1
    assert one.expire() == [facts.BotTookOver(0, "time")]
    assert one.table.deadline is None
    assert one.expire() == []
    one.now += 5
    one.ask("ann", Reclaim())
    assert one.table.deadline == one.now + 2 * DAY * 1000


def test_nobody_is_hurried_in_a_relaxed_game() -> None:
    one = started(people=("ann",))
    one.now += 400 * DAY * 1000
    assert one.table.deadline is None
    assert one.expire() == []


@pytest.mark.parametrize(
    "pace",
    [
        Pace("live", seconds=4),
        Pace("live", seconds=601),
        Pace("live", seconds=30, reserve=3601),
        Pace("correspondence", seconds=60),
        Pace("correspondence", seconds=15 * DAY),
        Pace("correspondence", seconds=DAY, reserve=1),
        Pace("relaxed", seconds=1),
    ],
)
def test_impossible_paces(pace: Pace) -> None:
    with pytest.raises(SpokenError):
        pace.check()


# ---------------------------------------------------------------- taking back


def test_alone_everything_new_can_be_taken_back() -> None:
    one = started(people=("ann",))
    assert one.table.game
    before = one.table.game.fingerprint()
    _, move = mover(one)
    one.play("ann", move)
    one.ask("ann", Undo())
    assert one.table.game.fingerprint() == before
    assert len(one.table.played) == 0
    with pytest.raises(WrongTimeError):
        one.ask("ann", Undo())


def test_a_card_shown_is_taken_back_only_by_consent() -> None:
    one = started(people=("ann", "bob", "cas"))
    one.play("ann", "start")
    _, move = mover(one)
    one.play("ann", move)
    assert one.ask("ann", Undo()) == [facts.UndoAsked(0)]
    assert one.ask("ann", Undo()) == []
    one.ask("bob", AnswerUndo(True))
    assert len(one.table.played) == 2
    one.ask("cas", AnswerUndo(True))
    assert len(one.table.played) == 1
    # Refused once, it stays.
    _, move = mover(one)
    one.play("ann", move)
    one.ask("ann", Undo())
    one.ask("bob", AnswerUndo(False))
    with pytest.raises(WrongTimeError):
        one.ask("cas", AnswerUndo(True))
    assert len(one.table.played) == 2


@pytest.mark.clause("EX-I2")
def test_to_ask_to_take_back_is_no_talk_under_silence_unless_it_is_asked_again() -> None:
    one = under_silence()
    assert one.ask("ann", Undo()) == [facts.UndoAsked(0)]
    one.ask("bob", AnswerUndo(False))
    with pytest.raises(WrongTimeError, match="Under silence you can only ask once"):
        one.ask("ann", Undo())
    # After another move it is another request, and agreed to it takes the move back.
    _, move = mover(one)
    one.play("ann", move)
    assert one.ask("ann", Undo()) == [facts.UndoAsked(0)]
    one.ask("bob", AnswerUndo(True))
    assert len(one.table.played) == 2
    # Where people may talk, they may also ask again.
    one = started(people=("ann", "bob"))
    one.play("ann", "start")
    one.play("ann", mover(one)[1])
    for _ in range(2):
        assert one.ask("ann", Undo()) == [facts.UndoAsked(0)]
        one.ask("bob", AnswerUndo(False))


def under_silence() -> OneTable:
    """A game of Extreme in which Ann has just begun with a silence and can go on."""
    for luck in range(1000):
        one = OneTable("extreme", 2)
        one.ask("ann", Sit(contribution=str(luck)))
        one.ask("bob", Sit())
        one.ask("ann", Start())
        one.play("ann", "start")
        for card in (14, 28):
            if one.table.game and one.table.game.is_legal(0, f"play {card} up1"):
                one.play("ann", f"play {card} up1")
                if one.table.phase == "playing" and one.table.waiting_for == [0]:
                    return one
    raise AssertionError("nobody has a silence")


@pytest.mark.clause("TG-V2")
def test_a_table_opened_before_jumps_back_were_an_option_plays_on_with_open_tricks() -> None:
    old = {"minimum": 2, "fewer_cards": 0}
    one = started(options=old)
    assert one.table.opened.options == old | {"open_tricks": 1}
    one.play("bob", "hint up1 jump")
    one.play("ann", "start")
    again = one.again()
    assert again.game
    assert one.table.game
    assert again.game.fingerprint() == one.table.game.fingerprint()
    assert again.opened.options["open_tricks"] == 1
    # Until it starts it can be agreed otherwise.
    one = OneTable(chairs=2, options=old)
    one.ask("ann", Sit())
    assert one.ask("ann", SetTerms({"open_tricks": 0}))
    one.ask("bob", Sit())
    one.ask("ann", Start())
    with pytest.raises(MoveRefusedError) as refused:
        one.play("bob", "hint up1 jump")
    assert refused.value.clause
    assert refused.value.clause.id == "TG-H1"


def test_a_secret_choice_is_taken_back_freely() -> None:
    one = started("misty", ("ann", "bob", "cas"))
    _, move = mover(one)
    one.play("ann", move)
    assert one.ask("ann", Undo()) == [facts.Undone(one.rows[-2][0])]
    assert one.table.waiting_for == [0, 1, 2]


def test_never_past_anothers_choice() -> None:
    one = started("misty", ("ann", "bob", "cas"))
    for person in ("ann", "bob"):
        assert one.table.game
        prompt = one.table.game.prompt(0 if person == "ann" else 1)
        assert prompt
        one.play(person, prompt.moves[0])
    with pytest.raises(WrongTimeError):
        one.ask("ann", Undo())
    one.ask("bob", Undo())


def test_nor_past_a_bots() -> None:
    one = started("misty", ("ann",), bots=1)
    assert one.table.game
    prompt = one.table.game.prompt(1)
    assert prompt
    one.bot_plays(1, prompt.moves[0])
    with pytest.raises(WrongTimeError):
        one.ask("ann", Undo())


def test_ones_own_activation_is_taken_back_though_others_have_gone_on() -> None:
    one = started("misty", ("ann", "bob"))
    dice = random.Random(4)
    assert one.table.game
    while not (turn := mover(one))[1].startswith("move"):
        prompt = one.table.game.prompt(turn[0])
        assert prompt
        one.play(person_at(one, turn[0]), dice.choice(prompt.moves))
    first = {chair: prompt.moves for chair in (0, 1) if (prompt := one.table.game.prompt(chair))}
    one.play("ann", first[0][0])
    row = one.table.played[-1][0]
    one.play("bob", first[1][0])
    theirs = one.table.game.view(1)
    assert one.ask("ann", Undo()) == [facts.Undone(row)]
    assert [fact.chair for _, fact in one.table.played][-1] == 1
    assert one.table.game.view(1) == theirs
    question = one.table.game.prompt(0)
    assert question
    assert question.moves == first[0]
    again = one.again().game
    assert again
    assert again.fingerprint() == one.table.game.fingerprint()
    # What came before the activation was seen, and stays.
    with pytest.raises(WrongTimeError):
        one.ask("ann", Undo())


def test_undo_is_meant_for_the_move_that_was_seen() -> None:
    one = started("the-game", ("ann",))
    for _ in range(3):
        one.play("ann", mover(one)[1])
    seen = one.table.seq
    assert one.ask("ann", Undo(seq=seen))
    with pytest.raises(StaleError):
        one.ask("ann", Undo(seq=seen))  # a second click may not take back another move
    assert len(one.table.played) == 2
    one.play("ann", mover(one)[1])
    with pytest.raises(StaleError):
        one.ask("ann", Undo(seq=one.table.seq - 1))


def test_an_answer_is_meant_for_the_request_that_was_seen() -> None:
    one = started("the-game", ("ann", "bob", "cas"))
    one.play("ann", "start")
    one.play("ann", mover(one)[1])
    one.ask("ann", Undo())
    seen = one.table.seq
    one.ask("bob", AnswerUndo(False, seq=seen))
    one.ask("ann", Undo())
    with pytest.raises(StaleError):
        one.ask("cas", AnswerUndo(True, seq=seen))
    assert one.ask("cas", AnswerUndo(True, seq=one.table.seq)) == [facts.UndoAnswered(2, True)]


def test_a_command_that_was_only_foreseen_is_not_done() -> None:
    one = started()
    name = "ann:click"
    fact = facts.UndoAsked(0, command=name)
    foreseen = one.table.foresee([(one.table.seq + 1, 5, fact)])
    assert foreseen.answer_to(name) == one.table.seq + 1
    # Another node was quicker: the row is somebody else's.
    one.table.follow([(one.table.seq + 1, 5, facts.UndoAsked(1))])
    assert one.table.answer_to(name) is None
    # Once it is gone on from, everybody after it knows.
    after = one.table.foresee([(one.table.seq + 1, 6, fact)])
    assert after.foresee([(after.seq + 1, 7, facts.UndoAsked(1))]).answer_to(name) == after.seq


@pytest.mark.parametrize("length", [0, 32, 64, 65, 200])
def test_keys_are_hmacs(length: int) -> None:
    secret = bytes(range(length))
    dealing = Dealing(secret.hex(), row_context("table", {1: "b", 0: "aé"}))
    expected = hmac.new(secret, "table\n0:2:aé\n1:1:b\n7".encode(), "sha256").hexdigest()[:32]
    assert dealing.key(7) == expected


def test_hints_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nevel.tables.domain.commands.MOST_HINTS", 3)
    one = started()
    assert one.table.game
    hints = [move.text for move in one.table.game.hints(1)]
    for hint in hints[:3]:
        one.play("bob", hint)
    with pytest.raises(WrongTimeError, match="at most 3 hints"):
        one.play("bob", one.table.game.hints(1)[0].text)
    one.play("ann", "start")


def test_a_table_where_too_much_has_happened_only_comes_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    one = started()
    one.play("ann", "start")
    monkeypatch.setattr("nevel.tables.domain.command.MOST_ROWS", one.table.seq)
    with pytest.raises(WrongTimeError, match="only finish the game"):
        one.ask("ann", Undo())
    one.ask("bob", Leave())
    with pytest.raises(WrongTimeError, match="only finish the game"):
        one.ask("bob", Reclaim())
    chair, move = mover(one)
    one.play(person_at(one, chair), move)
