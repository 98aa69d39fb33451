"""What bots and their levels are called."""

from nevel.languages import mark

#: What bots are called, by chair: kinds of mist and drizzle.
BOT_NAMES = ("Zeevlam", "Brume", "Smirr", "Mizzle", "Dimmet")
LEVEL_NAMES = {
    "random": mark("random"),
    "simple": mark("a simple rule"),
    "beginner": mark("beginner"),
    "casual": mark("casual"),
    "strong": mark("strong"),
    "expert": mark("expert"),
}
