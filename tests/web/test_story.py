"""The story beside the board: what one viewer reads of a game."""

import re

import pytest

from tests.web.sitting import Sitting

#: What is said of whoever chose in secret, and what they are told themselves.
SECRETS = {
    "what-the-fog": {"has chosen": "You will reveal", "has discarded": "You discard"},
    "misty": {"has picked": "You pick"},
}


@pytest.mark.parametrize("game", SECRETS)
def test_nobody_reads_of_themselves_in_the_third_person(game: str) -> None:
    sitting = Sitting(game, 2, "story")
    said_of_ann, told_to_ann = set[str](), set[str]()
    for _ in sitting.moments():
        own, other = (re.findall(r'<li id="told-[^>]*>(.*?)</li>', sitting.frame(seat)) for seat in (0, 1))
        for of_her, to_her in SECRETS[game].items():
            assert f"Ann {of_her}." not in own
            if f"Ann {of_her}." in other:
                said_of_ann.add(of_her)
            if any(line.startswith(to_her) for line in own):
                told_to_ann.add(of_her)
            assert not any(line.startswith(to_her) for line in sitting.frame(None).splitlines())
    assert said_of_ann == told_to_ann == set(SECRETS[game])
