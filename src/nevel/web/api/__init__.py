"""The JSON API: an endpoint for everything a program can do."""
