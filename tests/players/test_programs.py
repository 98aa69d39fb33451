"""Outside programs at a table: what they are told, and that the game goes on whatever they do."""

import json
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.languages import LANGUAGES, SpokenError
from nevel.players import process
from nevel.players.player import BotPlayer, Player
from nevel.players.program import MOST_STALLS, ProgramPlayer, quote
from nevel.players.seating import player, seat_players
from nevel.players.table import let_speak, play_to_end
from tests.own_games import OWN_GAMES

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "outside_bot.py"

#: A well-behaved program, up to `answer`: what it gives is written as a line of JSON, text as it is.
FRAME = """
import json, os, subprocess, sys, time

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

{answer}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(json.dumps({{"type": "hello", "name": "tester"}}))
    elif message["type"] == "prompt":
        reply = answer(message)
        if reply is not None:
            say(reply if isinstance(reply, str) else json.dumps({{"id": message["id"], **reply}}))
    elif message["type"] == "end":
        break
"""

Sit = Callable[..., ProgramPlayer]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Somebody who answers as a Python function does, and who is shown the door in the end."""
    seated: list[ProgramPlayer] = []

    def sit_down(answer: str, seconds: float = 10, frame: str = FRAME) -> ProgramPlayer:
        file = tmp_path / f"bot{len(seated)}.py"
        file.write_text(frame.format(answer=textwrap.dedent(answer)), "utf-8")
        seated.append(ProgramPlayer([sys.executable, "-S", str(file)], seconds=seconds))
        return seated[-1]

    yield sit_down
    for program in seated:
        program.close()


def notices(program: ProgramPlayer) -> list[str]:
    return [str(notice) for notice in program.notices]


def some_moves(program: ProgramPlayer, count: int, game: nevel.Game | None = None) -> list[str]:
    """The first moves of a program that plays The Game alone."""
    game = game or nevel.new("the-game", seats=1, seed=1)
    moves: list[str] = []
    for _ in range(count):
        move = program.choose(game, 0)
        assert move is not None
        moves.append(move.text)
        game.play(0, move)
    return moves


# ------------------------------------------------------------ programs that behave


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_example_of_the_documentation_plays_every_game(game: str) -> None:
    played = nevel.new(game, seats=2, seed=3)
    heard: list[SpokenError] = []
    players = seat_players(f"program:{sys.executable} -S {EXAMPLE},casual", range(2), 1, notice=heard.append)
    try:
        play_to_end(played, players)
        assert players[0].name == "smallest step"
    finally:
        for sitting in players.values():
            sitting.close()
    assert played.is_over
    assert heard == []


def test_a_program_is_told_what_its_seat_may_see_and_nothing_else(tmp_path: Path, sit: Sit) -> None:
    heard = tmp_path / "heard"
    program = sit(
        f"""
        def answer(prompt):
            with open({str(heard)!r}, "a") as file:
                file.write(json.dumps(prompt) + "\\n")
            return {{"move": prompt["moves"][0]}}
        """
    )
    game = nevel.new("misty", seats=2, seed=5)
    other = BotPlayer(Bot("simple"))
    players: dict[int, Player] = {0: other, 1: program}
    shown: list[object] = []
    story: list[str] = []
    teller = nevel.Teller(nevel.language("en"))
    for _ in range(12):
        seat = game.waiting_for[0]
        if seat == 1:
            shown.append(msgspec.to_builtins(game.view(1)))
            story = [event.tell(teller) for event in game.story(1)]
        move = players[seat].choose(game, seat)
        assert move
        game.play(seat, move)
    prompts = [json.loads(line) for line in heard.read_text("utf-8").splitlines()]
    assert [prompt["view"] for prompt in prompts] == json.loads(json.dumps(shown))
    assert [prompt["id"] for prompt in prompts] == list(range(1, len(prompts) + 1))
    assert [sentence for prompt in prompts for sentence in prompt["story"]] == story
    assert prompts[0].keys() == {"type", "id", "view", "question", "text", "moves", "hints", "may_wait", "story"}


def test_hello_and_end_are_said(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    file = tmp_path / "bot.py"
    file.write_text(
        "import json, sys\n"
        f"heard = open({str(heard)!r}, 'w')\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    heard.write(line); heard.flush()\n"
        "    reply = {'type': 'hello', 'name': 'x\\x1b[31m' * 30} if message['type'] == 'hello' else None\n"
        "    if message['type'] == 'prompt':\n"
        "        reply = {'id': message['id'], 'move': message['moves'][0]}\n"
        "    if reply: print(json.dumps(reply), flush=True)\n",
        "utf-8",
    )
    program = ProgramPlayer([sys.executable, "-S", str(file)])
    game = nevel.new("the-game", seats=1, seed=1)
    play_to_end(game, {0: program})
    program.close()
    messages = [json.loads(line) for line in heard.read_text("utf-8").splitlines()]
    assert messages[0] == {
        "type": "hello",
        "protocol": 1,
        "game": "the-game",
        "seats": 1,
        "seat": 0,
        "options": {"minimum": 2, "fewer_cards": 0, "open_tricks": 0},
        "language": "en",
        "seconds": 10.0,
    }
    assert messages[-1] == {"type": "end", "outcome": msgspec.to_builtins(game.outcome)}
    assert len(program.name) <= 40
    assert program.name.isprintable()
    assert notices(program) == []


def test_a_program_may_give_hints_and_let_others_begin(sit: Sit) -> None:
    program = sit(
        """
        def answer(prompt):
            if prompt["may_wait"]:
                return {"move": None, "hints": ["hint start 3", "hint up1 small", "play 3 up1", "nonsense"]}
            return {"move": prompt["moves"][0]}
        """
    )
    game = nevel.new("the-game", seats=2, seed=1)
    assert program.choose(game, 0) is None
    assert let_speak(game, {0: program}) == 2
    assert [entry.move.text for entry in game.log] == ["hint start 3", "hint up1 small"]
    assert ["play 3 up1" in notice or "nonsense" in notice for notice in notices(program)] == [True, True]


def test_when_everyone_waits_the_keenest_begins(sit: Sit) -> None:
    waiting = """
        def answer(prompt):
            return {"move": None if prompt["may_wait"] else prompt["moves"][0], "hints": ["hint start NUMBER"]}
        """
    programs: dict[int, Player] = {seat: sit(waiting.replace("NUMBER", str(seat + 1))) for seat in range(2)}
    game = nevel.new("the-game", seats=2, seed=1)
    play_to_end(game, programs)
    assert next(entry.seat for entry in game.log if entry.move.text == "start") == 1


# ------------------------------------------------------------ programs that don't


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ('return {"move": "play 50 sideways"}', "“play 50 sideways” isn't a move in this game."),
        ('return {"move": "start"}', "“start” isn't allowed now"),
        ('return {"move": "hint up1 small"}', "“hint up1 small” is a hint, not a move."),
        ('return {"move": None}', "It can't wait here"),
        ('return {"move": 7}', "isn't an answer"),
        ('return {"id": 99, "move": prompt["moves"][0]}', "wasn't asked"),
        ('return json.dumps({"move": prompt["moves"][0]})', "isn't an answer"),
        ('return "Let me think…"', "“Let me think…” isn't an answer."),
        ('return "[" * 100000', "isn't an answer"),
        ('os.write(1, bytes(range(128, 256)) + b"\\n")', "isn't an answer"),
        ('return ""', "“” isn't an answer"),
    ],
)
def test_an_answer_that_cant_be_played_costs_the_turn_only(sit: Sit, answer: str, says: str) -> None:
    good = 'return {"move": prompt["moves"][0]}'
    program = sit(f"def answer(prompt):\n    if prompt['id'] == 1:\n        {answer}\n        return None\n    {good}")
    game = nevel.new("the-game", seats=1, seed=1)
    some_moves(program, 1, game)
    (notice,) = notices(program)
    assert says in notice
    assert "tester" in notice
    assert "casual" in notice
    assert some_moves(program, 1, game.copy()) == [game.prompts()[0].moves[0]]
    assert len(notices(program)) == 1


def test_a_late_answer_isnt_taken_for_the_next_one(sit: Sit) -> None:
    program = sit(
        """
        def answer(prompt):
            if prompt["id"] == 1:
                time.sleep(1)
                return {"move": prompt["moves"][-1]}
            return {"move": prompt["moves"][0]}
        """,
        seconds=0.8,
    )
    game = nevel.new("the-game", seats=1, seed=1)
    some_moves(program, 1, game)
    assert "didn't answer in time" in notices(program)[0]
    first = game.prompts()[0].moves[0]
    assert some_moves(program, 1, game) == [first]
    assert len(program.notices) == 1


def test_one_that_never_answers_is_replaced_before_long(sit: Sit) -> None:
    program = sit("def answer(prompt):\n    return None", seconds=0.1)
    started = time.monotonic()
    game = nevel.new("the-game", seats=1, seed=1)
    play_to_end(game, {0: program})
    assert program.is_replaced
    assert program.process is None
    assert len(program.notices) == MOST_STALLS + 1
    assert time.monotonic() - started < 5


def test_one_that_doesnt_read_cant_block_us(sit: Sit) -> None:
    """More than a pipe holds is sent to a program that reads nothing after hello."""
    program = sit("def answer(prompt):\n    time.sleep(60)", seconds=0.02)
    game = nevel.new("the-game", seats=1, seed=1)
    some_moves(program, 1, game)
    program.stalls = -100
    for _ in range(60):
        program.choose(game, 0)
    assert program.process is not None
    assert program.process.unsent.qsize() > 0


def test_one_that_crashes_is_started_once_again_and_then_replaced(sit: Sit) -> None:
    program = sit("def answer(prompt):\n    sys.exit(3)")
    game = nevel.new("the-game", seats=1, seed=1)
    play_to_end(game, {0: program})
    assert program.starts == 2
    assert program.is_replaced
    assert len(program.notices) == 3
    assert "has ended" in notices(program)[0]
    assert "until the end" in notices(program)[2]


def test_one_that_is_started_again_hears_the_whole_story(sit: Sit, tmp_path: Path) -> None:
    crashed = tmp_path / "crashed"
    program = sit(
        f"""
        def answer(prompt):
            if not os.path.exists({str(crashed)!r}):
                open({str(crashed)!r}, "w").close()
                os._exit(1)
            return {{"move": prompt["moves"][0], "hints": ["story of " + str(len(prompt["story"]))]}}
        """
    )
    game = nevel.new("the-game", seats=1, seed=1)
    some_moves(program, 2, game)
    assert program.unsaid == [f"story of {len(game.story(0)) - 1}"]
    assert not program.is_replaced


def test_one_that_closes_its_output_is_ended(sit: Sit) -> None:
    program = sit("def answer(prompt):\n    os.close(1)\n    time.sleep(60)")
    some_moves(program, 1)
    assert "has ended" in notices(program)[0]
    assert program.process is None


def test_megabytes_without_a_newline_are_a_flood(sit: Sit) -> None:
    program = sit("def answer(prompt):\n    while True:\n        os.write(1, b'x' * 65536)")
    started = time.monotonic()
    some_moves(program, 3)
    assert "without stopping" in notices(program)[0]
    assert program.is_replaced
    assert time.monotonic() - started < 5


def test_lines_without_end_dont_fill_our_memory(sit: Sit) -> None:
    program = sit('def answer(prompt):\n    while True:\n        say(\'{"id": 0, "move": null}\')', seconds=0.3)
    some_moves(program, 1)
    assert "didn't answer in time" in notices(program)[0]
    assert program.process is not None
    assert program.process.lines.qsize() <= process.MOST_LINES


def test_one_that_doesnt_say_hello_is_replaced(sit: Sit) -> None:
    program = sit("", frame="print('What?', flush=True){answer}\nimport time; time.sleep(60)")
    some_moves(program, 3)
    assert "didn't send “hello”" in notices(program)[0]
    assert program.is_replaced


def test_a_program_that_isnt_there_is_replaced() -> None:
    program = ProgramPlayer(["/nowhere/at/all"])
    some_moves(program, 3)
    assert "can't be started" in notices(program)[0]
    assert program.is_replaced
    program.close()


@pytest.mark.skipif(os.name != "posix", reason="looks for the processes as POSIX does")
def test_its_children_end_with_it(sit: Sit, tmp_path: Path) -> None:
    number = tmp_path / "number"
    program = sit(
        f"""
        def answer(prompt):
            child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
            with open({str(number)!r}, "w") as file:
                file.write(str(child.pid))
            return {{"move": prompt["moves"][0]}}
        """
    )
    some_moves(program, 1)
    child = int(number.read_text("utf-8"))
    os.kill(child, 0)
    program.close()
    ends = time.monotonic() + 5
    while is_running(child):
        assert time.monotonic() < ends
        time.sleep(0.02)


def is_running(number: int) -> bool:
    """Whether a process does anything still: one that ended may wait for somebody to take note."""
    try:
        return Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_notices_are_told_in_every_language(sit: Sit) -> None:
    program = sit('def answer(prompt):\n    return {"move": "xyzzy"}')
    some_moves(program, 1)
    sentences = {program.notices[0].sentence(nevel.language(code)) for code in LANGUAGES}
    assert len(sentences) == len(LANGUAGES)
    assert all("xyzzy" in sentence for sentence in sentences)


def test_what_a_program_writes_is_shown_short_and_harmless() -> None:
    assert quote("a\x1b[2Jb\n c") == "a [2Jb c"
    assert len(quote("x" * 10_000)) == 40


def test_a_bot_s_own_name_is_its_level() -> None:
    assert player("casual", 1).name == "casual"
    assert ProgramPlayer(["bot", "--fast"]).name == "bot --fast"
