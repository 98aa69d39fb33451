"""A table as one viewer sees it in a browser: the part of the page that is sent anew with every change."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple, cast

from minijinja import safe

from nevel.languages import Language, mark
from nevel.tables.domain.table import OPEN, OVER, PLAYING, Table
from nevel.tables.views.view import PlayView, Scene, Viewer
from nevel.web.live.channel import SaidView
from nevel.web.pages.terms import offer_terms
from nevel.web.rendering.board import NOTHING, Board, BoardParts, Fragments, Look, Memory, Recollection, board_of
from nevel.web.rendering.changes import DrawnChanges
from nevel.web.rendering.fragment import Children, Drawn, Text, Values
from nevel.web.rendering.frame_fragments import (
    Asked,
    Body,
    ChatFragment,
    Helpers,
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
from nevel.web.rendering.render import RenderContext, escaped, render, render_all
from nevel.web.rendering.shuffle import draw_shuffle
from nevel.web.rendering.standing import say_standing
from nevel.web.rendering.story import SHOWN, Story
from nevel.web.rendering.surroundings import Seating, Surroundings
from nevel.web.rendering.templates import in_ascii, templates

#: Messages shown beside the board.
SAID = 60
LEAVING = Leaving()


class FrameParts(NamedTuple):
    """What a frame consists of, place by place; None where there is no such place."""

    title: str
    #: What everybody is told of a table that isn't as most are, and where its box is listed if that is the host's own.
    notice: str
    box_address: Text
    is_watching: bool
    told: ToldFragment | None
    #: The players, as all see them.
    players: tuple[PlayerBadge, ...]
    #: Before the game who sits down, after it how it ended.
    panel: Drawn | None
    #: With the next four, the form in which one plays.
    seq: Seq | None
    shared: Shared
    latest: Drawn | None
    prompt: PromptFragment | None
    own: Own | None
    helpers: Helpers | None
    #: With the story that is told, what stands beside the board.
    side: Fragments | None
    chat: ChatFragment | None

    @property
    def steady(self) -> tuple[object, ...]:
        """What has to be the same for single places to be replaced."""
        return self[:STEADY]

    @property
    def changing(self) -> tuple[Children, ...]:
        """The places after the players, whose fragments may change."""
        return cast("tuple[Children, ...]", self[STEADY + 1 :])

    def body(self, players: tuple[PlayerBadge, ...]) -> Body:
        """All of it in its places, with the players as the viewer sees them."""
        play = side = None
        if self.seq is not None:
            play = PlayFragment(self.seq, self.shared, Asked(self.is_watching, self.latest, self.prompt, self.own))
        if self.side is not None:
            side = Side(self.side, self.told, self.chat)
        return Body(self.title, self.notice, self.box_address, Players(players), self.panel, play, self.helpers, side)


#: How many places come before the players.
STEADY = 5


class PageFrame:
    """What one viewer is shown of a table, in one language."""

    def __init__(self, viewer: Viewer, language: Language) -> None:
        self.viewer = viewer
        self.language = language
        self.story = Story(viewer.chair)
        self._around = f"frame {language.code}"

    def draw(self, scene: Scene, said: Sequence[SaidView], now: int, query: str = "") -> str:
        """The whole frame. `query` is what its forms' addresses end with, where no script adds it."""
        return self.look(scene, said, query).draw(now)

    def look(self, scene: Scene, said: Sequence[SaidView], query: str = "") -> "FrameLook":
        """What there is to show at a moment."""
        viewer, table = self.viewer, scene.table
        around = scene.once(self._around, lambda scene: Surroundings(scene, self.language))
        setting = around.setting
        place = RenderContext(self.language, around.teller.names, setting.action, query) if query else around.place
        self.story.update(scene, around.teller)
        play, phase, is_screen = scene.look_at_play(viewer), table.phase, viewer.role == "screen"
        board = self._draw_board(scene, play, setting.board)
        is_playing, ending, latest = phase == PLAYING, "", None
        prompt: PromptFragment | None = around.waiting
        if play.prompt:
            prompt = PromptFragment(Text(around.teller.say(setting.spec.vocabulary.questions[play.prompt.question])))
        news = prompt.text
        if is_playing:
            latest = self.story.latest
        else:
            prompt = None
            if around.outcome:
                ending = news = setting.spec.vocabulary.tell_outcome(around.outcome, around.teller)
        parts = FrameParts(
            title=setting.spec.title,
            notice=setting.notice,
            box_address=setting.box_address,
            is_watching=is_playing and viewer.role == "spectator",
            told=ToldFragment(self.story.times) if self.story.has_lines and not is_screen else None,
            players=around.players,
            panel=None if is_playing else self._draw_panel(scene, around, board, place, ending, query),
            seq=around.seq if is_playing or phase == OVER else None,
            shared=Shared(board.shared),
            latest=latest,
            prompt=prompt,
            own=None if is_screen else Own(board.hand),
            helpers=self._helpers(play, around) if is_playing else None,
            side=None if is_screen else board.side,
            chat=None if is_screen else self.chat(said, board.is_silent),
        )
        return FrameLook(self, around, place, table, play, parts, news, board)

    def _draw_board(self, scene: Scene, play: PlayView, board: Board) -> BoardParts:
        table = scene.table
        if play.board is None or table.game is None:
            return NO_BOARD
        is_screen, memory = self.viewer.role == "screen", scene.once("memory", recollect)
        return board.draw(Look(play, table.phase, is_screen=is_screen, memory=memory, doomed=self._doomed(table, play)))

    def chat(self, said: Sequence[SaidView], is_silent: bool) -> ChatFragment | None:
        """What was said, and where to say something."""
        is_player = self.viewer.role == "player"
        if not said and not is_player:
            return None
        has_links = not self.viewer.is_by_link
        return ChatFragment(self.viewer.chair if said else None, is_player, has_links, is_silent, tuple(said[-SAID:]))

    def _helpers(self, play: PlayView, around: Surroundings) -> Helpers:
        you, undo = self.viewer.chair, play.undo
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
            LEAVING if acts_fully and not is_stood_in else None,
        )

    def _draw_panel(
        self, scene: Scene, around: Surroundings, board: BoardParts, place: RenderContext, ending: str, query: str
    ) -> Drawn:
        """Who sits down before a game, how it ended after it, or that there is none."""
        view = scene.look(self.viewer)
        if view.phase not in (OPEN, OVER):
            return Drawn("closed", templates(self.language.code).render("closed.html"))
        name = f"seating {self.language.code}"
        seating = scene.once(name, lambda scene: Seating(scene.look(Viewer()), around.teller))
        values: Values = (
            seating.terms
            | draw_shuffle(view, around)
            | {
                "view": view,
                "action": around.setting.action,
                "query": query,
                "more": more_of(query),
                "chairs": seating.chairs_for(self.viewer.chair),
            }
        )
        if view.phase == OPEN:
            spec = around.setting.spec
            values |= {"title": spec.title, "pitch": self.language.say(spec.pitch)}
            if view.you.is_host:
                terms = offer_terms(view.game, self.language, view.options, view.pace, view.stand_in)
                # A game that was brought along goes on as it began.
                values["terms"] = {**terms, "options": []} if view.is_brought else terms
            return Drawn("waiting", in_ascii(templates(self.language.code).render("waiting.html", **values)))
        values |= {
            "outcome": ending,
            "about_you": say_standing(around.setting.spec, view.outcome, self.viewer.chair, around.teller)
            if view.outcome
            else "",
            "has_won": view.outcome is not None and self.viewer.chair in view.outcome.winners,
            "is_good": board.is_good,
            "board_result": safe(render_all(board.result, place)),
            "board_rounds": safe(render_all(board.rounds, place)),
        }
        return Drawn("result", in_ascii(templates(self.language.code).render("result.html", **values)))

    def _doomed(self, table: Table, play: PlayView) -> Mapping[str, str]:
        """The viewer's moves that can only lose, each with a sentence why."""
        game, chair = table.game, self.viewer.chair
        if game is None or chair is None or play.prompt is None or not game.spec.can_lose_at_once:
            return NOTHING
        return {move: clause.sentence(self.language) for move, clause in game.lost_moves(chair).items()}


