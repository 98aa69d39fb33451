"""What the figures of the handbooks claim, worked out again by the real rules."""

import re
from collections import Counter
from functools import singledispatch
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from nevel.engine import chance, dispatch, tracing
from nevel.game.box import Box
from nevel.games.misty import rules as misty
from nevel.games.misty.box import DRAWINGS, KINDS
from nevel.games.misty.rules import table as panes
from nevel.games.misty.rules import window
from nevel.games.misty.rules.telling import tell_eating
from nevel.games.misty.web.figures import Building, Window
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.box import COMMANDS
from nevel.games.the_game.rules import extreme, table
from nevel.games.the_game.rules.extreme_turn import FIRST_INFINITY
from nevel.games.the_game.web.figures import FigurePlay, Piles
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.box import SYMBOLS, WEATHERS
from nevel.games.what_the_fog.rules import table as week
from nevel.games.what_the_fog.rules.count import count_day, score
from nevel.games.what_the_fog.web.figures import Day, Influence, Predictions, Sheets, TokenPiles
from nevel.languages import LANGUAGES
from nevel.web.help.figures import Cards, Figure
from nevel.web.help.handbook import handbook
from tests.own_games import OWN_GAMES
from tests.rulebooks import CLAUSES

GAMES = {"what-the-fog": what_the_fog, "the-game": the_game, "extreme": extreme, "misty": misty}
OPTIONS = {what_the_fog: (0,), the_game: (2, 0, 0), extreme: (2, 0, 0, 0), misty: (0,)}
PILES = ("up1", "up2", "down1", "down2")


def begin(game: ModuleType, seats: int) -> Any:
    """A game set up by the rules."""
    s = dispatch.new_states(game)[0]
    chance.key(s.chance, 1, 2, 3, 4)
    name = next(name for name, module in GAMES.items() if module is game)
    game.setup(s, seats, Box.of(name).numbers, np.array(OPTIONS[game], np.int64), tracing.blank())
    return s


def act(game: ModuleType, s: Any, seat: int, move: int) -> list[list[int]]:
    """Make a legal move; gives the events, each as kind, audience and facts."""
    assert game.refusal(s, seat, move) == 0
    trace = tracing.blank()
    game.apply(s, seat, move, trace)
    return trace[1 : trace[0, 0] + 1].tolist()


def code(clause: str) -> int:
    return CLAUSES[clause].code if clause else 0


@singledispatch
def check(figure: Figure, game: ModuleType) -> None:
    """Fail unless the rules agree with the figure."""
    raise AssertionError(f"nobody checks {type(figure).__name__}")


# ---------------------------------------------------------------- The Game and Extreme


def hold_turn(figure: Piles, game: ModuleType) -> Any:
    """The position of a figure, the turn just begun."""
    s = begin(game, 2 if figure.has_others else 1)
    plain = [card for card in range(2, 100) if game is the_game or not s.command[card]]
    shown = {*figure.tops, *figure.hand, *(play.card for play in figure.plays)}
    free = [card for card in plain if card not in shown]
    Random(1).shuffle(free)
    hand = list(figure.hand) or list(dict.fromkeys(play.card for play in figure.plays))
    if not figure.hand:
        hand += [free.pop() for _ in range(6 - len(hand))]
    hands = [hand, [free.pop() for _ in range(6)]] if figure.has_others else [hand]
    s.hand_size, s.phase, s.ended = 6, table.CHOOSING, 0
    s.hand[:], s.held[:], s.deck[:], s.where[:] = 0, 0, 0, table.UNSEEN
    s.where[table.MARGIN + 2 : table.MARGIN + 100] = table.ON_A_PILE
    s.tops[:] = figure.tops
    for seat, cards in enumerate(hands):
        s.held[seat] = len(cards)
        s.hand[seat, : len(cards)] = cards
        for card in cards:
            s.where[table.MARGIN + card] = 1 + seat
    s.left = figure.draw_pile
    for i in range(figure.draw_pile):
        s.deck[i] = free[i]
        s.where[table.MARGIN + free[i]] = table.UNSEEN
    act(game, s, 0, table.START)
    return s


