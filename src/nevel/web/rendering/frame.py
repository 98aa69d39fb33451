"""A table as one viewer sees it in a browser: the part of the page that is sent anew with every change."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from minijinja import safe

from nevel.bots.levels import LADDER
from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.languages import Language, mark
from nevel.tables.domain.pace import DAY, Pace
from nevel.tables.domain.table import OPEN, OVER, PLAYING, Table
from nevel.tables.views.view import ChairView, Scene, TableView, Viewer
from nevel.web.live.channel import SaidView
from nevel.web.pages.terms import offer_terms
from nevel.web.rendering import skeleton
from nevel.web.rendering.board import SHAPES, Values, board_of, newest_first
from nevel.web.rendering.frame_pieces import CHAT, HELPERS, PLAYER, PlayerBadge, more_of
from nevel.web.rendering.levels import BOT_NAMES, LEVEL_NAMES
from nevel.web.rendering.pieces import together, written
from nevel.web.rendering.story import Story
from nevel.web.rendering.templates import templates

#: How a chair is taken that is somebody's.
SOMEBODY = ("person", "stood-in")
#: Messages shown beside the board.
SAID = 60


class Surroundings:
    """What all who read the same language are shown alike of a table at one moment. Drawn as a spectator sees it."""

    def __init__(self, scene: Scene, language: Language) -> None:
        view = scene.look(Viewer())
        self.teller = Teller(language, names_of(view, language))
        self.chairs = [draw_chair(view, chair, self.teller) for chair in view.chairs]
        self.view = view
        self.values: Values = {
            "title": find(view.game).title,
            "table": safe(view.table),
            "action": safe(f"/tables/{view.table}"),
        }
        #: What the strip of players shows of each; and what each is called, and when their time runs out.
        self.players = [PlayerBadge.of(drawn) for drawn in self.chairs]
        self.shown = [
            (drawn["name"], str(drawn["clock"]["deadline"] or "") if drawn["clock"] else "") for drawn in self.chairs
        ]
        #: The strip as those see it who don't sit here: at a shared screen or not, and with which query.
        self._strips: dict[tuple[bool, str], list[str]] = {}
        self.absent = tuple(
            [
                (drawn["seat"], drawn["name"])
                for drawn in self.chairs
                if drawn["kind"] == "person" and drawn["is_waited"] and not drawn["is_present"]
            ]
        )

    @cached_property
    def terms(self) -> Values:
        """How it is played, which is told before a game and after it."""
        view, language = self.view, self.teller.language
        return {
            "levels": [(level, language.say(LEVEL_NAMES[level])) for level in LADDER],
            "pace": say_pace(view.pace, language),
            "stand_in": language.say(LEVEL_NAMES[view.stand_in]),
            "options": say_options(view, language),
        }

    def players_for(self, viewer: Viewer, query: str) -> str:
        """The strip of players, as a viewer sees it: themselves without a link, all others as everybody does."""
        you, is_screen = viewer.chair, viewer.role == "screen"
        if (key := (is_screen, query)) not in self._strips:
            self._strips[key] = [self._draw_player(seat, False, is_screen, query) for seat in range(len(self.players))]
        drawn = self._strips[key]
        if you is not None:
            drawn = drawn.copy()
            drawn[you] = self._draw_player(you, True, is_screen, query)
        return together(drawn)

    def _draw_player(self, seat: int, is_you: bool, is_screen: bool, query: str) -> str:
        player, (name, deadline) = self.players[seat], self.shown[seat]
        has_link = not is_you and not is_screen and player.kind in SOMEBODY
        link = f"{self.values['action']}/somebody?seat={seat}{more_of(query)}" if has_link else ""
        return PLAYER(self.teller.language, player, is_you, shown=(name, link, deadline))

    def chairs_for(self, chair: int | None) -> list[Values]:
        """The chairs, as who sits in one of them sees them."""
        if chair is None:
            return self.chairs
        return [drawn | {"is_you": True} if drawn["seat"] == chair else drawn for drawn in self.chairs]


class PageFrame:
    """What one viewer is shown of a table, in one language."""

    def __init__(self, viewer: Viewer, language: Language) -> None:
        self.viewer = viewer
        self.language = language
        self._story = Story(viewer.chair)

    def draw(self, scene: Scene, said: Sequence[SaidView], now: int, query: str = "") -> str:
        """The frame. `query` is what its forms' addresses end with, where no script adds it."""
        table, view = scene.table, scene.look(self.viewer)
        around = scene.once(f"frame {self.language.code}", lambda scene: Surroundings(scene, self.language))
        teller = around.teller
        values: Values = around.values | {
            "seq": safe(str(view.seq)),
            "now": safe(str(now)),
            "query": query,
            "players": around.players_for(self.viewer, query),
            "story": self._story.draw(scene, teller),
            "latest": self._story.latest,
            "prompt": written(say_prompt(view, teller)),
        }
        if view.phase == PLAYING:
            values["view"] = while_playing(view)
            values["helpers"] = self._draw_helpers(view, around, query)
        else:
            values |= {"view": view, "chairs": around.chairs_for(self.viewer.chair), "more": more_of(query)}
            values |= around.terms
        if view.phase == OPEN and view.you.is_host:
            terms = offer_terms(view.game, self.language, view.options, view.pace, view.stand_in)
            # A game that was brought along goes on as it began.
            values["terms"] = {**terms, "options": []} if view.brought else terms
        if view.board is not None:
            board = board_of(view.game)
            recalled = None if table.game is None else scene.once("past", recall)
            values["board"] = board.draw(view, teller, self._doomed(table, view), recalled=recalled)
            if recalled is not None:
                values["past"] = board.look_back(view, recalled, teller)
            if view.outcome is not None:
                values["result"] = board.result(view, teller)
                values["outcome"] = find(view.game).vocabulary.tell_outcome(view.outcome, teller)
                values["has_won"] = self.viewer.chair in view.outcome.winners
        if said or self.viewer.role == "player":
            values["chat"] = CHAT(
                self.language,
                self.viewer.chair if said else None,
                self.viewer.role == "player",
                "board" in values and values["board"].get("is_silent", False),
                tuple(said[-SAID:]),
                shown=(around.values["action"], query, more_of(query)),
            )
        if view.phase == PLAYING:
            return skeleton.draw(self.language.code, "frame.html", values)
        return templates(self.language.code).render("frame.html", **values)

    def _draw_helpers(self, view: TableView, around: Surroundings, query: str) -> str:
        you, undo = self.viewer.chair, view.undo
        asked = None if undo is None else undo.asked
        return HELPERS(
            self.language,
            undo is not None and asked is not None and you is not None and you not in undo.agreed,
            undo is not None and undo.may_ask,
            asked is not None and asked == you,
            None if you is None else around.players[you].kind,
            tuple([one for one in around.absent if one[0] != you]) if around.absent and you is not None else (),
            shown=(around.values["action"], query, "" if asked is None else around.teller.name(asked)),
        )

    def _doomed(self, table: Table, view: TableView) -> dict[str, str]:
        """The viewer's moves that can only lose, each with a sentence why."""
        game, chair = table.game, self.viewer.chair
        if game is None or chair is None or view.prompt is None or not game.spec.can_lose_at_once:
            return {}
        return {move: clause.sentence(self.language) for move, clause in game.lost_moves(chair).items()}


