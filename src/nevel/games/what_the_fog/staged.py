"""How what happens in What the Fog?! is shown on the board, step by step (docs/stagings.md)."""

from collections.abc import Sequence

from nevel.game.staging import Step

#: The drawings of seats, by which a count says whose influence it is.
SEAT_DRAWINGS = ("shape-circle", "shape-triangle", "shape-square", "shape-diamond", "shape-hexagon")
#: All days are full, and everybody discards a card.
CALL_FOR_DISCARDS = (Step("announce", drawing="barometer", weight="heavy", sound="milestone"),)


def begin_round(number: int) -> tuple[Step, ...]:
    """Whoever was counted waits for the people, and only then for the next round."""
    return (Step("next-round", is_before=True),) if number > 1 else ()


def come_up(pile: int) -> tuple[Step, ...]:
    """The next token of a pile turns up where the one before was lifted."""
    return (Step("turn", on=f"top-{pile}", sound="turn-over", is_together=True),)


def place(day: int, part: int) -> tuple[Step, ...]:
    return (Step("move", on=f"token-{day}-{part}", source="lifted", sound="step"),)


def reveal(seat: int, weather: str) -> tuple[Step, ...]:
    """A card turns up at its player, large, together with those of all others."""
    sound = "turn-over" if seat == 0 else ""
    return (Step("mark", on=f"seat-{seat}", look=f"reveals-{weather}", weight="heavy", sound=sound, is_together=True),)


def complete(day: int) -> tuple[Step, ...]:
    return (Step("raise", on=f"day-{day}", sound="milestone"),)


def predict(seat: int, prediction: int, is_raise: bool) -> tuple[Step, ...]:
    """The barometer swells when a prediction is raised, and the player says which it is."""
    look, sign, sound = ("raised", "\N{UPWARDS ARROW}", "rise") if is_raise else ("passed", "=", "tick")
    return (
        Step("mark", on="barometer", look=look, sound=sound),
        Step("tally", on=f"seat-{seat}", text=f"{sign} {prediction}", is_together=True),
    )


# ---------------------------------------------------------------- the count, on the board as it was


def lay_open(seat: int) -> tuple[Step, ...]:
    """All hands turn up at once."""
    sound = "turn-over" if seat == 0 else ""
    return (Step("mark", on=f"seat-{seat}", look="lays-open", sound=sound, is_together=True, is_before=True),)


def count(day: int, influence: Sequence[int]) -> tuple[Step, ...]:
    """What everybody has on a day, seat by seat below each other."""
    tallies = [
        Step("tally", on=f"day-{day}", drawing=drawing, text=str(points), is_together=True, is_before=True)
        for drawing, points in zip(SEAT_DRAWINGS, influence, strict=False)
    ]
    return (Step("mark", on=f"day-{day}", look="counted", sound="tick", is_before=True), *tallies)


def claim(day: int, seats: Sequence[int]) -> tuple[Step, ...]:
    """A day takes the colour of whoever claims it: of the first of several, who all glow at their seats."""
    glows = [Step("flash", on=f"seat-{seat}", tone="good", is_together=True, is_before=True) for seat in seats]
    return (Step("mark", on=f"day-{day}", look=f"claimed-{seats[0]}", sound="rise", is_before=True), *glows)


def score(seat: int, predicted: int, claimed: int, points: int) -> tuple[Step, ...]:
    """An arrow goes to what was claimed, and either meets it or had missed it; then come the points."""
    tone, look, sound = ("good", "met", "flourish") if predicted == claimed else ("bad", "missed", "thud")
    arrow, written = f"arrow-{seat}", f"{points:+d}".replace("-", "\N{MINUS SIGN}")
    first = (Step("mark", on="barometer", look="counts", is_before=True),) if seat == 0 else ()
    return (
        *first,
        Step("mark", on=arrow, look=look, sound=sound, is_before=True),
        Step("mark", on=arrow, look=f"claims-{claimed}", is_together=True, is_before=True),
        Step("score", on=f"seat-{seat}", text=written, tone=tone, is_together=True, is_before=True),
    )
