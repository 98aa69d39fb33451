"""The rules pages and the first-game guides: what they say, in every language.

`GAME.toml` is the outline of a handbook: its chapters, which clauses each item explains, the figures, the steps of the
guide. `GAME.LANGUAGE.toml` has the words. Translators need only the latter.
"""
