"""A table as one viewer sees it in a browser: the part of the page that is sent anew with every change."""

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any

from minijinja import safe
from msgspec.structs import replace

from nevel.bots.levels import LADDER
from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.languages import Language, mark
from nevel.tables.domain.pace import DAY, Pace
from nevel.tables.domain.table import OPEN, OVER, PLAYING, Table
from nevel.tables.views.view import ChairView, Scene, TableView, Viewer
from nevel.web.live.channel import SaidView
from nevel.web.pages.terms import offer_terms
from nevel.web.rendering.board import SHAPES, BoardParts, Look, board_of, newest_first
from nevel.web.rendering.fragment import Change, Drawn, Text, Values
from nevel.web.rendering.frame_fragments import (
    Asked,
    Body,
    ChatFragment,
    FactBadge,
    Helpers,
    Latest,
    Leaving,
    Own,
    PlayerBadge,
    Players,
    PlayFragment,
    PromptFragment,
    Seq,
    Shared,
    Side,
    ToldFragment,
)
from nevel.web.rendering.levels import BOT_NAMES, LEVEL_NAMES
from nevel.web.rendering.notices import tell_notices
from nevel.web.rendering.render import RenderContext, escaped, render, render_all
from nevel.web.rendering.story import SHOWN, Story
from nevel.web.rendering.templates import in_ascii, templates

#: How a chair is taken that is somebody's.
SOMEBODY = ("person", "stood-in")
#: Messages shown beside the board.
SAID = 60


class Surroundings:
    """What all who read the same language are shown alike of a table at one moment. Drawn as a spectator sees it."""

    def __init__(self, scene: Scene, language: Language) -> None:
        view = scene.look(Viewer())
        self.view = view
        self.teller = Teller(language, names_of(view, language))
        self.action = f"/tables/{view.table}"
        self.place = RenderContext(language, self.teller.names, self.action)
        self.players = [self._player(chair) for chair in view.chairs]
        self.absent = tuple(
            [
                player.seat
                for player in self.players
                if player.kind == "person" and player.is_waited and not player.is_present and not view.pace.is_timed
            ]
        )

    def _player(self, chair: ChairView) -> PlayerBadge:
        """A player as the others see them."""
        view, seat = self.view, chair.chair
        facts = [] if view.board is None else board_of(view.game).seat_facts(view, seat, self.teller)
        deadline = chair.clock.deadline if chair.clock else None
        return PlayerBadge(
            seat=seat,
            kind=chair.kind,
            level=chair.level,
            is_host=chair.is_host,
            is_present=chair.is_present,
            is_waited=is_waited(view, seat),
            is_winner=view.outcome is not None and seat in view.outcome.winners,
            facts=tuple([FactBadge(seat, fact) for fact in facts]),
            is_you=False,
            has_link=chair.kind in SOMEBODY,
            deadline=Text(str(deadline or "")),
        )

    def players_for(self, viewer: Viewer) -> Players:
        """The strip of players, as a viewer sees it: themselves without a link, all others as everybody does."""
        you, players = viewer.chair, self.players
        if viewer.role == "screen" or viewer.is_by_link:
            players = [replace(player, has_link=False) for player in players]
        if you is not None:
            players = players.copy()
            players[you] = replace(players[you], is_you=True, has_link=False)
        return Players(tuple(players))

    @cached_property
    def chairs(self) -> list[Values]:
        return [draw_chair(self.view, chair, self.teller) for chair in self.view.chairs]

    def chairs_for(self, chair: int | None) -> list[Values]:
        """The chairs, as who sits in one of them sees them."""
        if chair is None:
            return self.chairs
        return [drawn | {"is_you": True} if drawn["seat"] == chair else drawn for drawn in self.chairs]

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


