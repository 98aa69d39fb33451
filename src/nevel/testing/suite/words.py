"""Checks of what people read: notation, questions, clauses, events, views, translations, in every language."""

import ast
import io
import re
import string
from importlib.resources import as_file
from pathlib import Path

import msgspec
from rich.console import Console

from nevel.game.event import Teller
from nevel.game.move import squeeze
from nevel.languages import LANGUAGES, extraction, language, mark, read_catalogues
from nevel.tables.views.encoding import encode_board
from nevel.testing.check import check, fail, skip
from nevel.testing.subject import PLAYER_NAMES, Subject

#: A value that wasn't filled in.
LEFTOVER = re.compile(r"\{\w*\}")


@check(mark("Every move is read as it is written, in every language"))
def notation_is_clear(subject: Subject) -> None:
    """The notation of every move parses back to that move in every language, in capitals and without spaces.

    No two moves share a spelling, across languages too: a table accepts all languages at once. If two do, choose
    another word in the catalogue of one language.
    """
    moves = subject.spec.vocabulary.moves
    spellings = dict[str, int]()
    for code in LANGUAGES:
        for move in moves.all:
            text = moves.text(move, language(code))
            number = spellings.setdefault(squeeze(text), move.number)
            if number != move.number:
                fail(f"“{text}” ({code}) is both move {number}, “{moves[number]}”, and move {move.number}, “{move}”")
    for code in LANGUAGES:
        for move in moves.all:
            text = moves.text(move, language(code))
            for typed in (text, f"  {text.upper()} ", text.replace(" ", "")):
                if moves.parse(typed) != move:
                    fail(f"“{typed}” ({code}) is read as “{moves.parse(typed)}”")


@check(mark("Every message is translated"))
def messages_are_translated(subject: Subject) -> None:
    """Every message of the game's package, `mark("…")` in Python and `say("…")` in templates, is in all its catalogues.

    So is every word of its notation. A translation has the same {values} as the message; the form for one thing may
    leave {count} out. A sentence may not stay in English. An installed game brings its catalogues as
    `languages/CODE.po` in its package; in a language for which it has none it is in English.
    """
    wanted = messages_of(subject)
    words = set[extraction.MessageId]()

    def word(token: str) -> str:
        words.add((token, None))
        return token

    for number in range(len(subject.spec.vocabulary.moves)):
        subject.spec.vocabulary.moves.notation(number, word)
    for code in subject.languages[1:]:
        known = translations(code)
        for message in sorted(wanted | words, key=str):
            forms = known.get(message, ())
            if not forms or not all(forms):
                fail(f"{message[0]!r} isn't translated ({code})")
            compare_values(message[0], forms, code)


def messages_of(subject: Subject) -> set[extraction.MessageId]:
    """What the game's package says."""
    with as_file(subject.spec.file()) as folder:
        return extraction.message_ids(extraction.template(folder))


def translations(code: str) -> dict[extraction.MessageId, tuple[str, ...]]:
    """The forms of every translated message."""
    found = dict[extraction.MessageId, tuple[str, ...]]()
    for message in read_catalogues(code):
        if message.id:
            name = extraction.message_id(message)
            found[name] = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
    return found


def compare_values(message: str | tuple[str, ...], forms: tuple[str, ...], code: str) -> None:
    originals = (message,) if isinstance(message, str) else message
    wanted = values_in(originals[-1])
    for number, form in enumerate(forms):
        if not wanted - {"count"} <= values_in(form) <= wanted:
            fail(f"{form!r} ({code}) doesn't have the values of {originals[-1]!r}")
        english = originals[min(number, len(originals) - 1)]
        if form == english and len(re.findall(r"[A-Za-z]{2,}", re.sub(r"{\w+}", "", english))) > 2:
            fail(f"{english!r} is the same in {code}: is it translated?")


def values_in(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


@check(mark("Every clause has a sentence of its own"))
def clauses_are_told(subject: Subject) -> None:
    """Every clause of the rulebook has a number and, in every language, a sentence no other clause has."""
    book = subject.spec.rulebook
    if len(book.by_code) != len(book):
        fail("two clauses have the same number")
    for clause in book.values():
        if not re.fullmatch(r"[A-Z]+-[A-Z]\d+", clause.id):
            fail(f"clause {clause.id} should be called like AB-C1")
    for code in subject.languages:
        told = dict[str, str]()
        for clause in book.values():
            sentence = clause.sentence(language(code))
            if not sentence.endswith("."):
                fail(f"clause {clause.id} isn't a sentence in {code}: {sentence!r}")
            if other := told.get(sentence):
                fail(f"clauses {other} and {clause.id} say the same in {code}")
            told[sentence] = clause.id


@check(mark("Every clause has a test"))
def clauses_are_tested(subject: Subject) -> None:
    """Every clause is named by a test: `@pytest.mark.clause("AB-C1")` on a test below the folder of tests.

    Clauses that refuse nothing (a definition, the contents of the box) are tested as well: that it is so.
    """
    if subject.tests is None:
        skip(mark("no folder of tests was given"))
    named = clauses_named_in(subject.tests)
    if untested := [name for name in subject.spec.rulebook if name not in named]:
        fail(f"clauses without a test in {subject.tests.name}: {', '.join(untested)}")


def clauses_named_in(folder: Path) -> set[str]:
    """The ids given to `@pytest.mark.clause(…)` anywhere in a folder of tests."""
    named = set[str]()
    for source in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause":
                named |= {str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)}
    return named