class FrameLook:
    """A frame at one moment: the attributes of its element, and the fragments in it."""

    def __init__(
        self,
        frame: PageFrame,
        around: Surroundings,
        place: RenderContext,
        table: Table,
        play: PlayView,
        parts: FrameParts,
        news: str,
        board: BoardParts,
    ) -> None:
        self.viewer = frame.viewer
        self.story = frame.story
        #: What is staged on the way to this moment from the one before, as markup beside the frame's own.
        self.staged = frame.story.staged
        self.around = around
        self.place = place
        self.table = table
        self.play = play
        self.parts = parts
        #: What a tab in the back says when it isn't one's turn.
        self.news = news
        self.is_silent = board.is_silent
        #: What is marked on the board, as classes.
        self.marks = " ".join((*around.marks, *board.marks))

    def body(self, parts: FrameParts) -> Body:
        """All that is in the frame."""
        return parts.body(self.around.players_for(self.viewer, parts.players))

    def draw(self, now: int, more: str = "", staged: str = "") -> str:
        """All of it; with what is staged, for pages that show the moment before."""
        body = render(self.body(self.parts), self.place.telling(self.story.markup))
        return f"{self.head(now, more)}\n{body}{staged}</main>"

    def draw_changes(self, old: FrameParts, told: int, now: int, more: str) -> str | None:
        """Only what changed: the frame's attributes, the fragments that differ, and the lines of the story after so
        many. None for a page that can't be brought up to date like that.
        """
        changed = self._draw_changed(old)
        if changed is None:
            return None
        drawn = [self.head(now, more), changed]
        if old.told is not None and old.told == self.parts.told and told < self.story.count:
            drawn.append(f'<ol data-add="{ToldFragment.element}" data-most="{SHOWN}">{self.story.after(told)}</ol>')
        drawn += (self.staged, "</main>")
        return "\n".join(drawn)

    def _draw_changed(self, old: FrameParts) -> str | None:
        """Draw what changed place by place, or in all together where places themselves came or went."""
        new, draw = self.parts, self.around.changes.draw
        if old.steady == new.steady and (players := self._draw_players(old.players)) is not None:
            found = [players] if players else []
            for before, after in zip(old.changing, new.changing, strict=True):
                if before is not after and before != after:
                    drawn = draw(before, after)
                    if drawn is None:
                        break
                    if drawn:
                        found.append(drawn)
            else:
                return "\n".join(found)
        return DrawnChanges(self.place.telling(self.story.markup)).draw(self.body(old), self.body(new))

    def _draw_players(self, old: tuple[PlayerBadge, ...]) -> str | None:
        """Draw what changed of the players: for all at once, unless it is something that each sees in their own way."""
        around = self.around
        new = around.players
        if old is new or old == new:
            return ""
        if not around.are_alike(old):
            old, new = around.players_for(self.viewer, old), around.players_for(self.viewer, new)
        return around.changes.draw(old, new)

    def with_chat(self, chat: ChatFragment | None) -> "FrameLook":
        """The same for those who hear this."""
        look = copy(self)
        if self.parts.side is not None:
            look.parts = self.parts._replace(chat=chat)
        return look

    def head(self, now: int, more: str = "") -> str:
        """The element of the frame with all its attributes, and with `more` of them."""
        table, viewer, prompt = self.table, self.viewer, self.play.prompt
        phase, game = table.phase, table.opened.game
        news = self.place.language.say(mark("Your turn")) if prompt else self.news
        title = f"{news} · {self.parts.title}" if news else self.parts.title
        look = f"table table-{game} phase-{phase} role-{viewer.role}{' is-yours' if prompt else ''} {self.marks}"
        chair = f"{viewer.chair}{'-host' if viewer.is_host else ''}"
        if phase == OVER:
            outcome = self.around.outcome
            more = f' data-won="{int(outcome is not None and viewer.chair in outcome.winners)}"{more}'
        return (
            f'<main id="table" class="{look}" data-seq="{table.seq}" data-phase="{phase}" data-table="{table.name}"'
            f' data-now="{now}" data-game="{game}" data-you="{phase}-{viewer.role}-{chair}"'
            f' data-question="{prompt.question if prompt else ""}" data-title="{escaped(title)}"{more}>'
        )


def recollect(scene: Scene) -> Memory | None:
    """What the board of a table remembers of all that happened."""
    game = scene.table.game
    assert game is not None
    recollection: Recollection | None = scene.kept.get("recollection")
    if recollection is None:
        recollection = scene.kept["recollection"] = Recollection(board_of(game.name))
    return recollection.of(game)


NO_BOARD = BoardParts()


def more_of(query: str) -> str:
    """What an address that has a question already ends with."""
    return query.replace("?", "&", 1)
