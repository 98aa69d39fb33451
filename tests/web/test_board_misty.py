"""What only the board of Misty has: secret picks and moves, shapes, how a round was counted, taking back a move."""

import re
from collections import Counter

import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.misty import events as story
from nevel.games.misty.bots.activation import solve
from nevel.games.misty.web.own import OwnWindow
from nevel.games.misty.web.past import RoundsTable
from nevel.games.misty.web.window import Extent, Space, reaches
from nevel.games.misty.words import MistyView
from nevel.languages import LANGUAGES
from nevel.tables.domain.undo import Undo
from nevel.web.rendering.fragment import Values
from tests.web.sitting import TELLER, Sitting, board_part_of


@pytest.mark.slow
def test_what_others_pick_and_move_isnt_shown_before_all_have() -> None:
    """Worlds in which somebody picks or moves another card are the same to everybody else."""
    compared = Counter[str]()
    for seed in range(4):
        sitting = Sitting("misty", 3, f"secret{seed}")
        for _ in sitting.moments():
            waiting, phase = sitting.game.waiting_for, sitting.board.phase
            if len(waiting) < 2 or phase == "place":
                continue
            chooser = waiting[0]
            prompt = sitting.game.prompt(chooser)
            assert prompt
            frames = list[list[str]]()
            real = sitting.game
            for move in prompt.moves:
                world = real.copy()
                world.play(chooser, move)
                if any(type(event).__name__ == "ActivationDone" for _, event in world.log[-1].events):
                    continue  # that somebody has finished is told
                sitting.table.game = world
                frames.append([board_part_of(sitting.frame(seat)) for seat in (None, 0, 1, 2) if seat != chooser])
            sitting.table.game = real
            assert all(shown == frames[0] for shown in frames)
            compared[phase] += len(frames) > 1
    assert compared["pick"] > 20
    assert compared["activate"] > 10


@pytest.mark.parametrize("beginners", [0, 1])
def test_open_spaces_lie_within_what_the_window_can_become(beginners: int) -> None:
    sitting = Sitting("misty", 2, "reach", beginners=beginners)
    widths = set[int]()
    for _ in sitting.moments():
        view = sitting.game.view(0)
        assert isinstance(view, MistyView)
        if view.phase != "place":
            continue
        grown = reaches(Extent.of(view.players[0].window), view.is_beginners)
        widths |= {reach.width for reach in grown}
        for name in view.open_spaces:
            assert any(reach.has(Space.read(name)) for reach in grown)
        (own,) = sitting.filled(0, OwnWindow)
        columns, rows = map(int, re.findall(r"\d", own["size"]))
        for thing in [*own["spaces"], *own["cards"]]:
            column, row = map(int, re.findall(r"\d", thing.look))
            assert 1 <= column <= columns
            assert 1 <= row <= rows
        for reach in own["reaches"]:
            column, row, width, height = map(int, re.findall(r"\d", reach))
            assert column + width - 1 <= columns
            assert row + height - 1 <= rows
    assert max(widths) == (5 if beginners else 7)
    assert min(widths) == 3


def cards_of(sitting: Sitting, seat: int) -> dict[str, Values]:
    """The cards in a player's own window, as their templates are given them, by name."""
    (window,) = sitting.filled(seat, OwnWindow)
    return {card.name: card.fill(TELLER) for card in window["cards"]}


def test_a_tapped_card_is_where_its_label_said() -> None:
    """A card keeps its name while it moves, what leaves is gone, what is covered is drawn so."""
    sitting = Sitting("misty", 2, "labels")
    seen = Counter[str]()
    for _ in sitting.moments():
        for seat in sitting.game.waiting_for:
            prompt = sitting.game.prompt(seat)
            assert prompt
            if prompt.question != "activate":
                continue
            before = cards_of(sitting, seat)
            movable = {card["move"]: card for card in before.values() if card.get("move")}
            assert set(movable) == set(prompt.moves)
            for move, card in movable.items():
                world = sitting.game.copy()
                world.play(seat, move)
                if world.waiting_for != sitting.game.waiting_for:
                    continue  # that was the last
                real, sitting.table.game = sitting.game, world
                after = cards_of(sitting, seat)
                sitting.table.game = real
                if card.get("leaves"):
                    assert card["name"] not in after
                    seen["left"] += 1
                    continue
                moved = after[card["name"]]
                assert moved["look"] != card["look"]
                assert moved["is_covered"] == ("covers" in card["label"])
                seen["covered" if moved["is_covered"] else "moved"] += 1
    assert min(seen["left"], seen["covered"], seen["moved"]) > 3


