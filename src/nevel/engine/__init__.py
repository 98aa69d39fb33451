"""Runs the rules of any game: compiled or interpreted, with one random number generator in every mode."""
