"""The rules pages and the first-game guides: what they say, in every language.

`GAME.toml` is the outline of a handbook: its chapters, which clauses each item explains, the figures, the steps of the
guide. `GAME.LANGUAGE.toml` has the words, under the same names. Translators need only the latter: a blank line begins
a new paragraph, **two stars** are strong words, [AB-T3] is a link to that clause. Apostrophes and French spaces are
typed plainly; `prose.typeset` makes them right. A worked example tells its figure, and the tests ask the rules.
"""
