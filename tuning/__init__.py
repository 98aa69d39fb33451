"""Programs that find the numbers the bots play by: `python -m tuning.the_game` rewrites the data file of that game."""
