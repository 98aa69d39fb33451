"""The referee of the chat: refuses messages that tell a number, however it is written, where a game forbids that.

Rulings, beyond what the clause says:

- A message is refused if a number from 2 to 99 can be read in it: in digits, or in words of our languages, of Spanish
  and Italian; with a typing error too, where that hardly is another word. Words that only contain one
  pass (often, weight, wachten), and so does all talk without numbers: low, almost, a big jump.
- 0, 1 and 100 are outside of that. They may be written, and so may one, un, een and eins; not 1 and then another 1 or a
  0. All other digits are refused, in times, scores, addresses and emoticons (<3) too: 2026 can carry a 20 and a 26.
- A word that is a number in one language and something else in another, or in the same, is refused (elf, four, dozen):
  the referee can't know what is meant, and the writer knows other words. Those that are hard to avoid pass where the
  words around them tell: Dutch onze, ten, ik acht and vier feest, English seize, French tien and du neuf, German achte
  auf, an XL pizza.
- Ordinals are refused like their numbers (third, deuxième, tiende), but for first and second, and where a game's
  `TalkRule` says that they count something everybody sees. So are dozens and the like.
- What tells a card without its number is refused where it is simple: sums, a hundred less one, half a hundred, one
  above the top card. Both, pairs, double, half, quarter and hundred pass by themselves: they count or measure.
- Words of a game that tell a card without its number are refused as its `TalkRule` says.
- A card that is called by a number (“three”) can only be told with a hint of the game.
- A number in pieces is read across spaces, signs and messages, unless the pieces are ordinary words that happen to be
  neighbours: “thir ty” is refused and “it's even” passes.

It is there for people who forget themselves, and to make cheating laborious. Players who agreed on a code of their own
can't be stopped by reading what they write.
"""

import re
import unicodedata
from collections.abc import Sequence

from nevel.game.clause import Clause
from nevel.game.game import Game
from nevel.game.talk import TalkRule
from nevel.languages import Language, SpokenError, mark
from nevel.tables.referee.reading import Talk

#: How many characters a message may have.
LONGEST = 500
#: How many it may be written with: accents of their own go, but putting those in order takes the time of n².
LONGEST_WRITTEN = 4 * LONGEST
#: Characters that turn the direction of writing, with which a text can show something else than it says.
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class ChatRefusedError(SpokenError):
    """A message that may not be said; its clause says why."""

    def __init__(self, clause: Clause, fragment: str = "", is_number: bool = True) -> None:
        message = mark("“{fragment}” can be read as a number.") if is_number else mark("“{fragment}” tells a card.")
        message = message if fragment else clause.message
        super().__init__(message, fragment=fragment)
        self.clause = clause
        #: What tells a card, for the writer to put it differently; empty when nothing may be said at all.
        self.fragment = fragment

    def sentence(self, language: Language) -> str:
        """What is wrong, and the clause."""
        reason = f"{self.clause.sentence(language)} ({self.clause.id})"
        return f"{super().sentence(language)} {reason}" if self.fragment else reason


def clean(text: str) -> str:
    """A message as it is shown: on one line, without spaces to spare.

    Raises `SpokenError` when it is empty, too long, or has characters nobody can see the sense of.
    """
    text = " ".join(DIRECTIONS.sub("", text).split())
    if len(text) > LONGEST_WRITTEN:
        raise too_long(text)
    shown = unicodedata.normalize("NFC", text)
    kinds = {unicodedata.category(character) for character in shown}
    if kinds & {"Cc", "Cs"}:
        raise SpokenError(mark("This message has characters that can't be displayed."))
    if all(kind == "Cf" or kind[0] in "MZ" for kind in kinds):
        raise SpokenError(mark("This message is empty."))
    if len(shown) > LONGEST:
        raise too_long(shown)
    return shown


def too_long(text: str) -> SpokenError:
    message = mark("A message has at most {longest} characters; this one has {length}.")
    return SpokenError(message, longest=LONGEST, length=len(text))


def check_at(game: Game, text: str, recent: Sequence[str] = ()) -> None:
    """Raise `ChatRefusedError` if the rules of a game forbid to say this now; see `check`."""
    if (rule := game.spec.talk) is not None:
        check(text, rule, rule.silence(game), recent, rule.telling(game))


def check(
    text: str,
    rule: TalkRule,
    silence: Clause | None,
    recent: Sequence[str] = (),
    telling: re.Pattern[str] | None = None,
) -> None:
    """Raise `ChatRefusedError` if a game's rules forbid to say this.

    `silence` is the clause by which nobody may say anything now, `telling` what tells a card without its number.
    `recent` is what the same person said shortly before, oldest first: a number told bit by bit is told as well.

    >>> from nevel.game.registry import find
    >>> rule = find("the-game").talk
    >>> check("Please leave the first pile alone!", rule, None)
    >>> check("I have thir ty-seven", rule, None)
    Traceback (most recent call last):
    nevel.tables.referee.referee.ChatRefusedError: “thir ty-seven” can be read as a number.
    """
    if silence is not None:
        raise ChatRefusedError(silence)
    talk = Talk(text, recent)
    if fragment := talk.number(rule.harmless):
        raise ChatRefusedError(rule.numbers, fragment)
    if telling is not None and (fragment := talk.find(telling)):
        raise ChatRefusedError(rule.numbers, fragment, is_number=False)