@check.register
def check_piles(figure: Piles, game: ModuleType) -> None:
    s = hold_turn(figure, game)
    left = int(s.left)
    made = [play for play in figure.plays if not play.refused]
    for play in figure.plays:
        pile = PILES.index(play.pile)
        move = (play.card - table.LOWEST) * table.PILES + pile
        if play.refused:
            assert game.refusal(s, 0, move) == code(play.refused)
            continue
        assert bool(the_game.is_trick(s.tops[pile], pile, play.card)) == play.is_trick
        assert game.losing_clause(s, 0, move) == (code(figure.doom) if play is made[-1] else 0)
        left = int(s.left)
        act(game, s, 0, move)
    assert s.ended == code(figure.over)
    if figure.holding is not None:
        visible = {int(s.command[top]) for top in s.tops}
        assert {COMMANDS[command - 1] for command in visible if command >= FIRST_INFINITY} == set(figure.holding)
    if figure.end == "at-once":
        assert s.active == 1
    elif figure.end == "allowed":
        left = int(s.left)
        act(game, s, 0, table.END_TURN)
        assert s.active == 1
    elif figure.end:
        assert game.refusal(s, 0, table.END_TURN) == code(figure.end)
    elif not figure.over and made:
        assert s.active == 0
    if figure.drawn is not None:
        assert figure.end in ("allowed", "at-once")
        assert left - s.left == figure.drawn


@check.register
def check_cards(figure: Cards, game: ModuleType) -> None:
    known = {
        what_the_fog: {f"weather-{weather}" for weather in WEATHERS} | {"action-swap", "action-reveal"},
        extreme: {f"command-{command}" for command in COMMANDS},
        misty: {f"misty-{kind}" for kind in DRAWINGS},
    }
    assert set(figure.drawings) <= known[game]


# ---------------------------------------------------------------- What the Fog?!


@check.register
def check_token_piles(figure: TokenPiles, game: ModuleType) -> None:
    s = begin(game, 3)
    s.top[:] = [1 + WEATHERS.index(top) for top in figure.tops]
    assert game.refusal(s, s.active, week.RETURN) == (0 if figure.can_return else code("FOG-T6"))


@check.register
def check_day(figure: Day, game: ModuleType) -> None:
    s = begin(game, 3)
    day = figure.day - 1
    s.day[day] = 0
    s.day[day, : len(figure.tokens)] = [1 + WEATHERS.index(token) for token in figure.tokens]
    s.filled[day] = len(figure.tokens)
    if figure.lay is None:
        return
    s.phase, s.lifted, s.lifted_back = week.PLACING, 1 + WEATHERS.index(figure.lay), 1
    if figure.refused:
        assert game.refusal(s, s.active, week.PLACE + day) == code(figure.refused)
        return
    events = act(game, s, s.active, week.PLACE + day)
    assert [event[4] + 1 for event in events if event[0] == week.PLACED] == [figure.part]
    assert SYMBOLS[s.symbols[day, figure.part - 1]] == figure.action
    phases = {week.SWAPPING: "swap", week.REVEALING: "reveal"}
    assert phases.get(int(s.phase), "") == figure.action
    assert (s.phase == week.PREDICTING) == figure.completes


@check.register
def check_influence(figure: Influence, game: ModuleType) -> None:
    s = begin(game, len(figure.players))
    s.day[0] = [1 + WEATHERS.index(token) for token in figure.tokens]
    s.open[:] = 0
    for seat, player in enumerate(figure.players):
        for card in player.cards:
            s.open[seat, WEATHERS.index(card)] += 1
    count_day(s, 0, tracing.blank())
    assert s.influence[0, : s.seats].tolist() == [player.influence for player in figure.players]
    assert s.sheet[: s.seats, 0, 1].tolist() == [int(player.claims) for player in figure.players]


@check.register
def check_predictions(figure: Predictions, game: ModuleType) -> None:
    seats = len(figure.players)
    s = begin(game, seats)
    s.phase, s.active, s.predictor = week.PREDICTING, 0, 0
    s.prediction[:seats] = figure.before
    for seat in range(seats):
        assert game.waiting(s) == 1 << seat
        act(game, s, seat, week.RAISE if figure.after[seat] > figure.before[seat] else week.PASS)
    assert s.prediction[:seats].tolist() == list(figure.after)
    assert s.phase == week.LIFTING
    assert figure.players[s.active] == figure.next


