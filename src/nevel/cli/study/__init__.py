"""Commands about one game: its review, what a bot thinks of it, forecasts; and puzzles."""
