"""What all who watch a table and read the same language are shown alike: players, who is waited for, the terms."""

from collections.abc import Sequence

from msgspec.structs import replace

from nevel.bots.levels import LADDER
from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.languages import Language, mark
from nevel.tables.domain.pace import DAY, Pace
from nevel.tables.domain.table import OVER, PLAYING
from nevel.tables.views.view import ChairView, Scene, TableView, Viewer
from nevel.web.rendering.board import SHAPES, board_of
from nevel.web.rendering.changes import DrawnChanges
from nevel.web.rendering.fragment import Text, Values, fields_of
from nevel.web.rendering.frame_fragments import FactBadge, PlayerBadge, PromptFragment, SeatFacts, Seq, Waited
from nevel.web.rendering.levels import BOT_NAMES, LEVEL_NAMES
from nevel.web.rendering.notices import Peculiarities, box_address
from nevel.web.rendering.render import RenderContext

#: How a chair is taken that is somebody's.
SOMEBODY = ("person", "stood-in")
NOBODY: Sequence[int] = ()


class Setting:
    """What stays as it is at a table as long as nobody comes, goes or is called something else, in one language."""

    __slots__ = ("_chairs", "_opened", "_phase", "action", "board", "box_address", "notice", "place", "spec", "teller")

    def __init__(self, scene: Scene, language: Language) -> None:
        table, chairs = scene.table, scene.chairs
        self._opened, self._chairs, self._phase = table.opened, chairs, table.phase
        self.spec = find(table.opened.game)
        self.board = board_of(self.spec.name)
        self.teller = Teller(language, [name_of(chair, language, table.phase == OVER) for chair in chairs])
        self.action = f"/tables/{table.name}"
        self.place = RenderContext(language, self.teller.names, self.action)
        self.notice = Peculiarities.of(table).tell(language)
        self.box_address = Text(box_address(self.spec.name, table.opened.box))

    @classmethod
    def of(cls, scene: Scene, language: Language) -> "Setting":
        """The setting of a table at a moment; that of the moment before, if it still holds."""
        kept = f"setting {language.code}"
        setting: Setting | None = scene.kept.get(kept)
        if setting is None or not setting._holds(scene):
            setting = scene.kept[kept] = cls(scene, language)
        return setting

    def _holds(self, scene: Scene) -> bool:
        table = scene.table
        return self._opened is table.opened and self._chairs is scene.chairs and self._phase == table.phase


class Surroundings:
    """What all who read the same language are shown alike of a table at one moment. Drawn as a spectator sees it."""

    def __init__(self, scene: Scene, language: Language) -> None:
        # It doesn't know its scene, which knows it: neither would ever be freed before garbage is collected.
        self.setting = setting = Setting.of(scene, language)
        self.teller, self.place = setting.teller, setting.place
        self._board = scene.look_at_board(None)
        table, chairs = scene.table, scene.chairs
        is_playing = table.phase == PLAYING
        waiting = self._board.waiting_for if self._board is not None and is_playing else NOBODY
        self.outcome = table.game.outcome if table.game and table.phase == OVER else None
        self.players = tuple([self._player(chair, chair.chair in waiting) for chair in chairs])
        self.absent = NOBODY
        if not table.opened.pace.is_timed:
            self.absent = tuple(
                [seat for seat in waiting if chairs[seat].kind == "person" and not chairs[seat].is_present]
            )
        self.seq = Seq(Text(str(table.seq)))
        #: Classes of the frame: who is waited for.
        self.marks = [f"waits-{seat}" for seat in waiting]
        self.changes = DrawnChanges(self.place)
        #: Who is waited for, in a sentence.
        text = (
            self.teller.say(mark("Waiting for {players}…"), players=self.teller.list_names(waiting)) if waiting else ""
        )
        self.waiting = PromptFragment(Text(text))
        self._alike: tuple[tuple[PlayerBadge, ...], bool] | None = None

    def _player(self, chair: ChairView, is_waited: bool) -> PlayerBadge:
        """A player as the others see them."""
        seat, setting = chair.chair, self.setting
        facts = () if self._board is None else setting.board.seat_facts(self._board, seat, setting.teller)
        deadline = chair.clock.deadline if chair.clock else None
        return PlayerBadge(
            seat=seat,
            kind=chair.kind,
            level=chair.level,
            is_host=chair.is_host,
            is_present=chair.is_present,
            waited=Waited(seat, is_waited),
            is_winner=self.outcome is not None and seat in self.outcome.winners,
            facts=SeatFacts(seat, tuple([FactBadge(seat, fact) for fact in facts])),
            is_you=False,
            has_link=chair.kind in SOMEBODY,
            deadline=Text(str(deadline or "")),
        )

    def are_alike(self, old: tuple[PlayerBadge, ...]) -> bool:
        """Whether nothing changed of the players but what is the same for all who look."""
        if self._alike is None or self._alike[0] is not old:
            read = fields_of(PlayerBadge).read_own
            self._alike = old, list(map(read, old)) == list(map(read, self.players))
        return self._alike[1]

    def players_for(self, viewer: Viewer, players: tuple[PlayerBadge, ...]) -> tuple[PlayerBadge, ...]:
        """The players, as a viewer sees them: themselves without a link, all others as everybody does."""
        you = viewer.chair
        if viewer.role == "screen" or viewer.is_by_link:
            players = tuple([replace(player, has_link=False) for player in players])
        if you is None:
            return players
        return (*players[:you], replace(players[you], is_you=True, has_link=False), *players[you + 1 :])


class Seating:
    """Who sits where and how it is played, as it is told before a game and after it to all who read a language."""

    def __init__(self, view: TableView, teller: Teller) -> None:
        """From the table as a spectator sees it."""
        language = teller.language
        self._chairs = [draw_chair(view, chair, teller) for chair in view.chairs]
        self.terms: Values = {
            "levels": [(level, language.say(LEVEL_NAMES[level])) for level in LADDER],
            "pace": say_pace(view.pace, language),
            "stand_in": language.say(LEVEL_NAMES[view.stand_in]),
            "options": say_options(view, language),
        }

    def chairs_for(self, chair: int | None) -> list[Values]:
        """The chairs, as who sits in one of them sees them."""
        return [drawn | {"is_you": True} if drawn["seat"] == chair else drawn for drawn in self._chairs]


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
    return chair.name or language.say(mark("Player who left"))


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
        "facts": [] if view.board is None else board_of(view.game).seat_facts(view.board, seat, teller),
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


def say_pace(pace: Pace, language: Language) -> str:
    if pace.kind == "live":
        message = mark("Live: {seconds} seconds per decision, {reserve} in reserve")
        return language.say(message, seconds=pace.seconds, reserve=pace.reserve)
    if pace.kind == "correspondence":
        days = pace.seconds // DAY
        return language.say_count(
            "By correspondence: {count} day per decision", "By correspondence: {count} days per decision", days
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
