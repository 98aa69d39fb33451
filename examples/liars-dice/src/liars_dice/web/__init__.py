"""The board of liar's dice in a browser."""
