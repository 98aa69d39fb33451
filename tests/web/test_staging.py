"""Stagings: how what happened is shown is sent once, with what it leads to, to those who may know of it."""

import json
import re
from collections import deque
from html import unescape

import pytest
from msgspec.structs import replace

from nevel.crowd.page import STAGED
from nevel.game.event import Event, Teller
from nevel.game.staging import Step
from nevel.tables.domain.commands import Undo
from nevel.tables.views.view import Scene, Viewer
from nevel.web.live.page_channel import PageChannel
from nevel.web.rendering.story import Story
from tests.web.sitting import ONLOOKERS, TELLER, Sitting, viewer

LINE = re.compile(r'<li data-line="([^"]*)" data-steps="([^"]*)">(.*?)</li>')


class Watching:
    """A viewer's page, and what is staged on it."""

    def __init__(self, sitting: Sitting, who: Viewer) -> None:
        self.sitting = sitting
        self.channel = PageChannel(who, "en")
        self.channel.connections.add(None)  # pyright: ignore[reportArgumentType]
        self.channel.update(Scene(sitting.table, ONLOOKERS))
        self.first = self.channel.first(sitting.table, None, deque(), 0).decode()

    def look(self) -> list[tuple[str, list[Step], str]]:
        """Every line that is staged with the next frame: its name in the story, its steps, its sentence."""
        seen = self.channel.seq
        self.channel.update(Scene(self.sitting.table, ONLOOKERS))
        frame = self.channel.frame(seen, -1, deque(), 0)
        assert len(STAGED.findall(frame)) <= 1
        return [
            (name, [Step(**one) for one in json.loads(unescape(steps))], unescape(text))
            for name, steps, text in LINE.findall(frame.decode())
        ]


class Whispered(Event, frozen=True):
    """Something of which one seat may know."""

    word: str

    @property
    def steps(self) -> tuple[Step, ...]:
        return (Step("tally", on="somewhere", text=self.word),)

    def tell(self, teller: Teller) -> str:
        return f"They whisper {self.word} & <more>."


def test_what_happens_is_staged_once_for_whoever_sees_it_happen() -> None:
    sitting = Sitting("the-game", 3, 1)
    watching = [Watching(sitting, one) for one in (viewer(0), viewer(1), viewer(None), Viewer("screen"))]
    assert not any("data-staging" in one.first for one in watching)
    cards = 0
    for _ in sitting.moments():
        looks = [one.look() for one in watching]
        assert all(look == looks[0] for look in looks)  # all that this game stages is public
        for name, steps, sentence in looks[0]:
            assert name in watching[0].channel._frame.story.markup  # pyright: ignore[reportPrivateUsage]
            assert steps[0].do == "move"
            assert re.fullmatch("(ann|bob|cid) (plays|jumps back with) .*", sentence, re.IGNORECASE)
        cards += len(looks[0])
        assert not any(one.look() for one in watching)  # nothing happened since
        assert "data-staging" not in Watching(sitting, viewer(0)).first
    assert cards == sum(98 - view.cards_left for view in [sitting.board])


def test_what_is_missed_comes_together_and_in_order() -> None:
    sitting = Sitting("the-game", 2, 2)
    watching, late = Watching(sitting, viewer(0)), Watching(sitting, viewer(0))
    staged = list[str]()
    for count, _ in enumerate(sitting.moments()):
        staged += [sentence for _, _, sentence in watching.look()]
        if count == 12:
            break
    assert len(staged) > 3
    assert [sentence for _, _, sentence in late.look()] == staged


def test_the_first_deal_is_staged_for_whoever_waited_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting("the-game", 2, 3)
    assert sitting.table.game
    monkeypatch.setattr(sitting.table.game, "opening", [(-1, Whispered("hush"))])
    begun = Scene(sitting.table, ONLOOKERS)
    waited, came = Story(0), Story(0)
    game, sitting.table.game = sitting.table.game, None
    waited.update(Scene(sitting.table, ONLOOKERS), TELLER)
    sitting.table.game = game
    for story in (waited, came):
        story.update(begun, TELLER)
    assert "hush" in waited.staged
    assert not came.staged


def test_nobody_is_staged_what_another_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting("the-game", 2, 4)
    watching = {chair: Watching(sitting, viewer(chair)) for chair in (0, 1, None)}
    sitting.play()
    game = sitting.game
    last = game.log[-1]
    told = replace(last, events=((1, Whispered("hush")), *last.events))
    monkeypatch.setattr(game, "log", [*game.log[:-1], told])
    looks = {chair: one.look() for chair, one in watching.items()}
    assert looks[0] == looks[None]
    assert "hush" not in str(looks[0])
    name, steps, sentence = looks[1][0]
    assert (name, sentence) == (f"told-{sitting.table.seq}-own-0", "They whisper hush & <more>.")
    assert steps == [Step("tally", on="somewhere", text="hush")]


def test_what_is_taken_back_isnt_staged_backwards() -> None:
    sitting = Sitting("the-game", 2, 5, is_practice=True)
    watching = Watching(sitting, viewer(0))
    while not watching.look():
        sitting.play()
    seat = sitting.game.log[-1].seat
    sitting.ask(("ann", "bob")[seat], Undo())
    assert not watching.look()
    sitting.play()
    watching.look()