def while_playing(view: TableView) -> Values:
    """As much of a view as templates ask for while a game is played: the same at many tables."""
    return {
        "phase": view.phase,
        "game": view.game,
        "you": view.you,
        "prompt": view.prompt and {"question": view.prompt.question},
        "undo": view.undo and {"may_ask": view.undo.may_ask},
    }


def recall(scene: Scene) -> Any:
    """What everybody was told of the game and is still shown."""
    game = scene.table.game
    assert game is not None
    return board_of(game.name).recall(newest_first(game), scene.table.phase == OVER)


def names_of(view: TableView, language: Language) -> list[str]:
    """What everybody at a table is called."""
    return [name_of(chair, language, view.phase == OVER) for chair in view.chairs]


def name_of(chair: ChairView, language: Language, is_over: bool = False) -> str:
    if chair.kind == "bot":
        return BOT_NAMES[chair.chair]
    if chair.kind == "empty" and is_over:
        # A game that was brought along to be looked at, by whoever played it.
        return chair.name or language.say(mark("Player {number}"), number=chair.chair + 1)
    if chair.kind == "empty":
        return language.say(mark("Free chair"))
    return chair.name or language.say(mark("Somebody who left"))


def draw_chair(view: TableView, chair: ChairView, teller: Teller) -> Values:
    seat = chair.chair
    is_waited = view.board is not None and view.phase == PLAYING and seat in view.board.waiting_for
    return {
        "seat": seat,
        "shape": SHAPES[seat],
        "name": teller.names[seat],
        "kind": chair.kind,
        "level": chair.level,
        "level_name": teller.say(LEVEL_NAMES[chair.level]) if chair.level else "",
        "is_you": chair.is_you,
        "is_somebody": chair.kind in SOMEBODY,
        "is_host": chair.is_host,
        "is_present": chair.is_present,
        "kept": say_kept(chair, teller) if chair.is_reserved else "",
        "is_waited": is_waited,
        "clock": {"deadline": chair.clock.deadline, "reserve": chair.clock.reserve} if chair.clock else None,
        "facts": [] if view.board is None else board_of(view.game).seat_facts(view, seat, teller),
        "is_winner": view.outcome is not None and seat in view.outcome.winners,
        "points": view.outcome.points[seat] if view.outcome else None,
    }


def say_kept(chair: ChairView, teller: Teller) -> str:
    """For whom a chair is kept, as far as they can still be named."""
    if not chair.name:
        return teller.say(mark("kept for somebody"))
    return teller.say(mark("kept for {player}"), player=chair.name)


def say_prompt(view: TableView, teller: Teller) -> str:
    """What the viewer is asked, or who is waited for, in one sentence."""
    if view.board is None or view.phase != PLAYING:
        return ""
    if view.prompt is not None:
        return teller.say(find(view.game).vocabulary.questions[view.prompt.question])
    waiting = view.board.waiting_for
    return teller.say(mark("Waiting for {players} …"), players=teller.list_names(waiting)) if waiting else ""


def say_pace(pace: Pace, language: Language) -> str:
    if pace.kind == "live":
        message = mark("Live: {seconds} seconds a decision, {reserve} in reserve")
        return language.say(message, seconds=pace.seconds, reserve=pace.reserve)
    if pace.kind == "correspondence":
        days = pace.seconds // DAY
        return language.say_count(
            "By correspondence: {count} day a decision", "By correspondence: {count} days a decision", days
        )
    return language.say(mark("Relaxed: no clock"))


def say_options(view: TableView, language: Language) -> list[Values]:
    """The variants that are played: yes or no, or a number; each with the rule it comes from."""
    said: list[Values] = []
    for option in find(view.game).vocabulary.options:
        value = view.options[option.name]
        is_switch = set(option.values) == {0, 1}
        text = language.say(mark("yes") if value else mark("no")) if is_switch else str(value)
        says = find(view.game).rulebook[option.clause].sentence(language)
        said.append({"title": language.say(option.title), "value": text, "says": says})
    return said
