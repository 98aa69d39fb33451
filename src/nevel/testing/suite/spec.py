"""Checks of what a game declares: its spec, the parts it names, and the record of its rules."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np

from nevel.game.box import Box
from nevel.game.boxes.code import decode_box, encode_box
from nevel.game.boxes.sheet import BoxSheet
from nevel.game.clause import Rulebook
from nevel.game.position import Layout
from nevel.game.registry import find
from nevel.game.vocabulary import Vocabulary
from nevel.languages import SpokenError, mark
from nevel.testing.check import check, fail
from nevel.testing.subject import Subject

#: What the rules of every game have: numbers and tables, and functions over a record.
RULES_VALUES = ("BOX", "MOVES", "OBSERVATION", "OPTIONS", "SEATS", "STATE", "VERSION", "WIDER_FIELDS")
RULES_FUNCTIONS = (
    *("setup", "waiting", "refusal", "mark_moves", "losing_clause", "is_secret", "apply"),
    *("conceal", "imagine", "observe", "outcome"),
)


@check(mark("The spec is complete"))
def spec_is_complete(subject: Subject) -> None:
    """Every field of the GameSpec has a value that makes sense, and the game is registered under its name.

    The message says which field is wrong. The rules need all names listed in the handbook for authors; what a game
    doesn't have (hints, moves that lose at once) is a function that says so.
    """
    spec: Any = subject.spec  # an author may have put anything anywhere
    if find(spec.name) is not spec:
        fail(f"another spec is registered as {spec.name}: is the entry point in the group nevel.games the right one?")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", spec.name):
        fail(f"spec.name is {spec.name!r}: only small letters, digits and single hyphens between them")
    for field in ("title", "pitch", "credits"):
        if not getattr(spec, field).strip():
            fail(f"spec.{field} is empty")
    for field in ("minutes", "longest_game", "score_scale"):
        if getattr(spec, field) <= 0:
            fail(f"spec.{field} is {getattr(spec, field)}; it has to be more than 0")
    if not isinstance(spec.rules, ModuleType):
        fail("spec.rules is no module")
    for name in RULES_VALUES:
        if not hasattr(spec.rules, name):
            fail(f"{spec.rules.__name__} has no {name}")
    for name in RULES_FUNCTIONS:
        if not callable(getattr(spec.rules, name, None)):
            fail(f"{spec.rules.__name__} has no function {name}")
    if not isinstance(spec.rulebook, Rulebook) or not spec.rulebook:
        fail("spec.rulebook is no Rulebook with clauses")
    if not isinstance(spec.vocabulary, Vocabulary):
        fail("spec.vocabulary is no Vocabulary")
    check_vocabulary(subject)
    box = Box.of(spec.name)
    if len(box.numbers) != spec.rules.BOX:
        fail(f"{spec.box_file} is read into {len(box.numbers)} numbers, but rules.BOX is {spec.rules.BOX}")


def check_vocabulary(subject: Subject) -> None:
    """Words and rules speak of the same moves, options and questions."""
    spec, vocabulary = subject.spec, subject.spec.vocabulary
    if vocabulary.rules is not spec.rules:
        fail("the vocabulary's rules aren't the spec's")
    if len(vocabulary.moves) != spec.rules.MOVES:
        fail(f"the vocabulary has {len(vocabulary.moves)} moves, but rules.MOVES is {spec.rules.MOVES}")
    if len(vocabulary.options) != spec.rules.OPTIONS:
        fail(f"the vocabulary has {len(vocabulary.options)} options, but rules.OPTIONS is {spec.rules.OPTIONS}")
    for option in vocabulary.options:
        if option.clause not in spec.rulebook:
            fail(f"option {option.name} comes from {option.clause}, which is no clause of the rulebook")
        if len(set(option.values)) != len(option.values) or len(option.values) < 2:
            fail(f"option {option.name} needs several different values, not {option.values}")
    if spec.start_move is not None and not 0 <= spec.start_move < len(vocabulary.moves):
        fail(f"spec.start_move is {spec.start_move}, but moves are numbered from 0 to {len(vocabulary.moves) - 1}")
    hints = sorted(vocabulary.hint_numbers)
    if hints != list(range(len(vocabulary.moves) - len(hints), len(vocabulary.moves))):
        fail("hints have to be the last moves, so that environments without them can leave them out")
    if not vocabulary.questions:
        fail("the vocabulary has no questions: what are players asked?")


@check(mark("Its box can be corrected"))
def box_is_described(subject: Subject) -> None:
    """What `spec.box_sections` describes is what is in the box file, and every corrected box can be played with.

    The message says which field is wrong. Every fact is read back as it was written, alone and through a link; a
    section belongs to a clause, and its keys are those of the file. A game without sections has nothing to correct.
    """
    spec, sheet = subject.spec, BoxSheet(subject.spec)
    keys = [field.key for section in spec.box_sections for field in section.fields]
    if len(set(keys)) != len(keys):
        fail(f"the sections of the box have a field twice: {', '.join(sorted(keys))}")
    for section in spec.box_sections:
        if section.clause not in spec.rulebook:
            fail(f"section {section.key} belongs to {section.clause}, which is no clause of the rulebook")
        for row in section.rows:
            if len(row.fields) != len(section.columns):
                fail(f"a row of section {section.key} has {len(row.fields)} fields for {len(section.columns)} columns")
    for key, field in sheet.fields.items():
        try:
            value = sheet.value(sheet.ours, field)
        except (KeyError, IndexError, ValueError, TypeError) as problem:
            fail(f"field {key} isn't in {spec.box_file} ({problem!r})")
        is_number = isinstance(value, int) and field.low <= value <= field.high
        is_possible = value in dict(field.choices) if field.choices else is_number
        if not is_possible:
            fail(f"field {key} is {value!r} in {spec.box_file}, which it doesn't allow")
    try:
        again = decode_box(sheet, encode_box(sheet, sheet.read(sheet.texts(sheet.ours)).content))
    except SpokenError as problem:
        fail(f"our box is refused when it is typed: {problem}")
    if not again.is_ours:
        fail("our box isn't ours any more when it was typed and sent as a link")


@check(mark("Its parts can be imported"))
def parts_are_there(subject: Subject) -> None:
    """What the spec names as `module:attribute` can be imported and is what it should be.

    Bots are `nevel.bots.policy.GameBots`, the board is a `nevel.web.rendering.board.Board`, lab parts are
    `nevel.lab.scene.LabParts`, study parts `nevel.study.parts.StudyParts`; what draws in a terminal is a function.
    Every part of `rules.OBSERVATION` needs its meaning in the lab parts.
    """
    from nevel.bots.policy import GameBots
    from nevel.lab.scene import LabParts
    from nevel.study.parts import StudyParts
    from nevel.testing.parts import TestingParts
    from nevel.web.rendering.board import Board

    spec = subject.spec
    wanted: dict[str, type] = {"bots": GameBots, "board": Board, "lab": LabParts}
    if spec.study is not None:
        wanted["study"] = StudyParts
    if spec.testing is not None:
        wanted["testing"] = TestingParts
    for part, kind in wanted.items():
        found = load(subject, part)
        if not isinstance(found, kind):
            fail(f"spec.{part} names a {type(found).__name__}, not a {kind.__name__}")
    if not callable(load(subject, "terminal")):
        fail("spec.terminal names no function")
    if (board := load(subject, "board")).game != spec.name:
        fail(f"the board is {board.game}'s")
    meanings, observed = load(subject, "lab").observation, [name for name, _ in spec.rules.OBSERVATION]
    if list(meanings) != observed:
        fail(f"the lab tells the meaning of {', '.join(meanings)}; rules.OBSERVATION has {', '.join(observed)}")
    for name, (low, high, meaning) in meanings.items():
        if low > high or not -128 <= low <= high <= 127 or not meaning:
            fail(f"part {name} of the observation needs bounds within eight bits and a meaning")


def load(subject: Subject, part: Any) -> Any:
    """A part of the spec, or a failure that says why it can't be imported."""
    try:
        return subject.spec.load(part)
    except (ImportError, AttributeError, ValueError) as problem:
        fail(f"spec.{part} is {getattr(subject.spec, part)!r}, which can't be imported: {problem}")


