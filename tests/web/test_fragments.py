"""Fragments: what anybody is shown is what they would be shown if it were drawn for them alone."""

import gc
import random
import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from statistics import mean
from typing import ClassVar

import pytest

from nevel.crowd.page import ReceivedPage
from nevel.game.event import Teller
from nevel.languages import LANGUAGES, language
from nevel.tables.domain.commands import Play
from nevel.tables.views.view import PeopleStatus, Scene, Viewer
from nevel.web.live.channel import Channel, SaidView, Spoken
from nevel.web.live.page_channel import PageChannel
from nevel.web.rendering import changes
from nevel.web.rendering import render as rendering
from nevel.web.rendering.changes import DrawnChanges
from nevel.web.rendering.fragment import Fragment, Parts, Text, Texts, Values
from nevel.web.rendering.frame import PageFrame
from nevel.web.rendering.render import RenderContext, render
from nevel.web.rendering.templates import templates
from tests.web.sitting import PEOPLE, Sitting, within

CODES = list(LANGUAGES)
#: Names that would be markup if nobody saw to it.
NAMES = {person: f"<{person.title()}> & \"'é" for person in PEOPLE}
#: All are here, or one isn't.
HERE = PeopleStatus(NAMES, lambda _: True)
AWAY = PeopleStatus(NAMES, lambda person: person != "bob")
SAID = [SaidView(1, 5, "<Bob>", 1, "<hi>"), SaidView(2, 6, None, None, "…")]
GAMES = [("the-game", 3), ("extreme", 4), ("what-the-fog", 4), ("misty", 3)]


def moments(game: str, seats: int, seed: int) -> Iterator[tuple[int, Scene]]:
    """A whole game, in which people come and go and give hints where they may."""
    dice = random.Random(game)
    sitting = Sitting(game, seats, seed)
    for moment, _ in enumerate(sitting.moments()):
        give_hint(sitting, dice)
        yield moment, Scene(sitting.table, AWAY if moment % 7 == 0 else HERE)


def give_hint(sitting: Sitting, dice: random.Random) -> None:
    """Now and then somebody says something, where the game allows it."""
    seat = dice.randrange(sitting.game.seats)
    if sitting.table.phase == "playing" and (hints := sitting.game.hints(seat)) and dice.random() < 0.3:
        sitting.ask(PEOPLE[seat], Play(dice.choice(hints).text, sitting.table.seq))


def viewers_of(seats: int) -> list[Viewer]:
    return [Viewer("player", seat, seat == 0) for seat in range(seats)] + [Viewer(), Viewer("screen")]


