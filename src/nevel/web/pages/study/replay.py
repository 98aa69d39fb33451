"""A finished game, step by step: as any seat saw it or with everything open, and a way to play on from any moment."""

import asyncio
import copy
from contextlib import suppress
from html import escape
from typing import Annotated

import msgspec
from minijinja import safe
from msgspec import Meta, Struct

from nevel.bots.levels import LADDER
from nevel.engine.tracing import EVERYONE
from nevel.game import saving
from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.languages import Language, mark
from nevel.study.parts import parts_of
from nevel.tables.domain.command import Command
from nevel.tables.domain.commands import SeatBot, Sit, Start
from nevel.tables.domain.refusals import MalformedError, WrongTimeError
from nevel.tables.domain.table import OVER, PLAYING, Table
from nevel.tables.runtime.off_loop import run_off_loop
from nevel.tables.views.view import PeopleStatus, PlayView, Viewer, look
from nevel.web.assets.assets import style_of
from nevel.web.pages.page import Go, Shown, page
from nevel.web.pages.study.looking_back import LookingBack
from nevel.web.pages.study.mist import draw_mist
from nevel.web.pages.table import at_table, query_text
from nevel.web.rendering.board import Look, Memory, board_of, recall
from nevel.web.rendering.fragment import Values
from nevel.web.rendering.levels import LEVEL_NAMES
from nevel.web.rendering.notices import Peculiarities, box_address
from nevel.web.rendering.render import RenderContext, render_all
from nevel.web.rendering.story import stage, stage_all
from nevel.web.rendering.surroundings import draw_chair, names_of
from nevel.web.server.endpoint import Visit
from nevel.web.services.commands import AtTable
from nevel.web.services.opening import open_saved_game

#: Seconds a replay waits for a server that warms up, before it is shown without what could be known; and those after
#: which telling a game is given up.
WARM_WITHIN = 5.0
TIMEOUT_SECONDS = 20.0


class Moment(AtTable, frozen=True):
    """A moment of a game, and whose eyes to see it with; without a seat everything is open."""

    at: Annotated[int, Meta(ge=0)] = 0
    seat: Annotated[int, Meta(ge=0, le=4)] | None = None


class PlayOn(Struct, frozen=True):
    """From where to play on, in which seat, against which bots."""

    at: Annotated[int, Meta(ge=0)]
    seat: Annotated[int, Meta(ge=0, le=4)] = 0
    level: str = "strong"


async def view(visit: Visit, query: Moment, _form: None) -> Shown:
    room, _ = await visit.enter(query.key, query.chair)
    table = room.table
    game = finished(table)
    length = len(game.log)
    at = min(query.at, length)
    if query.seat is not None and query.seat >= game.seats:
        raise MalformedError(mark("There is no chair {chair} at this table."), chair=query.seat + 1)
    status = visit.site.galleries.people_status(table)

    def tell() -> tuple[ReplayScene, Values, list[Values]]:
        scene = ReplayScene(table, at, visit.language, status)
        return scene, scene.draw(query.seat), steps(game, scene.teller)

    scene, drawn, told = await run_off_loop(visit.payer, tell, TIMEOUT_SECONDS)
    values: Values = {
        "table": table.name,
        "game": game.name,
        "title": game.spec.title,
        "style": style_of(game.spec),
        "notice": Peculiarities.of(table).tell(visit.language),
        "box_address": box_address(table.opened.game, table.opened.box),
        "at": at,
        "length": length,
        "whose": query.seat,
        "query": query_text(query),
        "seats": [(seat, scene.teller.name(seat)) for seat in range(game.seats)],
        "steps": told,
        "line": next((" ".join(step["lines"]) for step in reversed(told) if step["at"] <= at), ""),
        "levels": [(level, visit.language.say(LEVEL_NAMES[level])) for level in LADDER],
        "scene": drawn,
        "address": replay_address(table.name, query),
        "through": [
            replay_address(table.name, msgspec.structs.replace(query, seat=seat)) + str(at)
            for seat in range(game.seats)
        ],
        "is_over": scene.game.is_over,
        "has_mist": parts_of(game.spec).hidden is not None,
        "mist": None,
    }
    if query.seat is not None and values["has_mist"] and await is_warm(visit):
        # The scene has a game of its own: whatever happens at the table meanwhile is no matter to it.
        mist = await visit.site.mists.look(visit.payer, table.name, scene.game, query.seat)
        values["mist"] = draw_mist(mist, scene.game, scene.teller) if mist else None
    if review := await visit.site.reviews.find(table):
        back = LookingBack(review, game, scene.teller)
        values["lines"], values["now"] = back.lines(query.seat), back.place(at, 0)[0]
        values["decisions"] = back.decisions_at(at, query.seat)
    return Shown("replay.html", values)


