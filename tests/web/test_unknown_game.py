"""A game that does not exist, wherever one can be named: a sentence that lists those there are, translated."""

import re
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

import nevel
from nevel.cli.server.load import which_games
from nevel.game.box import Box
from nevel.game.registry import all_games
from nevel.lab import openspiel, pettingzoo
from nevel.lab.gymnasium import SeatEnvironment
from nevel.lab.task import Task
from nevel.languages import language
from nevel.study.mist import look_into
from nevel.testing.parts import choosing_for
from nevel.web.pages.sounds import sounds_of
from nevel.web.rendering.board import board_of
from tests.commands import run_nevel
from tests.web.serving import Visitor

KNOWN = ", ".join(all_games())
#: What says in each language that there is none of this name.
SAYS = {
    "en": "no game chess",
    "de": "Es gibt kein Spiel chess",
    "fr": "Le jeu chess n’existe pas",
    "nl": "Er is geen spel chess",
}

IN_PYTHON: dict[str, Callable[[], object]] = {
    "new": partial(nevel.new, "chess", seats=2),
    "box": partial(Box.of, "chess"),
    "task": partial(Task, "chess", 2),
    "parallel_env": partial(pettingzoo.parallel_env, "chess", 2),
    "env": partial(pettingzoo.env, "chess"),
    "gymnasium": partial(SeatEnvironment, "chess", 2),
    "openspiel": partial(openspiel.game_type, "chess"),
    "mist": lambda: look_into(nevel.new("misty", seats=2).knowledge(0), "chess"),
    "board": partial(board_of, "chess"),
    "sounds": partial(sounds_of, "chess"),
    "load": partial(which_games, "chess", 2),
    "choosing": partial(choosing_for, "chess", Random(1)),
}


@pytest.mark.parametrize("entry", IN_PYTHON)
def test_python_is_told(entry: str) -> None:
    with pytest.raises(nevel.UnknownGameError) as raised:
        IN_PYTHON[entry]()
    for code, says in SAYS.items():
        sentence = raised.value.sentence(language(code))
        assert says in sentence
        assert KNOWN in sentence


COMMANDS = {
    "play": ["chess"],
    "rules": ["chess"],
    "simulate": ["chess"],
    "ladder": ["chess"],
    "load": ["--game", "chess"],
    "check-game": ["chess"],
    "data simulate": ["chess", "--out", "data"],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_terminal_is_told(command: str) -> None:
    for code, says in SAYS.items():
        done = run_nevel(*command.split(), *COMMANDS[command], NEVEL_LANGUAGE=code)
        text = re.sub(r"\s+", " ", done.stderr)
        assert done.returncode == 2, text
        assert says in text
        assert KNOWN in text


def test_programs_and_browsers_are_told(ann: Visitor, stranger: Visitor) -> None:
    body = {"game": "chess", "chairs": 2}
    answers = [
        ann.post("/api/tables", body),
        ann.post("/api/play-now", body),
        ann.get("/api/tables", game="chess"),
        ann.get("/new/chess"),
        ann.get("/rules/chess"),
        ann.client.post("/play/chess", data={}),
        ann.client.post("/new/chess", data={}),
    ]
    for answer in answers:
        assert answer.status_code == 400, answer.text
        assert SAYS["en"] in answer.text
        assert KNOWN in answer.text
    for code, says in SAYS.items():
        answer = stranger.client.get("/rules/chess", headers={"accept-language": code})
        assert says in answer.text
