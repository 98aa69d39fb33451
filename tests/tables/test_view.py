"""What a viewer of a table is shown: all of it, and never a byte they may not know."""

import random
from contextlib import suppress

import msgspec
import pytest

import nevel
from nevel.engine import chance
from nevel.game.registry import all_games
from nevel.game.vocabulary import View
from nevel.tables.domain import facts
from nevel.tables.domain.commands import Close, Leave, LetBotPlay, Reclaim, Sit, Start
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import MoveRefusedError
from nevel.tables.domain.table import Table
from nevel.tables.domain.undo import Undo
from nevel.tables.views.encoding import ViewTemplate, encode_view
from nevel.tables.views.view import PeopleStatus, Scene, TableView, Viewer, look, told_since
from tests.own_games import OWN_GAMES
from tests.tables.one_table import OneTable, started

GAMES = tuple(OWN_GAMES)
PEOPLE = ("ann", "bob", "cid")
NAMES = {"ann": "Ann", "bob": "Bob"}
PEOPLE_STATUS = PeopleStatus(NAMES, lambda person: person == "ann")


def player(chair: int) -> Viewer:
    return Viewer("player", chair)


def seen(table: Table, viewer: Viewer) -> TableView:
    return look(table, viewer, PEOPLE_STATUS)


def shown(table: Table, viewer: Viewer, since: int) -> bytes:
    """Everything a viewer gets."""
    return msgspec.json.encode([seen(table, viewer), told_since(table, viewer.chair, since)])


def move_at_random(one: OneTable, dice: random.Random) -> None:
    game = one.table.game
    assert game
    chair = dice.choice(game.waiting_for)
    prompt = game.prompt(chair)
    assert prompt
    one.play(PEOPLE[chair], dice.choice(prompt.moves))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_a_viewer_cant_know_makes_no_difference(game: str) -> None:
    dice = random.Random(game)
    differed = 0
    for _ in range(8):
        one = started(game, ("ann", "bob", "cid"), pace=Pace("live", seconds=30))
        while one.table.phase == "playing" and one.table.seq < 60:
            move_at_random(one, dice)
            if one.table.phase != "playing" or one.table.game is None:
                break
            chair = dice.choice([None, 0, 1, 2])
            viewer = Viewer() if chair is None else player(chair)
            before = shown(one.table, viewer, one.table.seq)
            differed += tamper(one.table, chair, dice)
            assert shown(one.table, viewer, one.table.seq) == before
            one.table = one.again()
    assert differed > 50


def tamper(table: Table, chair: int | None, dice: random.Random) -> bool:
    """Change everything a chair can't know: hidden cards, chance, the secret, others' contributions, all ids."""
    real = table.game
    assert real
    twin = real.copy()
    seat = -1 if chair is None else chair
    twin.vocabulary.rules.conceal(twin.state, seat)
    chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
    twin.vocabulary.rules.imagine(twin.state, seat)
    table.game = twin
    table.secret = "77" * 32
    table.commands.add("other", 1)
    for i, other in enumerate(table.chairs):
        if i != chair:
            other.contribution = "something else"
            other.link_at = 99
    return twin.state.tobytes() != real.state.tobytes()


@pytest.mark.parametrize("game", all_games())
def test_what_is_encoded_is_what_is_seen(game: str) -> None:
    """For every viewer at every moment of whole games with undoing, hints, and people who come and go."""
    dice = random.Random(game)
    viewers = [*(player(chair) for chair in range(3)), Viewer(), Viewer("screen"), Viewer("player", 0, is_host=True)]
    away = PeopleStatus({**PEOPLE_STATUS.names, PEOPLE[1]: "100 % \0 %b"}, lambda person: person == PEOPLE[0])
    for pace in (Pace(), Pace("live", seconds=30)):
        one = OneTable(game, len(PEOPLE), pace=pace)
        templates = [ViewTemplate(viewer) for viewer in viewers]
        for person in PEOPLE:
            one.ask(person, Sit(contribution=f"{person}'s luck"))
            check_encoding(one.table, templates, PEOPLE_STATUS)
        one.ask("ann", Start())
        while one.table.phase == "playing":
            people = away if dice.random() < 0.2 else PEOPLE_STATUS
            check_encoding(one.table, dice.sample(templates, len(templates)), people)
            give_hint(one, dice)
            move_at_random(one, dice)
            if one.table.phase == "playing" and dice.random() < 0.03:
                with suppress(MoveRefusedError):  # a move that is never taken back
                    one.ask(PEOPLE[one.table.played[-1][1].chair], Undo())
                check_encoding(one.table, templates, people)
            if one.table.phase == "playing" and dice.random() < 0.03:
                one.ask(PEOPLE[2], LetBotPlay(2))
                check_encoding(one.table, templates, people)
                one.ask(PEOPLE[2], Reclaim())
        check_encoding(one.table, templates, PEOPLE_STATUS)
        one.add([facts.Rematched("another")])
        check_encoding(one.table, templates, PEOPLE_STATUS)


