"""Pages for studying games: replays, reviews, statistics, puzzles."""
