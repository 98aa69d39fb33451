"""Which styles a board needs."""

#: The styles of each board.
STYLES = {
    "what-the-fog": "what-the-fog.css",
    "the-game": "the-game.css",
    "extreme": "the-game.css",
    "misty": "misty.css",
}
