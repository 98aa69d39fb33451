"""Many games at once: simulations, ratings, tournaments, data sets and environments for learning."""