def render_anew(fragment: Fragment, place: RenderContext, names: tuple[str, ...]) -> str:
    """The markup of a fragment without gaps and without a cache: all that is in it is drawn first."""
    values = fragment.fill(Teller(place.language, names))
    return templates(place.language.code).render(fragment.template, **{"id": fragment.id, **values})


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_what_is_kept_is_what_would_be_drawn(game: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games, for every seat, for those who watch and for a shared screen, in three languages in turn."""
    rendering.SKELETONS.clear()
    count = leaves = 0
    for seed in range(2):
        frames = {(one, code): PageFrame(one, language(code)) for one in viewers_of(seats) for code in LANGUAGES}
        for moment, scene in moments(game, seats, seed):
            said, code = SAID[: moment % 3], CODES[moment % len(CODES)]
            for viewer in viewers_of(seats):
                look = frames[viewer, code].look(scene, said)
                shown = look.draw(moment)
                with monkeypatch.context() as patched:
                    patched.setattr(rendering.SKELETONS, "find", lambda key, fragment: rendering.draw(key[0], fragment))
                    anew = PageFrame(viewer, language(code)).draw(Scene(scene.table, scene.people), said, moment)
                assert shown == anew
                count += 1
                # Names that are put into gaps stand where a template would have put them.
                names = tuple(NAMES[person] for person in PEOPLE)
                for fragment in within(look.body(look.parts)):
                    if type(fragment).__module__.startswith("nevel.games") and not has_parts(fragment):
                        leaves += 1
                        assert unescape(render(fragment, look.place)) == unescape(
                            render_anew(fragment, look.place, names)
                        )
    assert leaves > 500
    assert len(rendering.SKELETONS) < 5 * count


def has_parts(fragment: Fragment) -> bool:
    return rendering.fields_of(type(fragment)).has_parts


def squeezed(content: bytes) -> bytes:
    """A page without the spaces between its elements."""
    return re.sub(rb"\s*(<[^>]*>)\s*", rb"\1", content)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_page_that_was_sent_changes_is_the_whole_page(game: str, seats: int) -> None:
    """At every move of a whole game, for everybody: what one comes to by changes is what whoever comes now is sent."""
    rng = random.Random(game)
    watched = {(viewer, code): Watched(viewer, code) for viewer in viewers_of(seats) for code in LANGUAGES}
    said = deque[Spoken]()
    for moment, scene in moments(game, seats, 0):
        if moment % 9 == 4:
            said.append(Spoken(moment, "x", SaidView(moment, 5, "<Bob>", 1, "<hi>"), b""))
        code = CODES[moment % len(CODES)]
        for (viewer, language_code), one in watched.items():
            if language_code == code or rng.random() < 0.2:  # whoever is slow misses some
                one.watch(scene, said, moment)
                anew = Watched(viewer, language_code)
                anew.watch(Scene(scene.table, scene.people), said, moment)
                assert without_version(one.page.content) == without_version(anew.page.content)
                assert one.page.read() == anew.page.read()
    frames = [frame for one in watched.values() for frame in one.frames]
    changed = [frame for frame in frames if b" data-after=" in frame[:900]]
    # All of it is sent at first and when the game is over.
    assert len(frames) - len(changed) <= 2 * len(watched)
    # Each of these pages is sent every third move, with all that changed meanwhile.
    assert mean(map(len, changed)) < mean(map(len, set(frames) - set(changed))) / 2


def without_version(content: bytes) -> bytes:
    return re.sub(rb' data-version="\d+"', b"", squeezed(content))


class Watched:
    """A page and the channel that keeps it up to date."""

    def __init__(self, viewer: Viewer, code: str) -> None:
        self.channel = PageChannel(viewer, code)
        self.channel.connections.add(None)  # pyright: ignore[reportArgumentType]
        self.page = ReceivedPage()
        self.frames = list[bytes]()
        self.seen = -1

    def watch(self, scene: Scene, said: deque[Spoken], now: int) -> None:
        self.channel.update(scene)
        if self.frames:
            self.frames.append(self.channel.frame(self.seen, 0, said, now))
        else:
            self.frames.append(self.channel.first(scene.table, None, said, now))
        self.page.take(self.frames[-1])
        self.seen = self.channel.seen_by(False)
        self.channel.let_go()


def test_a_gap_is_noticed_and_whoever_has_one_is_sent_everything() -> None:
    watched = Watched(Viewer(), "en")
    channel = watched.channel
    steps = moments("the-game", 2, 0)
    for _ in range(2):
        watched.watch(next(steps)[1], deque(), 0)
    (version,) = re.findall(rb' data-version="(\d+)"', watched.page.content)
    assert int(version) == watched.seen
    # Somebody who has seen an older version, and somebody who was written to alone.
    for seen in (watched.seen - 1, channel.seen_by(True)):
        channel.update(next(steps)[1])
        assert b"data-after" not in channel.frame(seen, 0, deque(), 0)
        changes_only = channel.frame(channel.seq - 1, 0, deque(), 0)
        assert f' data-after="{channel.seq - 1}"'.encode() in changes_only
        page = ReceivedPage()
        page.take(watched.frames[0])
        with pytest.raises(ValueError, match="missed"):
            page.take(changes_only)
        channel.let_go()


def test_who_doesnt_hear_somebody_isnt_sent_what_they_say_by_changes() -> None:
    """Nor are the others of the same channel spared it."""
    channel = PageChannel(Viewer(), "en")
    said = deque([Spoken(number, "x", SaidView(number, 5, "Bob", 1, f"word{number}"), b"") for number in (1, 2)])
    steps = moments("the-game", 2, 0)
    channel.update(next(steps)[1])
    assert b"word1" not in channel.write(-1, -1, deque(), 0)
    assert b"word1" in channel.frame(-1, -1, said, 0)
    seen = channel.seq
    channel.update(next(steps)[1])
    assert b"word" not in channel.write(seen, -1, deque(), 0)
    said.append(Spoken(3, "x", SaidView(3, 5, "Bob", 1, "word3"), b""))
    assert b"word3" in (frame := channel.frame(seen, -1, said, 0))
    assert b"data-after" in frame


class Note(Fragment, frozen=True):
    """A fragment of this test."""

    template: ClassVar[str] = "misty/going.html"
    number: int
    text: Text = Text("")
    notes: tuple["Note", ...] = ()
    asked: ClassVar[list[int]] = []

    @property
    def id(self) -> str:
        return f"note-{self.number}" if self.number else ""

    def fill(self, teller: Teller) -> Values:
        self.asked.append(self.number)
        passing = {"deal": teller.name(1), "way": "left", "text": self.text} if self.text else None
        return {"passing": passing}

    def parts(self) -> Parts:
        return {"title": self.notes}


def test_a_template_runs_once_for_equal_fragments_of_a_language() -> None:
    Note.asked.clear()
    for code in LANGUAGES:
        for number in (1, 2, 1, 1):
            render(Note(number), RenderContext(language(code)))
    assert Note.asked == [1, 2] * len(LANGUAGES)


def test_what_is_drawn_around_names_texts_and_fragments_is_kept_for_all() -> None:
    rendering.SKELETONS.clear()
    Note.asked.clear()
    place, other = RenderContext(language("en"), ["Ann", "<Bob>"]), RenderContext(language("en"), ["Ann", "Zoé"])
    texts = [render(Note(3, Text(text), (Note(4),)), place) for text in ("to Ann", "to <Bob>", "", "to Zoé")]
    for text, one in zip(("to Ann", "to &lt;Bob&gt;", "<strong>", "to Zo&#233;"), texts, strict=True):
        assert text in one
        assert ("&lt;Bob&gt;</span>" in one) == bool(one != texts[2])
        assert one.count("<strong>") == 2
    assert "way-left" not in texts[2]
    assert "Zo&#233;</span>" in render(Note(3, Text("to"), (Note(5), Note(4))), other)
    # Once with a text, once without, and each that is in it.
    assert sorted(Note.asked) == [3, 3, 4, 5]


class Counts(Fragment, frozen=True):
    """A fragment of this test with several texts."""

    template: ClassVar[str] = "misty/going.html"
    counts: Texts
    asked: ClassVar[list[Texts]] = []

    def fill(self, teller: Teller) -> Values:
        self.asked.append(self.counts)
        told = ", ".join(f"{teller.name(seat)} {count}" for seat, count in enumerate(self.counts) if count)
        return {"title": f"{len(self.counts)}: {told} 100 %"}


def test_several_texts_are_each_put_into_their_own_gap() -> None:
    rendering.SKELETONS.clear()
    Counts.asked.clear()
    place = RenderContext(language("en"), ["Ann", "<Bob>", "Cid"])
    told = [("1", "2"), ("3", "<4>"), ("3", ""), ("5", ""), ("6", "7", "8"), ()]
    drawn = [render(Counts(tuple(map(Text, one))), place) for one in told]
    expected = ["2: Ann 1, &lt;Bob&gt; 2 ", "2: Ann 3, &lt;Bob&gt; &lt;4&gt; ", "2: Ann 3 ", "2: Ann 5 "]
    expected += ["3: Ann 6, &lt;Bob&gt; 7, Cid 8 ", "0:  "]
    for text, one in zip(expected, drawn, strict=True):
        assert f">{text}100 %<" in one
    # Once for each number of them, and for those that are empty.
    assert len(Counts.asked) == 4


def test_what_wasnt_needed_for_long_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    rendering.SKELETONS.clear()
    monkeypatch.setattr(rendering, "CACHE_SIZE", 8)
    Note.asked.clear()
    place = RenderContext(language("en"))
    for number in range(2, 40):
        for one in (Note(1), Note(number), Note(1)):
            assert f"note-{one.number}" in render(one, place)
            assert len(rendering.SKELETONS) <= 8
    # What is needed all the time stays; the others were drawn once each.
    assert Note.asked == [1, *range(2, 40)]
    render(Note(2), place)
    assert Note.asked[-1] == 2


def test_what_cant_be_hashed_is_drawn_each_time() -> None:
    Note.asked.clear()
    for _ in range(2):
        render(Note([1]), RenderContext(language("en")))  # pyright: ignore[reportArgumentType]
    assert len(Note.asked) == 2


def test_the_smallest_fragments_that_changed_are_found() -> None:
    def found(old: Note, new: Note) -> list[int] | None:
        collected = list[int]()

        def collect(fragment: Note, _: RenderContext, __: Note) -> str:
            collected.append(fragment.number)
            return "drawn"

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(changes, "render", collect)
            is_enough = DrawnChanges(RenderContext(language("en"))).draw(old, new) is not None
        return collected if is_enough else None

    one, two, three = Note(1), Note(2), Note(3)
    assert found(Note(9, notes=(one, two)), Note(9, notes=(one, two))) == []
    assert found(Note(9, notes=(one, two)), Note(9, notes=(one, Note(2, Text("x"))))) == [2]
    # Another number of them, others, or something else in what is around them: then all of it.
    assert found(Note(9, notes=(one, two)), Note(9, notes=(one,))) == [9]
    assert found(Note(9, notes=(one, two)), Note(9, notes=(one, three))) == [9]
    assert found(Note(9, notes=(one, two)), Note(9, Text("x"), (one, Note(2, Text("x"))))) == [9]
    # What stays in it is only named.
    place = RenderContext(language("en"))
    named = render(Note(9, notes=(one, three)), place, Note(9, notes=(two, one)))
    assert named.count('<template data-keep="note-1"></template>') == named.count("<template") == 1
    # Without an id it is replaced with what is around it, up to the whole.
    nameless = Note(0, Text("x"))
    assert found(Note(9, notes=(Note(0), two)), Note(9, notes=(nameless, two))) == [9]
    assert found(Note(0, notes=(Note(0), two)), Note(0, notes=(nameless, two))) is None


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_nothing_that_was_shown_waits_for_garbage_to_be_collected(game: str, seats: int) -> None:
    """A server collects garbage seldom: what refers to itself would stay in memory after every move."""
    channels = [Channel(viewer) for viewer in viewers_of(seats)]
    channels += [PageChannel(viewer, "en") for viewer in viewers_of(seats)]
    sitting = Sitting(game, seats, 1)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for moment, _ in enumerate(sitting.moments()):
            gc.collect()
            scene = Scene(sitting.table, HERE)
            for channel in channels:
                seen = channel.seq
                channel.update(scene)
                channel.frame(seen, -1, deque(), moment)
                channel.let_go()
            del scene
            assert [one for one in gc.get_objects() if isinstance(one, Scene)] == []
            if moment == 12:
                break
    finally:
        if was_enabled:
            gc.enable()
