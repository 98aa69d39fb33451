"""The levels, from a friendly newcomer to full strength, and two yardsticks: anything legal, and a simple rule."""

from types import ModuleType

from nevel.bots.mind import Mind, PolicyMind
from nevel.bots.misty_mind import MistyMind
from nevel.bots.policy import BEGINNER, CASUAL, RANDOM, SIMPLE, STRONG
from nevel.bots.the_game_mind import TheGameMind
from nevel.bots.the_game_worth_mind import WorthMind
from nevel.bots.what_the_fog_mind import WhatTheFogMind
from nevel.rules import extreme, misty, the_game, what_the_fog

#: What people choose from, weakest first.
LADDER = ("beginner", "casual", "strong", "expert")
YARDSTICKS = ("random", "simple")
LEVELS = (*YARDSTICKS, *LADDER)

#: What decides at a glance; every game has an expert of its own.
COMMON: dict[str, Mind] = {
    "random": PolicyMind(RANDOM),
    "simple": PolicyMind(SIMPLE),
    "beginner": PolicyMind(BEGINNER),
    "casual": PolicyMind(CASUAL),
    "strong": PolicyMind(STRONG),
}

MINDS: dict[ModuleType, dict[str, Mind]] = {
    what_the_fog: COMMON | {"expert": WhatTheFogMind(STRONG)},
    the_game: COMMON | {"expert": WorthMind(STRONG)},
    extreme: COMMON | {"expert": TheGameMind(STRONG)},
    misty: COMMON | {"expert": MistyMind(STRONG)},
}


def mind_of(game: ModuleType, level: str) -> Mind:
    return MINDS[game][level]