@check.register
def check_sheets(figure: Sheets, game: ModuleType) -> None:
    s = begin(game, max(2, len(figure.sheets)))
    for number in range(1, 1 + len(figure.sheets[0].rows)):
        s.round_number = number
        for seat, sheet in enumerate(figure.sheets):
            s.sheet[seat, number - 1, :2] = sheet.rows[number - 1][:2]
        score(s, tracing.blank())
    for seat, sheet in enumerate(figure.sheets):
        assert s.sheet[seat, : len(sheet.rows)].tolist() == [list(row) for row in sheet.rows]
        assert sum(row[2] for row in sheet.rows) == sheet.total
    if len(figure.sheets) > 1:
        s.phase = week.OVER
        out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
        game.outcome(s, out)
        assert out[: s.seats, 0].tolist() == [sheet.total for sheet in figure.sheets]
        assert out[: s.seats, 1].tolist() == [int(sheet.wins) for sheet in figure.sheets]


# ---------------------------------------------------------------- Misty


def space(name: str) -> int:
    """A space of a figure, as the rules number it: the figure's first is the second of the second row."""
    return (int(name[1]) * window.SIDE) + 1 + "abcdef".index(name[0])


def lay_window(rows: tuple[str, ...]) -> Any:
    """A window as drawn, about to be activated, beside one that is done."""
    s = begin(misty, 2)
    s.window[:], s.hand[:], s.activated[:], s.moves[:], s.held = 0, 0, 0, 0, 0
    spaces = [(1 + i, 1 + j, kind) for i, row in enumerate(rows) for j, kind in enumerate(row.split()) if kind != "."]
    for row, column, kind in spaces:
        s.window[0, row, column] = 1 + KINDS.index(kind)
    s.laid[0] = len(spaces)
    s.top[0], s.bottom[0] = min(i for i, _, _ in spaces), max(i for i, _, _ in spaces)
    s.left[0], s.right[0] = min(j for _, j, _ in spaces), max(j for _, j, _ in spaces)
    s.phase = panes.ACTIVATING
    s.done[:2] = 0, 0  # the other is never done, so that the round isn't counted and cleared
    return s


def draw_window(s: Any, rows: int, columns: int, eaten: list[list[int]]) -> list[str]:
    """The window as it lies now, in the way of the figures."""
    lying: dict[int, list[str]] = {}
    activated = int(s.activated[0])
    moved: list[tuple[int, str]] = []
    for place in range(window.SPACES):
        row, column = divmod(place, window.SIDE)
        if kind := int(s.window[0, row, column]):
            name = KINDS[kind - 1]
            if activated >> place & 1:
                moved.append((int(window.destination(s, 0, row, column)), name))
            else:
                lying[place] = [name]
    for place, name in moved:
        if place >= 0:
            lying.setdefault(place, []).append(name)
    for monster, flower in eaten:
        lying[flower] = lying.pop(monster)
    return [
        " ".join("+".join(lying.get(i * window.SIDE + j, ["."])) for j in range(1, columns + 1))
        for i in range(1, rows + 1)
    ]


@check.register
def check_window(figure: Window, game: ModuleType) -> None:
    kinds = Counter(kind for row in figure.rows for kind in row.split())
    s = lay_window(figure.rows)
    assert all(s.count[KINDS.index(kind)] >= kinds[kind] for kind in kinds if kind != "."), "more than the box has"
    for move in figure.moves:
        act(game, s, 0, panes.MOVE + space(move))
    for name, clause in figure.refused.items():
        s.done[0] = 0  # with its last card a window is done, and that is refused first
        assert game.refusal(s, 0, panes.MOVE + space(name)) == code(clause)
    eaten: list[list[int]] = []
    if figure.score is not None:
        activated = int(s.activated[0])
        assert window.movable(s, 0, activated) == 0, "there is still something to move"
        trace = tracing.blank()
        tell_eating(s, 0, trace)
        eaten = [row[3:5] for row in trace[1 : trace[0, 0] + 1].tolist()]
        assert window.score(s, 0, activated) == figure.score
    assert draw_window(s, len(figure.rows), len(figure.rows[0].split()), eaten) == list(figure.after)


@check.register
def check_building(figure: Building, game: ModuleType) -> None:
    s = lay_window(figure.rows)
    s.phase, s.choice[0] = panes.PLACING, 1
    for name in figure.fits:
        assert game.refusal(s, 0, panes.PLACE + space(name)) == 0, name
    for name, clause in figure.refused.items():
        assert game.refusal(s, 0, panes.PLACE + space(name)) == code(clause), name


# ---------------------------------------------------------------- the handbooks


def figures(game: str) -> list[tuple[str, Figure]]:
    items = handbook(game, "en").items
    return [(item.name, item.figure) for item in items if item.figure] + [
        (item.name, example.figure) for item in items for example in item.examples
    ]


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_rules_agree_with_every_figure(game: str) -> None:
    for name, figure in figures(game):
        try:
            check(figure, GAMES[game])
        except AssertionError as problem:
            raise AssertionError(f"{game}, {name}: {figure}") from problem


