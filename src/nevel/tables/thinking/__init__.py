"""When bots play at a table, and for whom they wait."""
