"""Words that are numbers in one language and something else in another, or in the same: the words around them tell."""

from typing import NamedTuple

from nevel.tables.referee.foreign import EVERYDAY
from nevel.tables.referee.words import listed, skeleton

#: They look like ten and tweeën with letters drawn out.
STRETCHED = {"teen", "teens", "tween", "tweens"}
#: Ten is a preposition in Dutch, in set phrases.
AFTER_DUTCH_TEN = listed(
    "aanzien behoeve dele derde dode eerste einde gevolge goede gunste hoogste koste laatste minste nadele onder "
    "onrechte opzichte slotte tijde tweede volle voordele zeerste"
)
#: Seize is an English verb too; tien is French for yours.
AFTER_ENGLISH_SEIZE = listed("a an any control every it my our that the this up your")
BEFORE_FRENCH_TIEN = listed("au du le")
#: Onze is Dutch for our: it passes before another word, among these Dutch words and without the French ones.
DUTCH = listed(
    "aan al alle als beurt bij daar dan dat die dit door een er gaan geen goed heb hebben heeft het hier ik in is jij "
    "jullie kaart kaarten kan kans kansen kunnen laat laten maar met moet moeten naar niet nog nu of om ook op over "
    "ploeg spel stapel stapels te toch uit van voor waar want was wat we wel wij worden zal zijn zo zonder"
)
FRENCH = listed(
    "ai as au aux avec c ca ce ces cette dans des du elle est et ici il ils j la le les leur ma mais mes mon ne nous "
    "ou par pas pile plus pour qu que qui sa ses si son sont sur t ta tes toi ton tu un une vous"
)
#: Neuf is French for new: du neuf, quoi de neuf, tout neuf; but not near a pile, as in “près du neuf”.
BEFORE_FRENCH_NEW = listed("du tout flambant")
BEFORE_NEWS = listed("quoi rien chose plus")
NEAR_A_CARD = listed(
    "apres autour avant bas bord cote dela dessous dessus haut lieu loin partir pile pres proche sauf sommet"
)
#: Ik acht is Dutch for I deem; geef acht, in acht, acht slaan, German gib acht and achte auf are about attention.
BEFORE_ACHT = listed("ik geef geeft in gib gebt ausser")
AFTER_ACHT = listed("geben gegeben geven nehmen nemen slaan")
AFTER_ACHTE = listed("auf bitte darauf doch drauf du ich immer mal nicht")
#: But “dat ik acht heb” is about a card.
AFTER_A_CARD = listed(
    "bezit had hab habe heb houd kan kreeg krijg kwijt leg lege mag moet nodig over speel spiele wil zou"
)
#: Vier is Dutch for celebrate.
AFTER_DUTCH_VIER = listed("carnaval feest feestje feestjes kerst kerstmis oudjaar pasen sinterklaas")


class Context(NamedTuple):
    """What stands around a word: the two words before it, the one after it, and all words of the message."""

    second_before: str
    before: str
    after: str
    words: set[str]


def is_excused(word: str, near: Context) -> bool:
    """Whether a word that is a number is another word in this context."""
    if word == "onze":
        return near.after != "" and not near.words.isdisjoint(DUTCH) and near.words.isdisjoint(FRENCH)
    if word == "neuf":
        return is_new(near)
    if (bones := skeleton(word)) in EVERYDAY:
        return near.before not in EVERYDAY[bones]
    return (
        word in STRETCHED
        or (word == "ten" and near.after in AFTER_DUTCH_TEN)
        or (word == "seize" and near.after in AFTER_ENGLISH_SEIZE)
        or (word == "tien" and near.before in BEFORE_FRENCH_TIEN)
        or (word == "acht" and is_attention(near))
        or (word == "achte" and near.after in AFTER_ACHTE)
        or (word == "vier" and near.after in AFTER_DUTCH_VIER)
    )


def is_attention(near: Context) -> bool:
    """Whether acht is no number in Dutch or German."""
    return near.after in AFTER_ACHT or (near.before in BEFORE_ACHT and near.after not in AFTER_A_CARD)


def is_new(near: Context) -> bool:
    """Whether French neuf means new."""
    if near.before in BEFORE_FRENCH_NEW:
        return near.second_before not in NEAR_A_CARD
    return near.before == "de" and near.second_before in BEFORE_NEWS
