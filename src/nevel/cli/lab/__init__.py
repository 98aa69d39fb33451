"""Commands for many games: simulations, ladders, tournaments, data sets."""
