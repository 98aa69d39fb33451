"""What only the board of What the Fog?! has: secret choices, influence, predictions, how a round was counted."""

import re
from collections import Counter
from itertools import takewhile

import pytest

from nevel.games.what_the_fog import events as story
from nevel.games.what_the_fog.web.past import PredictionOrder, Rounds
from nevel.games.what_the_fog.web.sky import DayFragment
from nevel.games.what_the_fog.words import WhatTheFogView
from nevel.languages import LANGUAGES
from nevel.tables.domain.commands import Play
from nevel.tables.domain.undo import Undo
from tests.web.sitting import PEOPLE, TELLER, Sitting, board_part_of, newest_first


def test_three_equal_tokens_can_be_put_back() -> None:
    for seed in range(30):
        sitting = Sitting("what-the-fog", 2, seed)
        for _ in sitting.moments():
            for seat in sitting.game.waiting_for:
                if "return" in sitting.game.prompt(seat).moves:  # pyright: ignore[reportOptionalMemberAccess]
                    assert 'value="return"' in sitting.frame(seat)
                    assert 'value="return"' not in sitting.frame(1 - seat)
                    return
    pytest.fail("three equal tokens never came up")


@pytest.mark.slow
def test_what_others_choose_in_secret_isnt_shown_before_all_have_chosen() -> None:
    """Two worlds in which somebody chooses another card are the same to everybody else."""
    compared = 0
    for seed in range(12):
        sitting = Sitting("what-the-fog", 3, f"secret{seed}")
        for _ in sitting.moments():
            waiting = sitting.game.waiting_for
            if len(waiting) < 2:
                continue
            chooser = waiting[0]
            prompt = sitting.game.prompt(chooser)
            assert prompt
            frames = list[list[str]]()
            for move in prompt.moves:
                world = sitting.game.copy()
                world.play(chooser, move)
                real, sitting.table.game = sitting.game, world
                frames.append([board_part_of(sitting.frame(seat)) for seat in (None, 0, 1, 2) if seat != chooser])
                sitting.table.game = real
            assert all(shown == frames[0] for shown in frames)
            compared += len(frames) > 1
    assert compared > 20


def test_ones_own_influence_is_explained_token_by_token() -> None:
    sitting = Sitting("what-the-fog", 3, "influence")
    for _ in sitting.moments():
        for seat in (None, 1):
            days = sitting.filled(seat, DayFragment)
            assert days
            for day in days:
                if seat is None:
                    assert day["influence"] == ""
                    assert all(part.yours is None for part in day["parts"])
                else:
                    assert day["influence"] == str(sum(part.yours or 0 for part in day["parts"]))


def test_who_places_by_ear_is_told_what_lies_on_a_day_and_what_comes_next() -> None:
    sitting = Sitting("what-the-fog", 2, "by ear")
    heard = 0
    for _ in sitting.moments():
        for day in (
            day for seat in sitting.game.waiting_for for day in sitting.filled(seat, DayFragment) if day["label"]
        ):
            parts = [part.fill(TELLER) for part in day["parts"]]
            laid = [part["weather"] for part in parts if part["weather"]]
            (following,) = [part["says"] for part in parts if part["is_next"]]
            assert day["label"].startswith(f"Place it on day {day['day']}: ")
            assert day["label"].endswith(f"; next is {following}" if laid else following)
            heard += len(laid) > 1
    assert heard


def test_a_counted_round_is_shown_until_the_viewer_has_moved() -> None:
    sitting = Sitting("what-the-fog", 3, "count")
    news = Counter[int]()
    for _ in sitting.moments():
        board = sitting.board
        if board.is_over:
            break
        since = list[object]()
        for event in newest_first(sitting.game):
            since.append(event)
            if type(event).__name__ == "RoundBegan":
                break
        doing = ("Lifted", "Returned", "RevealChosen")
        moved = {event.seat for event in since if type(event).__name__ in doing}  # pyright: ignore
        for seat in (None, 0, 1, 2):
            is_news = board.round > 1 and (len(moved) < 3 if seat is None else seat not in moved)
            assert (f'id="count-{board.round - 1}"' in sitting.frame(seat)) == is_news
            news[board.round] += is_news
    assert all(news[number] for number in (2, 3, 4))