def first(game: str, kind: type[Figure], clause: str, number: int = 0) -> Any:
    """A figure of an item."""
    return [figure for name, figure in figures(game) if name == clause and isinstance(figure, kind)][number]


def test_a_wrong_figure_is_found_out() -> None:
    small_steps = first("the-game", Piles, "TG-T2")
    stop = first("extreme", Piles, "EX-L1")
    skull = first("extreme", Piles, "EX-L2")
    day = first("what-the-fog", Day, "FOG-T8")
    claim = first("what-the-fog", Influence, "FOG-C3")
    sheets = first("what-the-fog", Sheets, "FOG-E2")
    order = first("misty", Window, "MI-A2")
    wrong: list[tuple[str, Figure]] = [
        ("the-game", replace(small_steps, plays=(FigurePlay(30, "up1"),))),
        ("the-game", replace(small_steps, plays=(FigurePlay(26, "up1"),))),
        ("the-game", replace(small_steps, plays=(FigurePlay(30, "up1", refused="TG-T3"),))),
        ("the-game", replace(first("the-game", Piles, "TG-T4"), drawn=2)),
        ("the-game", replace(first("the-game", Piles, "TG-E1"), over="")),
        ("the-game", replace(first("the-game", Piles, "TG-E2"), doom="")),
        ("extreme", replace(stop, end="allowed")),
        ("extreme", replace(skull, end="EX-L4")),
        ("extreme", replace(first("extreme", Piles, "EX-I1"), holding=())),
        ("what-the-fog", replace(first("what-the-fog", TokenPiles, "FOG-T6"), can_return=False)),
        ("what-the-fog", replace(day, part=4)),
        ("what-the-fog", replace(day, action="swap")),
        ("what-the-fog", replace(claim, players=tuple(replace(player, influence=4) for player in claim.players))),
        ("what-the-fog", replace(sheets, sheets=tuple(replace(sheet, wins=True) for sheet in sheets.sheets))),
        ("what-the-fog", replace(first("what-the-fog", Predictions, "FOG-P2"), next="Max")),
        ("misty", replace(order, score=7)),
        ("misty", replace(order, moves=order.moves[:-1])),
        ("misty", replace(order, after=order.rows)),
        ("misty", replace(first("misty", Building, "MI-T4"), fits=("e1",))),
    ]
    for game, figure in wrong:
        with pytest.raises(AssertionError):
            check(figure, GAMES[game])


def numbers(text: str) -> set[int]:
    """The numbers in a text, spaces such as a2 aside."""
    return {int(number) for number in re.findall(r"(?<![a-g\d])\d+", text)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OWN_GAMES)
def test_an_example_tells_its_figure(game: str, language: str) -> None:
    for item in handbook(game, language).items:
        for example in item.examples:
            figure, told = example.figure, numbers(example.text)
            if isinstance(figure, Piles):
                # An example may go on from the one before; what happens last is always told.
                assert not figure.plays or figure.plays[-1].card in told, example.text
                shown = {*figure.tops, *figure.hand, *(play.card for play in figure.plays)}
                assert told - shown <= {9, 10, figure.drawn}, example.text
            elif isinstance(figure, Window) and figure.score is not None:
                assert figure.score in told, example.text
            elif isinstance(figure, Influence):
                assert {player.influence for player in figure.players} <= told, example.text
                assert all(player.name in example.text for player in figure.players)
            elif isinstance(figure, Sheets):
                assert {sheet.total for sheet in figure.sheets} <= told, example.text
            elif isinstance(figure, Day):
                assert figure.day in told, example.text
                assert not figure.part or figure.part in told, example.text
            elif isinstance(figure, Building):
                assert {*figure.fits, *figure.refused} == set(re.findall(r"\b[a-f]\d\b", example.text)), example.text


def test_the_text_about_the_symbols_is_the_box_s() -> None:
    """FOG-B4 names the days of each symbol."""
    days = Box.of("what-the-fog").content["days"]
    for language in LANGUAGES:
        swap, reveal = re.findall(r"\*\*.*?\*\*[^*]*", handbook("what-the-fog", language).item("FOG-B4").text)
        assert {day for day, parts in days.items() if "swap" in parts} == set(re.findall(r"\d", swap))
        assert {day for day, parts in days.items() if "reveal" in parts} == set(re.findall(r"\d", reveal))