class PageFrame:
    """What one viewer is shown of a table, in one language."""

    def __init__(self, viewer: Viewer, language: Language) -> None:
        self.viewer = viewer
        self.language = language
        self.story = Story(viewer.chair)

    def draw(self, scene: Scene, said: Sequence[SaidView], now: int, query: str = "") -> str:
        """The whole frame. `query` is what its forms' addresses end with, where no script adds it."""
        return self.look(scene, said, query).draw(now)

    def look(self, scene: Scene, said: Sequence[SaidView], query: str = "") -> "FrameLook":
        """What there is to show at a moment."""
        view = scene.look(self.viewer)
        around = scene.once(f"frame {self.language.code}", lambda scene: Surroundings(scene, self.language))
        place = RenderContext(self.language, around.teller.names, around.action, query) if query else around.place
        self.story.update(scene, around.teller)
        drawn = self._draw_board(scene, view)
        prompt = say_prompt(view, around.teller)
        is_playing, role = view.phase == PLAYING, self.viewer.role
        outcome = find(view.game).vocabulary.tell_outcome(view.outcome, around.teller) if view.outcome else ""
        play = side = None
        if view.phase in (PLAYING, OVER):
            play = PlayFragment(
                Seq(Text(str(view.seq))),
                Shared(drawn.shared),
                Asked(
                    is_playing and role == "spectator",
                    Latest(Drawn("", self.story.latest)) if is_playing and self.story.latest else None,
                    PromptFragment(Text(prompt)) if is_playing else None,
                    Own(drawn.hand) if role != "screen" else None,
                ),
            )
        if role != "screen":
            side = Side(
                drawn.side,
                ToldFragment(self.story.times) if self.story.has_lines else None,
                self.chat(said, drawn.is_silent),
            )
        body = Body(
            find(view.game).title,
            tell_notices(view.is_brought, view.has_own_box, view.is_practice, self.language),
            around.players_for(self.viewer),
            self._draw_panel(view, around, drawn, place, outcome, query),
            play,
            self._helpers(view, around) if is_playing else None,
            side,
        )
        return FrameLook(view, body, place, self.story, outcome or prompt, drawn.is_silent)

    def _draw_board(self, scene: Scene, view: TableView) -> BoardParts:
        if view.board is None:
            return NO_BOARD
        recalled = None if scene.table.game is None else scene.once("past", recall)
        return board_of(view.game).draw(Look(view, recalled, self._doomed(scene.table, view)))

    def chat(self, said: Sequence[SaidView], is_silent: bool) -> ChatFragment | None:
        """What was said, and where to say something."""
        is_player = self.viewer.role == "player"
        if not said and not is_player:
            return None
        has_links = not self.viewer.is_by_link
        return ChatFragment(self.viewer.chair if said else None, is_player, has_links, is_silent, tuple(said[-SAID:]))

    def _helpers(self, view: TableView, around: Surroundings) -> Helpers:
        you, undo = self.viewer.chair, view.undo
        asked = None if undo is None else undo.asked
        is_stood_in = you is not None and around.players[you].kind == "stood-in"
        acts_fully = you is not None and not self.viewer.is_by_link
        return Helpers(
            asked,
            asked is not None and asked == you,
            undo is not None and asked is not None and you is not None and you not in undo.agreed,
            undo is not None and undo.may_ask,
            is_stood_in,
            tuple([seat for seat in around.absent if seat != you]) if around.absent and acts_fully else (),
            Leaving() if acts_fully and not is_stood_in else None,
        )

    def _draw_panel(
        self, view: TableView, around: Surroundings, board: BoardParts, place: RenderContext, outcome: str, query: str
    ) -> Drawn | None:
        """Who sits down before a game, how it ended after it, or that there is none."""
        if view.phase == PLAYING:
            return None
        if view.phase not in (OPEN, OVER):
            return Drawn("closed", templates(self.language.code).render("closed.html"))
        values: Values = around.terms | {
            "view": view,
            "action": around.action,
            "query": query,
            "more": more_of(query),
            "chairs": around.chairs_for(self.viewer.chair),
        }
        if view.phase == OPEN:
            if view.you.is_host:
                terms = offer_terms(view.game, self.language, view.options, view.pace, view.stand_in)
                # A game that was brought along goes on as it began.
                values["terms"] = {**terms, "options": []} if view.is_brought else terms
            return Drawn("waiting", in_ascii(templates(self.language.code).render("waiting.html", **values)))
        values |= {
            "outcome": outcome,
            "has_won": view.outcome is not None and self.viewer.chair in view.outcome.winners,
            "is_good": board.is_good,
            "board_result": safe(render_all(board.result, place)),
            "board_rounds": safe(render_all(board.rounds, place)),
        }
        return Drawn("result", in_ascii(templates(self.language.code).render("result.html", **values)))

    def _doomed(self, table: Table, view: TableView) -> dict[str, str]:
        """The viewer's moves that can only lose, each with a sentence why."""
        game, chair = table.game, self.viewer.chair
        if game is None or chair is None or view.prompt is None or not game.spec.can_lose_at_once:
            return {}
        return {move: clause.sentence(self.language) for move, clause in game.lost_moves(chair).items()}


