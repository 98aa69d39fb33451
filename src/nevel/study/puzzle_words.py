"""What is said of a puzzle: what is known beforehand, what an answer came to and why, and what would have been best."""

from nevel.games import vocabulary
from nevel.games.misty import MistyView
from nevel.games.misty_story import KIND_NAMES
from nevel.games.telling import Teller
from nevel.languages import Language, mark
from nevel.study.endgames import unseen_cards
from nevel.study.puzzle_kinds import Endgame, FogChoice, MistyWindow, Verdict
from nevel.study.puzzles import Puzzle

GRADE_NAMES = {
    "beginner": mark("beginner"),
    "casual": mark("casual"),
    "strong": mark("strong"),
    "expert": mark("expert"),
    "hardest": mark("beyond the expert"),
}
#: What a grade means.
GRADE_MEANINGS = {
    "beginner": mark("The beginner among the bots finds it."),
    "casual": mark("The casual bot finds it, the beginner doesn't."),
    "strong": mark("The strong bot finds it, weaker ones don't."),
    "expert": mark("Of the bots only the expert finds it."),
    "hardest": mark("Not even the expert among the bots finds it at the table."),
}


def say_move(puzzle: Puzzle, move: str, speech: Language) -> str:
    """A move as a choice says it, in sentences of its own."""
    words = vocabulary(puzzle.game)
    return words.describe(words.moves.parse(move), Teller(speech))


def say_percent(share: float, speech: Language) -> str:
    return speech.say_percent(round(100 * share, 1))


def say_known(puzzle: Puzzle, speech: Language) -> str:
    """What follows from what has been seen, and nobody should have to work out."""
    if not isinstance(puzzle.of_kind, Endgame):
        return ""
    cards = unseen_cards(puzzle.position())
    if not cards:
        return speech.say(mark("The draw pile is empty: what you see is all there is."))
    return speech.say_count(
        "One card is left in the draw pile: {cards}.",
        "{count} cards are left in the draw pile: {cards}.",
        len(cards),
        cards=speech.say_list(str(card) for card in cards),
    )


def say_verdict(puzzle: Puzzle, moves: tuple[str, ...], verdict: Verdict, speech: Language) -> list[str]:
    """Whether an answer is right, and why."""
    kind = puzzle.of_kind
    if isinstance(kind, MistyWindow):
        return say_window(puzzle, moves, verdict, speech)
    if isinstance(kind, Endgame):
        return say_endgame(puzzle, moves, verdict, speech)
    return say_choice(puzzle, moves, verdict, speech)


def say_window(puzzle: Puzzle, moves: tuple[str, ...], verdict: Verdict, speech: Language) -> list[str]:
    best = puzzle.checked.best
    if verdict.is_solved:
        return [
            speech.say_count(
                "{count} point: this window can't make more.", "{count} points: this window can't make more.", best
            )
        ]
    said = [
        speech.say_count(
            "Your order makes {count} point; the best makes {best}.",
            "Your order makes {count} points; the best makes {best}.",
            verdict.reached or 0,
            best=best,
        )
    ]
    if verdict.slip is not None:
        message = mark("With move {number} it went out of reach: {move}.")
        move = say_move(puzzle, moves[verdict.slip], speech)
        said.append(speech.say(message, number=verdict.slip + 1, move=move))
    return said


def say_endgame(puzzle: Puzzle, moves: tuple[str, ...], verdict: Verdict, speech: Language) -> list[str]:
    if verdict.is_solved:
        return [speech.say(mark("Won! Every card is on the piles."))]
    said = [speech.say_count("{count} card is left.", "{count} cards are left.", verdict.reached or 0)]
    if verdict.slip is not None:
        message = mark("The win was lost with move {number}: {move}.")
        move = say_move(puzzle, moves[verdict.slip], speech)
        said.append(speech.say(message, number=verdict.slip + 1, move=move))
    return said


def say_choice(puzzle: Puzzle, moves: tuple[str, ...], verdict: Verdict, speech: Language) -> list[str]:
    """What the option is worth beside the best, or the best beside what comes next."""
    options = {option.move: option for option in puzzle.checked.options}
    best, second = puzzle.checked.options[:2]
    chosen = options[vocabulary(puzzle.game).moves.parse(moves[0]).text]
    if verdict.is_solved:
        message = mark("It wins {chance} of the games; the next best wins {other}.")
        return [speech.say(message, chance=say_percent(best.chance, speech), other=say_percent(second.chance, speech))]
    message = mark("Your choice wins {chance} of the games, the best {other}: {move}.")
    return [
        speech.say(
            message,
            chance=say_percent(chosen.chance, speech),
            other=say_percent(best.chance, speech),
            move=say_move(puzzle, best.move, speech),
        )
    ]


def say_answer(puzzle: Puzzle, speech: Language) -> list[str]:
    """The answer, move by move."""
    if not isinstance(puzzle.of_kind, MistyWindow):
        return [say_move(puzzle, move, speech) for move in puzzle.answer]
    view = puzzle.position().view(puzzle.seat)
    assert isinstance(view, MistyView)
    cards = {card.space: speech.say(KIND_NAMES[card.card]) for card in view.players[puzzle.seat].window.cards}
    spaces = [move.removeprefix("move ") for move in puzzle.answer]
    return [speech.say(mark("{card} on {space}"), card=cards[space], space=space) for space in spaces]


def say_checked(puzzle: Puzzle, speech: Language) -> str:
    """What shows that the answer is right."""
    if isinstance(puzzle.of_kind, FogChoice):
        message = mark("Two separate searches agree, with {playouts} imagined games in all.")
        return speech.say(message, playouts=speech.say_number(puzzle.checked.playouts))
    message = mark("Worked out exactly. Playing at random gets it right {chance} of the time.")
    return speech.say(message, chance=say_percent(puzzle.checked.luck, speech))
