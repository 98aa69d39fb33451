"""Why something can't be done at a table, in words and as a status that programs understand."""

from nevel.game.clause import Clause
from nevel.languages import SpokenError, mark


class TableError(SpokenError):
    """Something asked of a table that it refuses; nothing has changed."""

    #: A short name for programs, and the HTTP status that goes with it.
    name = "refused"
    status = 409
    clause: Clause | None = None


class NoSuchTableError(TableError):
    """There is no table with this name."""

    name = "no-such-table"
    status = 404

    def __init__(self) -> None:
        super().__init__(mark("This table doesn't exist, or its link is incomplete."))


class NotAllowedError(TableError):
    """Something only others may do."""

    name = "not-allowed"
    status = 403


class WrongTimeError(TableError):
    """Something that could be done earlier or later, but not now."""

    name = "wrong-time"


class TakenError(TableError):
    """Somebody else was quicker."""

    name = "taken"


class StaleError(TableError):
    """A move made by somebody who hadn't seen what happened before it."""

    name = "stale"

    def __init__(self) -> None:
        super().__init__(mark("The table changed before your move arrived. Check it and choose again."))


class MoveRefusedError(TableError):
    """A move the rules forbid."""

    name = "illegal-move"
    status = 422

    def __init__(self, problem: SpokenError, clause: Clause) -> None:
        super().__init__(problem.message, **problem.values)
        self.clause = clause


class MalformedError(TableError):
    """Something that can't be understood."""

    name = "malformed"
    status = 400