class FrameLook:
    """A frame at one moment: the attributes of its element, and the fragments in it."""

    def __init__(
        self, view: TableView, body: Body, place: RenderContext, story: Story, news: str, is_silent: bool
    ) -> None:
        self.view = view
        self.body = body
        self.place = place
        self.story = story
        #: What a tab in the back says when it isn't one's turn.
        self.news = news
        self.is_silent = is_silent

    def draw(self, now: int, more: str = "") -> str:
        """All of it."""
        return f"{self.head(now, more)}\n{render(self.body, self.place.telling(self.story.markup))}</main>"

    def draw_changes(self, found: Sequence[Change], told: int | None, now: int, more: str) -> str:
        """Only what changed: the frame's attributes, the fragments that differ, and the lines of the story after so
        many; all of them if it isn't the one that was told before.
        """
        place = self.place.telling(self.story.markup) if told is None else self.place
        parts = [self.head(now, more), *[render(new, place, old) for old, new in found]]
        if told is not None and told < self.story.count:
            parts.append(f'<ol data-add="{ToldFragment.element}" data-most="{SHOWN}">{self.story.after(told)}</ol>')
        parts.append("</main>")
        return "\n".join(parts)

    def with_chat(self, chat: ChatFragment | None) -> "FrameLook":
        """The same for those who hear this."""
        look = copy(self)
        if self.body.side is not None:
            look.body = replace(self.body, side=replace(self.body.side, chat=chat))
        return look

    def head(self, now: int, more: str = "") -> str:
        """The element of the frame with all its attributes, and with `more` of them."""
        view, you = self.view, self.view.you
        phase, prompt = view.phase, view.prompt
        news = self.place.language.say(mark("Your turn")) if prompt else self.news
        title = f"{news} · {self.body.title}" if news else self.body.title
        look = f"table table-{view.game} phase-{phase} role-{you.role}{' is-yours' if prompt else ''}"
        chair = f"{you.chair}{'-host' if you.is_host else ''}"
        if phase == OVER:
            more = f' data-won="{int(view.outcome is not None and you.chair in view.outcome.winners)}"{more}'
        return (
            f'<main id="table" class="{look}" data-seq="{view.seq}" data-phase="{phase}" data-table="{view.table}"'
            f' data-now="{now}" data-game="{view.game}" data-you="{phase}-{you.role}-{chair}"'
            f' data-question="{prompt.question if prompt else ""}" data-title="{escaped(title)}"{more}>'
        )


NO_BOARD = BoardParts()


def more_of(query: str) -> str:
    """What an address that has a question already ends with."""
    return query.replace("?", "&", 1)


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
        "is_waited": is_waited(view, seat),
        "clock": {"deadline": chair.clock.deadline, "reserve": chair.clock.reserve} if chair.clock else None,
        "facts": [] if view.board is None else board_of(view.game).seat_facts(view, seat, teller),
        "is_winner": view.outcome is not None and seat in view.outcome.winners,
        "points": view.outcome.points[seat] if view.outcome else None,
    }


def is_waited(view: TableView, seat: int) -> bool:
    return view.board is not None and view.phase == PLAYING and seat in view.board.waiting_for


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