def test_a_counted_round_is_news_until_the_viewer_has_picked() -> None:
    sitting = Sitting("misty", 3, "news")
    news = Counter[int]()
    for _ in sitting.moments():
        board = sitting.board
        if board.is_over:
            break
        for seat in (None, 0, 1, 2):
            frame = sitting.frame(seat)
            laid = any(player.window.cards for player in board.players)
            has_picked = laid or board.phase != "pick" or (seat is not None and board.players[seat].has_chosen)
            assert (f'id="news-{board.round - 1}"' in frame) == (board.round > 1 and not has_picked)
            # After that it is still there to be opened.
            assert (f'id="count-{board.round - 1}"' in frame) == (board.round > 1 and has_picked)
            news[board.round] += board.round > 1 and not has_picked
    assert news[2]


@pytest.mark.parametrize(("seats", "beginners"), [(2, 0), (4, 0), (3, 1)])
def test_the_count_says_why_and_what_was_possible(seats: int, beginners: int) -> None:
    """Spaces and pairs add up to the score; the best possible is what a bot finds in the window as it was built."""
    reasons = Counter[str]()
    for seed in range(6):
        sitting = Sitting("misty", seats, f"why{seed}", beginners=beginners)
        best = dict[tuple[int, int], int]()
        for _ in sitting.moments():
            board = sitting.board
            if board.phase == "activate" and (board.round, 0) not in best:
                state = sitting.game.state
                best |= {(board.round, seat): int(solve(state, seat)[0]) for seat in range(seats)}
        assert sitting.game.is_over
        rounds = sitting.filled(1, RoundsTable)[0]["rounds"]
        assert [count["round"] for count in rounds] == list(range(1, sitting.board.round + 1))
        for count in rounds:
            assert [player["seat"] for player in count["players"]] == [*range(1, seats), 0]
            most = max(player["score"] for player in count["players"])
            for player in count["players"]:
                after, score = player["after"], player["score"]
                worth = sum(card.get("points", 0) for card in after["cards"])
                assert worth + len(after["pairs"]) == score
                assert sum(line["points"] for line in player["sum"]) == score
                assert player["is_won"] == (score == most)
                possible = best[count["round"], player["seat"]]
                assert score <= possible
                assert player["is_best"] == (score == possible)
                assert player["is_best"] or f": {possible} point" in player["best"]
                reasons.update(line["icon"] for line in player["sum"])
        for code in LANGUAGES:
            frame = sitting.frame(0, code)
            assert all(f'id="count-{count["round"]}"' in frame for count in rounds)
    assert {"misty-star", "misty-flower", "misty-monster", "misty-blurred"} <= set(reasons)
    if not beginners:
        assert reasons["misty-smile"]


def test_taking_back_is_offered_beside_the_window_while_one_activates() -> None:
    sitting = Sitting("misty", 2, "undo")
    for _ in sitting.moments():
        if sitting.board.phase == "activate" and sitting.game.waiting_for == [0, 1]:
            break
    before = sitting.frame(0)

    sitting.play(0)
    sitting.play(1)
    frame = sitting.frame(0)
    assert 'form="take-back"' in board_part_of(frame)
    assert 'id="take-back"' in frame
    sitting.ask("ann", Undo())
    assert board_part_of(sitting.frame(0)).count("is-target") == board_part_of(before).count("is-target")


def test_the_card_placed_last_is_marked_in_every_window_that_is_built() -> None:
    """One card a window, the same to everybody; none before the first, and none while windows are activated."""
    sitting = Sitting("misty", 3, "latest")
    marked = 0
    for _ in sitting.moments():
        if sitting.game.is_over:
            break
        events = [event for entry in sitting.game.log for audience, event in entry.events if audience == EVERYONE]
        began = max((n for n, event in enumerate(events) if isinstance(event, story.RoundBegan)), default=-1)
        last = {event.seat: event.space for event in events[began + 1 :] if isinstance(event, story.Placed)}
        if sitting.board.phase == "activate":
            last = {}
        expected = {f"card-{seat}-{space}" for seat, space in last.items()}
        for seat in (None, 0, 1, 2):
            panes = re.findall(r'class="pane [^"]*is-latest[^"]*" id="([^"]*)"', sitting.frame(seat))
            assert set(panes) == expected
            assert len(panes) == len(expected)
        marked += bool(expected)
    assert marked > 30
