"""A list that only grows, and its copies."""

import pytest

from nevel.game.history import History


def test_a_history_is_a_list() -> None:
    history, plain = History[int](), list[int]()
    assert not history
    for number in range(5):
        history.append(number)
        plain.append(number)
    assert history == plain
    assert len(history) == 5
    assert [*reversed(history)] == plain[::-1]
    assert [history[i] for i in range(-5, 5)] == [plain[i] for i in range(-5, 5)]
    assert (history[1:3], history[:-2], history[::-1], history[3:99]) == ([1, 2], [0, 1, 2], plain[::-1], [3, 4])
    for beyond in (5, -6):
        with pytest.raises(IndexError):
            history[beyond]


def test_whoever_goes_on_first_changes_nothing_for_the_others() -> None:
    first = History("ab")
    quick, slow = first.copy(), first.copy()
    quick.append("q")
    assert (first, slow) == (["a", "b"], ["a", "b"])
    assert ([*reversed(first)], first[-1], first[1:]) == (["b", "a"], "b", ["b"])
    with pytest.raises(IndexError):
        first[2]
    slow.append("s")
    first.append("f")
    quick.append("r")
    assert (first, quick, slow) == ([*"abf"], [*"abqr"], [*"abs"])