def test_what_is_encoded_of_a_closed_table_is_what_is_seen() -> None:
    one = OneTable()
    one.ask("ann", Close())
    check_encoding(one.table, [ViewTemplate(Viewer()), ViewTemplate(Viewer(is_host=True))], PEOPLE_STATUS)


def check_encoding(table: Table, templates: list[ViewTemplate], people: PeopleStatus) -> None:
    """What is encoded decodes to the very view that Python callers get, by a template and without one."""
    scene = Scene(table, people)
    anew = table.foresee([])
    anew.game = table.game and table.game.copy()
    for template in templates:
        text = template.fill(scene)
        assert text == encode_view(Scene(anew, people), template.viewer)
        view = look(anew, template.viewer, people)
        assert decoded(text, table.game and table.game.vocabulary.view_type) == view
        # Both have the same fields, under the same names.
        assert msgspec.json.decode(text) == msgspec.json.decode(msgspec.json.encode(view))


def decoded(text: bytes, view_type: type[View] | None) -> TableView:
    view = msgspec.json.decode(text, type=TableView)
    if view_type is None:
        return view
    board = msgspec.json.encode(msgspec.json.decode(text)["board"])
    return msgspec.structs.replace(view, board=msgspec.json.decode(board, type=view_type))


def give_hint(one: OneTable, dice: random.Random) -> None:
    chair, game = dice.randrange(3), one.table.game
    if game and dice.random() < 0.3 and (hints := game.hints(chair)):
        one.play(PEOPLE[chair], dice.choice(hints).text)


@pytest.mark.parametrize("game", GAMES)
def test_events_are_those_of_the_story_with_their_rows(game: str) -> None:
    dice = random.Random(game)
    one = started(game, ("ann", "bob", "cid"))
    while one.table.phase == "playing" and one.table.seq < 80:
        move_at_random(one, dice)
    assert one.table.game
    for chair in (None, 0, 1, 2):
        told = told_since(one.table, chair, -1)
        assert [one_told.event for one_told in told] == one.table.game.story(chair)
        assert [one_told.seq for one_told in told] == sorted(one_told.seq for one_told in told)
        middle = told[len(told) // 2].seq
        assert told_since(one.table, chair, middle) == [one_told for one_told in told if one_told.seq > middle]
    assert told_since(one.table, 0, one.table.seq) == []


def test_only_ones_own_question_is_shown() -> None:
    one = started("misty")
    game = one.table.game
    assert game
    for chair in (0, 1):
        prompt = game.prompt(chair)
        question = seen(one.table, player(chair)).prompt
        assert prompt
        assert question
        assert tuple(question.moves) == prompt.moves
    watched = seen(one.table, Viewer())
    assert (watched.prompt, watched.hints, watched.board) == (None, [], game.view(None))
    one.ask("bob", Leave())
    assert seen(one.table, player(1)).prompt is None
    assert [chair.kind for chair in seen(one.table, Viewer()).chairs] == ["person", "stood-in"]


def test_a_chair_shows_who_sits_there_and_their_time() -> None:
    one = OneTable("the-game", 3, Pace("live", seconds=30, reserve=60))
    one.ask("ann", Sit())
    one.ask("gone", Sit())
    ann, gone, free = seen(one.table, Viewer("player", 0, is_host=True)).chairs
    assert (ann.name, ann.is_you, ann.is_host, ann.is_present, ann.kind) == ("Ann", True, True, True, "person")
    assert (gone.name, gone.is_you, gone.is_present) == (None, False, False)
    assert (free.kind, free.clock) == ("empty", None)
    assert ann.clock
    assert (ann.clock.reserve, ann.clock.deadline) == (60_000, None)


def test_undo_and_the_end_are_shown() -> None:
    one = started("misty")
    assert one.table.game
    one.play("ann", one.table.game.prompts()[0].moves[0])
    undo = seen(one.table, player(0)).undo
    assert undo
    assert undo.may_ask
    assert not getattr(seen(one.table, player(1)).undo, "may_ask", True)
    one.ask("ann", Undo())
    dice = random.Random(1)
    while one.table.phase == "playing":
        assert seen(one.table, Viewer()).proof is None
        move_at_random(one, dice)
    view = seen(one.table, Viewer())
    assert view.proof
    assert view.proof.contributions == {0: "ann's luck", 1: "bob's luck"}
    assert view.outcome == one.table.game.outcome
    assert isinstance(one.table.game, nevel.Game)