@pytest.mark.parametrize("seats", [2, 5])
def test_the_count_says_why(seats: int) -> None:
    """Influence is what a player's cards count for on the day's tokens; scores and claims are those of the sheets."""
    sitting = Sitting("what-the-fog", seats, "why")
    for _ in sitting.moments():
        pass
    view = sitting.look(0)
    assert isinstance(view.board, WhatTheFogView)
    rounds = sitting.filled(0, Rounds)[0]["rounds"]
    assert [count["round"] for count in rounds] == [1, 2, 3, 4]
    for count in rounds:
        assert len(count["days"]) == count["round"] + 3
        claimed = Counter[int]()
        for day in count["days"]:
            most = max(row["influence"] for row in day["rows"])
            for row in day["rows"]:
                cards = {card["weather"]: card["count"] for card in count["scores"][row["seat"]]["cards"]}
                assert row["counts"] == [cards.get(token["weather"], 0) for token in day["tokens"]]
                assert row["influence"] == sum(row["counts"])
                assert row["is_claimed"] == (row["influence"] == most > 0)
                claimed[row["seat"]] += row["is_claimed"]
        for score, player in zip(count["scores"], view.board.players, strict=True):
            row = player.sheet[count["round"] - 1]
            assert (score["predicted"], score["claimed"]) == (row.predicted, row.claimed)
            assert score["claimed"] == claimed[score["seat"]]
            assert int(score["score"].replace("−", "-")) == row.score
    for code in LANGUAGES:
        frame = sitting.frame(0, code)
        assert all(f'id="count-{number}"' in frame for number in (1, 2, 3, 4))


def test_predictions_are_shown_in_their_order() -> None:
    sitting = Sitting("what-the-fog", 4, "order")
    seen = Counter[str]()
    for _ in sitting.moments():
        view = sitting.look(2)
        assert isinstance(view.board, WhatTheFogView)
        found = sitting.filled(2, PredictionOrder)
        if view.board.phase != "predict":
            assert [one["players"] for one in found] == [[]]
            continue
        order = found[0]["players"]
        assert [one["seat"] for one in order] == [(view.board.active + step) % 4 for step in range(4)]
        asked = [one["state"] for one in order].index("asked")
        assert order[asked]["seat"] == view.board.predictor
        assert all(one["state"] in ("raised", "passed") for one in order[:asked])
        assert all(one["state"] == "later" for one in order[asked + 1 :])
        seen.update(one["state"] for one in order)
    assert set(seen) == {"raised", "passed", "asked", "later"}


def test_a_lifted_token_comes_from_its_pile_also_after_taking_back() -> None:
    sitting = Sitting("what-the-fog", 2, "lifted", is_practice=True)
    seat = sitting.board.active
    sitting.ask(PEOPLE[seat], Play("lift 2", sitting.table.seq))
    lifted = 'data-card="lifted" data-from="pile-2"'
    assert lifted in sitting.frame(seat)
    prompt = sitting.game.prompt(seat)
    assert prompt
    # No part of the first day has an action symbol before its third, so nobody has seen anything yet.
    sitting.ask(PEOPLE[seat], Play(prompt.moves[0], sitting.table.seq))
    assert 'data-card="lifted"' not in sitting.frame(seat)
    sitting.ask(PEOPLE[seat], Undo())
    assert lifted in sitting.frame(seat)


def test_what_happened_last_is_marked() -> None:
    """The token laid last in this round, for everybody; what was swapped and who predicted since; nothing before it."""
    sitting = Sitting("what-the-fog", 3, "latest")
    seen = Counter[str]()
    for _ in sitting.moments():
        if sitting.game.is_over:
            break
        told = list(takewhile(lambda event: not isinstance(event, story.RoundBegan), newest_first(sitting.game)))
        placed = next((event for event in told if isinstance(event, story.Placed)), None)
        since = told[: told.index(placed)] if placed else told
        swapped = [event.weather for event in since if isinstance(event, story.Swapped)]
        predicted = [event.seat for event in since if isinstance(event, story.Predicted)]
        laid = [f"on-day-{placed.day}", f"on-part-{placed.part}"] if placed else []
        marked = [*laid, *(f"swapped-{one}" for one in swapped[:1]), *(f"latest-{one}" for one in predicted[:1])]
        for seat in (None, 0):
            assert [*sitting.parts(seat).marks] == marked
        classes = re.findall(r'<main id="table" class="([^"]*)"', sitting.frame(0))[0].split()
        assert {one for one in classes if re.match("(on|swapped|latest)-", one)} == {*marked}
        shown = {"laid": laid, "swapped": swapped, "predicted": predicted}
        seen += Counter(name for name, is_shown in shown.items() if is_shown)
    assert min(seen[name] for name in ("laid", "swapped", "predicted")) > 3, seen
