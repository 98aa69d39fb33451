"""Analysis of games: reviews, probabilities of hidden cards, forecasts and puzzles."""