async def is_warm(visit: Visit) -> bool:
    """Whether what could be known can be worked out; a server that has just started may need a minute for it."""
    with suppress(TimeoutError):
        await asyncio.wait_for(visit.site.warming.study.wait(), WARM_WITHIN)
    return visit.site.warming.study.is_set()


def replay_address(table: str, query: Moment) -> str:
    """The address of the replay up to the moment itself, which comes last."""
    given = query_text(query)
    seat = "" if query.seat is None else f"&seat={query.seat}"
    return f"/tables/{table}/replay{given}{'&' if given else '?'}{seat[1:] + '&' if seat else ''}at="


def finished(table: Table) -> Game:
    if table.phase != OVER or table.game is None:
        raise WrongTimeError(mark("A replay is available once the game is over."))
    return table.game


def steps(game: Game, teller: Teller) -> list[Values]:
    """What happened with every move, in words everybody may read now."""
    told = [[event.tell(teller) for audience, event in entry.events if audience == EVERYONE] for entry in game.log]
    opening = [event.tell(teller) for audience, event in game.opening if audience == EVERYONE]
    return [{"at": at, "lines": lines} for at, lines in enumerate([opening, *told]) if lines]


class ReplayScene:
    """A moment of a game, ready to be drawn."""

    def __init__(self, table: Table, at: int, language: Language, status: PeopleStatus) -> None:
        self.table = copy.copy(table)
        self.game = self.table.game = finished(table).rewind(at)
        self.table.phase = OVER if self.game.is_over else PLAYING
        self.status = status
        self.teller = Teller(language, names_of(look(table, Viewer(), status), language))

    def look(self, seat: int | None, memory: Memory | None, suffix: str = "") -> Look:
        """What a seat saw then. Nobody is asked anything in a replay."""
        play = PlayView(self.game.view(seat), None, [], None)
        return Look(play, self.table.phase, memory=memory, suffix=suffix, is_replay=True)

    def draw(self, seat: int | None) -> Values:
        """The board and a hand as one seat saw them, or the board as all saw it and every hand."""
        view = look(self.table, Viewer("spectator", seat), self.status)
        board = board_of(view.game)
        memory = recall(self.game)
        everybody = range(len(view.chairs)) if seat is None else (seat,)
        place = RenderContext(self.teller.language, self.teller.names)
        hands = list[Values]()
        for other in everybody:
            drawn = board.draw(self.look(other, memory, f"-{other}"))
            hands.append({"seat": other, "name": self.teller.name(other), "hand": safe(render_all(drawn.hand, place))})
        drawn = board.draw(self.look(seat, memory))
        return {
            "board": safe(render_all(drawn.shared, place)),
            "marks": " ".join(drawn.marks),
            "chairs": [draw_chair(view, chair, self.teller) for chair in view.chairs],
            "hands": hands,
            "staged": safe(self._stage(seat)),
        }

    def _stage(self, seat: int | None) -> str:
        """How the last move is staged for a seat; for everybody alike when everything is open."""
        happened = self.game.log[-1].events if self.game.log else ()
        known = [event for audience, event in happened if audience in (EVERYONE, seat)]
        return stage_all([stage(event, "", escape(event.tell(self.teller))) for event in known])


async def play_on(visit: Visit, query: AtTable, form: PlayOn) -> Go:
    """A new table that begins with this moment: one sits in the chosen seat, bots in the others."""
    room, _ = await visit.enter(query.key, query.chair)
    game = finished(room.table)
    if form.at >= len(game.log):
        raise WrongTimeError(mark("The game is over at that point. Choose an earlier moment."))
    again = await open_saved_game(visit, saving.save(game.rewind(form.at)).encode())
    commands: list[Command] = [Sit(form.seat), *([SeatBot(form.level)] if game.seats > 1 else []), Start()]
    for command in commands:
        await visit.site.house.ask(again.table.name, command, visit.known().id)
    return Go(f"/tables/{again.table.name}")


PAGES = (page("/tables/{table}/replay", view, Moment), at_table("play-on", play_on, PlayOn))
