"""The levels of the bots: four that people choose from, and two for comparison (random and simple)."""

from types import ModuleType

from nevel.bots.mind import Mind, PolicyMind
from nevel.bots.policy import BEGINNER, CASUAL, RANDOM, SIMPLE, STRONG, bots_of

#: What people choose from, weakest first.
LADDER = ("beginner", "casual", "strong", "expert")
YARDSTICKS = ("random", "simple")
LEVELS = (*YARDSTICKS, *LADDER)

#: The levels that decide without searching; every game has an expert of its own.
COMMON: dict[str, Mind] = {
    "random": PolicyMind(RANDOM),
    "simple": PolicyMind(SIMPLE),
    "beginner": PolicyMind(BEGINNER),
    "casual": PolicyMind(CASUAL),
    "strong": PolicyMind(STRONG),
}


def mind_of(rules: ModuleType, level: str) -> Mind:
    """How a level thinks about the game whose rules these are."""
    return COMMON[level] if level in COMMON else bots_of(rules).expert
