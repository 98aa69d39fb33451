"""The JSON API: one endpoint for everything a program can ask."""