@check(mark("Views are ready for JSON at every moment"))
def views_decode(subject: Subject) -> None:
    """What every seat and a spectator see is a `vocabulary.view_type` that JSON carries there and back.

    `encode_board`, which tables send, writes the same object. Views tell the game, the seats, who looks and the end.
    """
    vocabulary = subject.spec.vocabulary
    for seats, options in subject.few_tables:
        game = subject.new(seats, 3, options)
        for moment in subject.play(game, subject.dice(("views", seats)), is_sensible=True):
            for seat in (*range(seats), None):
                view = moment.view(seat)
                if type(view) is not vocabulary.view_type:
                    fail(f"a view is a {type(view).__name__}, not the vocabulary's {vocabulary.view_type.__name__}")
                written = msgspec.json.encode(view)
                if msgspec.json.decode(written, type=type(view)) != view:
                    fail(f"the view of seat {seat} isn't the same after JSON")
                if msgspec.json.decode(encode_board(vocabulary, moment.position, seat), type=type(view)) != view:
                    fail(f"encode_board writes another view for seat {seat}")
                facts = (view.game, view.seats, view.you, view.waiting_for, view.is_over)
                if facts != (subject.name, seats, seat, moment.waiting_for, moment.is_over):
                    fail(f"the view of seat {seat} says {facts}")


@check(mark("Every event is told in every language"))
def events_are_told(subject: Subject) -> None:
    """Events, questions, moves and results are sentences in every language, without {values} that weren't filled in.

    Every question of the vocabulary comes up in random games. Other languages say something else than English.
    """
    vocabulary = subject.spec.vocabulary
    tellers = [Teller(language(code), PLAYER_NAMES) for code in subject.languages]
    asked = set[str]()
    said = dict[str, list[str]]()
    for seats, options in subject.tables:
        dice = subject.dice(("told in words", seats, options))
        game = subject.new(seats, dice.getrandbits(64), options)
        for moment in subject.play(game, dice, is_sensible=dice.random() < 0.5, talk=0.2):
            asked |= {prompt.question for prompt in moment.prompts()}
        happened = [event for seat in (*range(seats), None) for event in game.story(seat)]
        for event in happened:
            told = [event.tell(teller) for teller in tellers]
            said.setdefault(type(event).__name__, told)
            for sentence, teller in zip(told, tellers, strict=True):
                if not sentence.strip() or LEFTOVER.search(sentence):
                    fail(f"{type(event).__name__} is told in {teller.language.code} as {sentence!r}")
        outcome = game.outcome
        if outcome and any(LEFTOVER.search(vocabulary.tell_outcome(outcome, teller)) for teller in tellers):
            fail("the result is told with values that weren't filled in")
    for event, told in said.items():
        if len(told[0].split()) > 4 and len(set(told)) < len(told):
            fail(f"{event} is told in the same words in two languages: {told[0]!r}")
    for teller in tellers:
        for move in vocabulary.moves.all:
            if not (text := vocabulary.describe(move, teller)) or LEFTOVER.search(text):
                fail(f"“{move}” is described in {teller.language.code} as {text!r}")
        for question, message in vocabulary.questions.items():
            if not teller.say(message):
                fail(f"question {question} has no words")
    if unknown := asked - set(vocabulary.questions):
        fail(f"players are asked {', '.join(unknown)}, which vocabulary.questions doesn't have")


@check(mark("It can be shown in a terminal"))
def terminal_draws(subject: Subject) -> None:
    """`spec.terminal` draws what every seat and a spectator see at every moment of a game, in every language."""
    draw = subject.spec.load("terminal")
    seats = subject.spec.usual_seats
    dice = subject.dice("terminal")
    for moment in subject.play(subject.new(seats, 4), dice, is_sensible=True):
        if moment.log and not moment.is_over and dice.random() < 0.8:
            continue
        for code in LANGUAGES:
            for seat in (dice.randrange(seats), None):
                paper = io.StringIO()
                screen = Console(file=paper, width=100, color_system=None)
                screen.print(draw(moment.view(seat), Teller(language(code), PLAYER_NAMES)))
                text = paper.getvalue()
                if not text.strip() or LEFTOVER.search(text):
                    fail(f"what seat {seat} sees in {code} is {text!r}")