@check(mark("The record can be read in every mode"))
def record_is_readable(subject: Subject) -> None:
    """Every field of `rules.STATE` is a 64-bit integer whose name reads the same interpreted and compiled.

    A field may not have the name of a NumPy method (`round`, `sum`, `size`): interpreted rules would get the method.
    What `game.position` reads of a record is what is in it, also when several threads read other fields at once.
    """
    record = subject.spec.rules.STATE
    for field in record.names:
        if hasattr(np.record, field):
            fail(f"field {field} of rules.STATE has the name of an attribute of NumPy's records: call it otherwise")
        if record[field].base != np.dtype(np.int64):
            fail(f"field {field} of rules.STATE is {record[field].base}; every field is a 64-bit integer")
    game = subject.new(subject.some_seats(3), 5)
    game.play(game.waiting_for[0], game.prompts()[0].moves[0])
    for field in record.names:
        if not np.array_equal(np.array(getattr(game.position, field)), getattr(game.state, field)):
            fail(f"field {field} is read otherwise than it is in the record")
    read_by_threads(record, subject.new(subject.some_seats(3), 5).position.content)


def read_by_threads(record: Any, content: bytes) -> None:
    """Ask for fields from several threads at once: layouts learn while they are read."""
    numbers = np.frombuffer(content, record)[0]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            for _ in range(40):
                layout = Layout(record, 1, 1)
                reads = [threads.submit(layout.read, content, field) for field in record.names]
                found = [read.result()[field] for read, field in zip(reads, record.names, strict=True)]
                for field, value in zip(record.names, found, strict=True):
                    if not np.array_equal(np.array(value), numbers[field]):
                        fail(f"field {field} is another one when threads read at once")
    finally:
        sys.setswitchinterval(usual)
