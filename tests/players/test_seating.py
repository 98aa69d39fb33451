"""Who sits where, from what people write."""

import sys

import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.game.game import Game
from nevel.game.move import Move
from nevel.languages import LANGUAGES, SpokenError
from nevel.players.player import BotPlayer, has_hints
from nevel.players.program import ProgramPlayer
from nevel.players.seating import UnknownPlayerError, command_line, player, read_players, seat_players, split
from nevel.players.table import MOST_HINTS, let_speak, play_to_end
from tests.own_games import OWN_GAMES


def test_one_for_all_or_one_for_each() -> None:
    assert read_players("casual", 3) == ["casual"] * 3
    assert read_players("strong, random,casual", 3) == ["strong", "random", "casual"]
    assert read_players("casual", 0) == []
    with pytest.raises(SpokenError, match="one for each; you named 2"):
        read_players("strong,random", 3)


@pytest.mark.parametrize("text", ["genius", "", "casual,,strong", "Casual", "program"])
def test_who_isnt_known_is_answered_with_who_is(text: str) -> None:
    with pytest.raises(UnknownPlayerError) as caught:
        read_players(text, 3)
    sentences = {caught.value.sentence(nevel.language(code)) for code in LANGUAGES}
    assert len(sentences) == len(LANGUAGES)
    assert all("expert" in sentence and "program:" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("program:", "doesn't say which program"),
        ("program:   ", "doesn't say which program"),
        ("program:nosuchprogramanywhere --fast", "nosuchprogramanywhere"),
        ("program:'python", "quotation mark"),
    ],
)
def test_programs_that_make_no_sense(text: str, says: str) -> None:
    with pytest.raises(SpokenError, match=says):
        player(text, 1)


def test_commas_in_quotation_marks_belong_to_a_command() -> None:
    assert split("program:bot --deck 'a,b',casual") == ["program:bot --deck 'a,b'", "casual"]
    assert split('program:bot "it\'s, well",random') == ['program:bot "it\'s, well"', "random"]
    assert command_line("program:bot --deck 'a,b' x") == ["bot", "--deck", "a,b", "x"]


def test_chairs_get_their_players() -> None:
    players = seat_players(f"program:{sys.executable} bot.py,strong", [1, 3], seed=7)
    program, bot = players[1], players[3]
    assert isinstance(program, ProgramPlayer)
    assert program.command == [sys.executable, "bot.py"]
    assert isinstance(bot, BotPlayer)
    assert (bot.bot.level, bot.bot.seed) == ("strong", 10)


def test_only_where_there_are_hints_bots_are_asked_for_them() -> None:
    assert [name for name, spec in OWN_GAMES.items() if has_hints(spec.vocabulary)] == ["the-game", "extreme"]


class Chatterbox(BotPlayer):
    """Says something and takes it back, for ever."""

    def speak(self, game: Game, seat: int) -> Move | None:
        said = game.log and game.log[-1].move.text == "hint up1 small"
        return game.vocabulary.moves.parse("hint up1 none" if said else "hint up1 small")


def test_nobody_talks_for_ever() -> None:
    game = nevel.new("the-game", seats=2, seed=1)
    assert let_speak(game, {0: Chatterbox(Bot("simple")), 1: BotPlayer(Bot("simple"))}) == MOST_HINTS
    play_to_end(game, {0: Chatterbox(Bot("simple")), 1: Chatterbox(Bot("simple"))})
    assert game.is_over
