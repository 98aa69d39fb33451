"""Tournaments from a file: what is to be played, playing it, results on disk, the report."""
