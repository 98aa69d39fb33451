"""The expert of The Game: whole turns, looked at some turns ahead with the learnt worth of positions."""
