"""Names and meanings of the grades of puzzles."""

from nevel.languages import mark

GRADE_NAMES = {
    "beginner": mark("beginner"),
    "casual": mark("casual"),
    "strong": mark("strong"),
    "expert": mark("expert"),
    "hardest": mark("even beyond the expert"),
}
#: What a grade means.
GRADE_MEANINGS = {
    "beginner": mark("The beginner among the bots finds it."),
    "casual": mark("The casual bot finds it, the beginner doesn't."),
    "strong": mark("The strong bot finds it, weaker ones don't."),
    "expert": mark("Of the bots only the expert finds it."),
    "hardest": mark("Not even the expert among the bots finds it at the table."),
}
