"""The games that come with Nevel, a folder each. Nothing outside a folder knows its game by name."""
