"""The board of each game, as a template needs it: plain values in the reader's language, from one viewer's view."""

from nevel.web.boards.board import Board
from nevel.web.boards.misty import MistyBoard
from nevel.web.boards.the_game import TheGameBoard
from nevel.web.boards.what_the_fog import WhatTheFogBoard

BOARDS: dict[str, Board] = {
    board.game: board
    for board in (
        TheGameBoard("the-game"),
        TheGameBoard("extreme"),
        WhatTheFogBoard("what-the-fog"),
        MistyBoard("misty"),
    )
}
