"""Playing in a terminal, drawn with Rich."""
