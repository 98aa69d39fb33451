"""Recorded games, readable as prose: a change of rules, of bots or of words shows as a change in one."""

import difflib
from pathlib import Path

from nevel.bots.bot import Bot
from nevel.game.event import Event, Teller
from nevel.languages import language, mark
from nevel.testing.check import check, fail, skip
from nevel.testing.subject import PLAYER_NAMES, Subject

#: Lines of a difference that are shown.
MOST_LINES = 40


@check(mark("The recorded game replays word for word"))
def golden_game_is_the_same(subject: Subject) -> None:
    """A whole game between simple bots is told in every language of the game as it was recorded, move by move.

    If a change is meant, record it anew: `nevel check-game NAME --record FOLDER`, and look at the difference before it
    is committed.
    """
    if subject.golden is None or not file_of(subject, subject.golden, "en").exists():
        skip(mark("no game was recorded (nevel check-game --record)"))
    for code in subject.languages:
        recorded = file_of(subject, subject.golden, code).read_text("utf-8").splitlines()
        played = playthrough(subject, code).splitlines()
        if change := list(difflib.unified_diff(recorded, played, "recorded", "played", lineterm="", n=1)):
            fail("\n".join(change[:MOST_LINES]))


def record(subject: Subject, folder: Path) -> list[Path]:
    """Write the recorded games; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [file_of(subject, folder, code) for code in subject.languages]
    for code, file in zip(subject.languages, files, strict=True):
        file.write_text(playthrough(subject, code), "utf-8")
    return files


def file_of(subject: Subject, folder: Path, code: str) -> Path:
    return folder / f"{subject.name}.{code}.txt"


def playthrough(subject: Subject, code: str) -> str:
    """A whole game between simple bots, told to a spectator."""
    seats = subject.some_seats(3)
    names = PLAYER_NAMES[:seats]
    played = subject.new(seats, subject.parts.golden_seed, names=names)
    bots = [Bot("simple", seat) for seat in range(seats)]
    told_in = language(code)
    teller = Teller(told_in, names)
    moves = played.vocabulary.moves
    lines = [f"{played.spec.title} · {told_in.say(played.spec.pitch)}", ""]
    lines += tell(played.opening, teller)
    while not played.is_over:
        for seat in played.waiting_for:
            number = bots[seat].move(played.knowledge(seat))
            if number is not None:
                played.play(seat, moves[number])
                lines += ["", f"{len(played.log)}. {names[seat]} – {moves.text(moves[number], told_in)}"]
                lines += tell(played.log[-1].events, teller)
                break
        else:
            fail("all simple bots would rather wait for another one")
    if played.outcome is not None:
        lines += ["", played.vocabulary.tell_outcome(played.outcome, teller)]
    return "\n".join(lines) + "\n"


def tell(events: tuple[tuple[int, Event], ...], teller: Teller) -> list[str]:
    return [f"   {event.tell(teller)}" for audience, event in events if audience < 0]
