"""A chair at a table, and who decides there."""

from collections.abc import Sequence

from nevel.tables.domain.pace import Clock


class Chair:
    """A place at the table: empty, a bot's, a person's, or a person's for whom a bot plays at the moment."""

    __slots__ = (
        "asked_at",
        "clock",
        "contribution",
        "has_left",
        "is_stood_in",
        "level",
        "link_at",
        "part",
        "person",
        "promise",
    )

    def __init__(self, clock: Clock) -> None:
        self.person: str | None = None
        self.level: str | None = None
        self.contribution = ""
        #: The hash of a part of the shuffle, and the part itself once it is shown.
        self.promise = ""
        self.part: str | None = None
        self.link_at = -1  # the row in which it was taken, or its link renewed: older links to it end with that
        self.is_stood_in = False
        #: Whether the person went themselves, and left what is decided to the others.
        self.has_left = False
        self.clock = clock
        self.asked_at = -1  # the row since which the same question is put to it, if one is

    @property
    def is_empty(self) -> bool:
        return self.person is None and self.level is None

    @property
    def is_bot(self) -> bool:
        """Whether a bot decides here now."""
        return self.level is not None or self.is_stood_in

    @property
    def is_human(self) -> bool:
        """Whether a person decides here now."""
        return self.person is not None and not self.is_stood_in

    @property
    def has_say(self) -> bool:
        """Whether a person is asked here what the table agrees on, also while a bot plays for them."""
        return self.person is not None and not self.has_left

    def clear(self) -> None:
        self.person = self.level = None
        self.contribution = self.promise = ""
        self.part = None

    def copy(self) -> "Chair":
        twin = object.__new__(Chair)
        twin.person, twin.level, twin.contribution = self.person, self.level, self.contribution
        twin.link_at, twin.asked_at, twin.is_stood_in = self.link_at, self.asked_at, self.is_stood_in
        twin.promise, twin.part, twin.has_left = self.promise, self.part, self.has_left
        twin.clock = self.clock.copy()
        return twin


def put_questions(chairs: list[Chair], waiting: Sequence[int], seq: int, at: int, mover: int | None) -> None:
    """Start and stop the chairs' clocks by who has to act now; the mover's starts anew.

    A chair of which something changes is replaced: the one before may stand at a table that only foresees this.
    """
    for i, chair in enumerate(chairs):
        is_asked, was_asked = i in waiting, chair.asked_at >= 0
        is_answered = was_asked and (not is_asked or i == mover)
        is_new = is_asked and (is_answered or not was_asked)
        if is_answered or is_new:
            chair = chairs[i] = chair.copy()
        if is_answered:
            chair.asked_at = -1
            chair.clock.stop(at)
        if is_new:
            chair.asked_at = seq
            if chair.is_human:
                chair.clock.start(at)
