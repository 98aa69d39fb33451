"""Pages that look back on games or closely at them: replays, reviews, statistics, puzzles."""
