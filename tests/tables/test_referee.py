"""The referee refuses numbers in every dress, and leaves ordinary talk alone."""

import doctest
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nevel
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.game.talk import TalkRule
from nevel.languages import LANGUAGES, SpokenError
from nevel.tables.referee import characters as referee_characters
from nevel.tables.referee import referee
from nevel.tables.referee import words as referee_words
from nevel.tables.referee.referee import LONGEST, ChatRefusedError, check, check_at, clean
from tests.rulebooks import CLAUSES


def talk_of(game: str) -> TalkRule:
    rule = find(game).talk
    assert rule is not None
    return rule


TALK = talk_of("the-game")


def fragment(text: str, recent: Sequence[str] = ()) -> str:
    """What the referee reads as a number; empty when the message passes."""
    try:
        check(text, TALK, None, recent)
    except ChatRefusedError as refused:
        return refused.fragment
    return ""


# Messages people write, or would write to get round the referee, with some room between them.

REFUSED_ENGLISH = """
I have the seven   my lowest card is twelve   can you play something under thirty?   thirty-seven   thirty seven
ThirtySeven   FORTY TWO!!   it's a four, sorry   two more and I'm done   I could jump back with my sixty-one
the gap is only three   a jump of ten   ten steps   about a dozen   somewhere in the twenties   in the low forties
all my cards are in the sixties   I've got the ninety-ninth   the third card is mine   play your fifth card
that's the twenty-first time   seventy-something   thirtyish?   sevenish   two sixes in the deck   both fours   fourty
ninty-eight   I hold a three   elf   one hundred and two   thirteen, fourteen, fifteen   sixteen to nineteen
I'd need an eleven   eighty would be perfect   an eight or a nine   eighteen ninety   a deuce   tens   fifty-fifty
one zero   one one   five o'clock   six of one, half a dozen of the other
"""

REFUSED_FRENCH = """
j'ai le trente-sept   trente sept   j'ai le sept   il me faut un neuf   au-dessus du neuf
je peux poser le vingt et un   vingt-et-un   vingt et une   quatre-vingt-dix-neuf   quatre vingts   quatre-vingt-un
soixante et onze   soixante-dix   septante   septante et un   octante   huitante-deux   nonante-neuf   j'ai onze
onze   seize, c'est bon ?   ma plus petite est dix   dix-huit ou dix-neuf   un saut de dix   une dizaine
une petite trentaine   dans la quarantaine   une douzaine d'œufs   ma deuxième carte   mon troisième tour
le vingtième   la quatre-vingtième   deux petites cartes   les deux piles   à trois on y va   cinq de plus
six de moins   huit   il est midi moins cinq   quatorze juillet   une quinzaine   soixante-quinze pile   cinquante
quarante-deux   un zéro   TREIZE   Douze !   c'est le tien, le dix   quatres
"""

REFUSED_DUTCH = """
ik heb de zevenendertig   zeven en dertig   zeven-en-dertig   zevenëndertig   drieëntwintig   drieentwintig
tweeëntachtig   ik kan nog twee kaarten kwijt   mijn tweede kaart   mijn derde beurt   de tiende   een sprong van tien
tien lager   ongeveer een dozijn   een twaalftal   een tiental   tientallen   met z'n tweeën   we zijn met z'n zessen
vier   een vier of een vijf   zes   zeven   dat ik acht heb   negen   elf   twaalf   dertien   veertien en vijftien
zestien, zeventien   achttien   achtien   negentien   twintig   in de dertig   veertigste   vijftig   zestigplus
zeventig   tachtig   tachentig   negentig   negenennegentig   eenentwintig   één nul   honderdtwintig
drie keer raden   iets onder de dertig   zeuven   vyf   een zeventje
"""

REFUSED_GERMAN = """
ich habe die siebenunddreißig   sieben und dreißig   siebenunddreissig   meine niedrigste ist die zwölf   zwoelf
kannst du was unter dreißig spielen?   DREIUNDZWANZIG   es ist eine Vier, sorry   noch zwei Karten, dann bin ich fertig
fünf   fuenf   fünfzehn   fünfundfünfzig   fuenfundfuenfzig   die einundzwanzigste   meine zweite Karte   der dritte Zug
zum vierten Mal   die neunundneunzigste   ein Dutzend   dutzende   zu dritt   wir sind zu fünft   ein Sechser
in den Zwanzigern   ein Zehner   zwo   zwoundzwanzig   elf   hundertzwanzig   die siebte   die achte Karte   acht
dass ich acht habe   so um die neunzig   sechzehn, siebzehn   achtzig wäre gut   ein Sprung um zehn   eins null
fuffzig   sechszehn   dreizig   siebenzig   vierundvirzig   neunundneunzg   zwnazig   siebn   eins-eins
"""

REFUSED_DIGITS = """
37   I have 37   2   99   is it <3 or >3   :3   8-)   gr8   b4 you play   m8   it's 20:15   see you at 9   2026   101
1000000   50/50   I'm at 50%   37th   2nd   2e   3ème   12de   3 7   3-7   3.7   3,7   3_7   30+7   7*5   √16   007
0037   1 0   1-0   1.0   1 1   1/1   1O   l0   O1O   10   11   0x25   0xE   0b11   three7   7seven   th1rty7   3three
u2   C4   (42)   "42"   #42   http://nevel.games/42
"""

REFUSED_ROMAN = """
XLII   I have XLII   my card: XCIX   IV   VI   IX or XI?   XX   II   III   xlii   lxxviii   xiv   X   a V, please
(L)   X L I I   X-L-I-I   X.I.V
"""

REFUSED_DISGUISED = """
t h i r t y   T H I R T Y   t-h-i-r-t-y   t.h.i.r.t.y   t_h_i_r_t_y   t…h…i…r…t…y   t/e/n   s.e.v.e.n   s e v e n
z e v e n   d i x   t e n   thir ty   thir-ty   thirt-y   thir...ty   fif ty   se ven   sev en   el even   s-even
ele-ven   quat re   vin gt   tren te   der tig   twin tig   ne gen   vij f   th1rty   tw0   f0ur   n1ne   f1ve   s!x
s|x   $even   $1x   e1even   tw3nty   l33t   +en   @cht   tw€€   eIeven   slx   tvvo   tvventy   thirtyyy
ttthhhiiirrrtttyyy   sevennn   teeeen   douzzzze   zesss   neves   neves-ytriht   ytriht   NEVES   xis-ytnewt
n e v e s   gitniwt   etnert   threeseven   onetwo   septhuit   zevennul   ||||   ||| ||   | | |   // // //   IIII
lllll   •••   • • • •   ●●   I·I·I·I·I and ···
"""

REFUSED_UNICODE = """
３７   ³⁷   ₃₇   ٣٧   ۳۷   ३७   𝟑𝟕   𝟛   ①②   ⑫   ⓷   ❼   ㊲   ⒘   ½   三   三十七   Ⅻ   ⅶ   XⅬ   3️⃣7️⃣   1️⃣0️⃣   🔟   ⚂
⚀⚀   🂧   🀙🀙   🀴   🕒   🕧   ⠼⠉⠛   🎱   🥉   𝍸   ｔｈｉｒｔｙ   𝓽𝓱𝓲𝓻𝓽𝔂   𝕤𝕖𝕧𝕖𝕟   ⓢⓔⓥⓔⓝ
🆃🅴🅽   🇹🇪🇳   ᴛʜɪʀᴛʏ   ʎʇɹıɥʇ   tһіrtу   ΤΕΝ   τεη   ѕіх   dіх   séven   śéṽėñ
"""
REFUSED_UNSEEN = [
    "th\u200birty",
    "ok\U0001fae8ten",
    "t\u200dh\u2060i\ufeffr\u00adt\u200cy",
    "t\u0336h\u0336i\u0336r\u0336t\u0336y\u0336",
    "3\u200b7",
    "t\u3164en",
    "t\u00a0e\u2003n",
    "\U0001d5f3𝗶𝘃𝗲",
]

PASSED_ENGLISH = """
Hi everyone!   hello, good luck all   Please leave the first pile alone.   don't play on the first pile
don't touch the left one   I can jump back on this pile   I'd like to start   I have a great start
my start is awful, sorry   small steps only, please   a big jump is coming   that's a huge gap
very close to the top of the rising pile   almost there   low cards everywhere   I only have high cards   nothing fits
the falling pile is in danger   can you wait a turn?   wait a second   hang on, just a few seconds   one moment
that one is mine   no one can play there   someone should go first   once more   well, one of us has to
I'm the one who should start   it's even better than before   is even that too much?
it went well. Even so, be careful   that's even worse   is it even possible?   often   attention please
listen, I have an idea   the content of my hand is terrible   what a weight off my shoulders
mind the height of that pile   a kitten walked over my keyboard   there's a stone in my shoe   the network is slow
money can't buy luck   I ate too much before this game   we won!   won at last   too low for me   to be or not to be
before you go, wait for me   this is our fort   go forth   I, I don't know   I... I think so   we'll see
they're all too far apart   between 1 and 100   the pile started at 100   back to 1   0 chance   100% sure
1st player, your turn   a hundred times yes   one hundred   zero luck   I have a stop and a skull   silence is coming
draw-one is the worst command   no-trick again   one-pile, ugh   seize the day   we should seize this chance
he is a teen   some elves are selfish   do it yourself   myself, himself and itself   the tension is real
intend, extend, pretend   a dozy fox mixed it up   mix it up   the civil livid ones   vivid   this is mild   I'm ill
lil bit   lol   XD   xxx   x   kisses x x   Liv is typing   vi is an editor   an xl shirt   brilliant!!!   what???
hmm...   well.......   noooooo   yesssss   haha hahaha   :-) ;) :D <o/   http://nevel.games/table
https://nevel.games   and/or   who's next?   can't we wait?   don't we all?   didn't we say so?   see even less
a tie, not a tier   even so, events happen   steven sent it   half of my hand is useless   double trouble
twice as good   both are fine   a pair of jumps   a couple of turns   the next-to-last card   my hand is half dead
you shouldn't have   it isn't over   good game, well played   gg wp   brb   ty   thanks, ty all   go for it, ty
"""

PASSED_FRENCH = """
Bonjour à tous !   salut, bonne chance   Laissez la première pile, s'il vous plaît   ne jouez pas sur la première pile
je peux sauter en arrière ici   j'ai un très bon départ   mon départ est affreux   seulement de petits pas
un grand saut arrive   c'est presque bon   très proche du sommet   que des cartes basses
je n'ai que des grosses cartes   attends une seconde   un instant   c'est le tien ou le mien ?   du tien ou du mien
à la tienne !   tiens, tiens   tiens bon   je t'en prie
je t`en prie   va-t'en   va-t-en   ne t'en fais pas   je m'en occupe
l'un d'eux doit commencer   aucun d'eux   l'une d'elles   je ne peux ni ne veux   aujourd'hui t'as de la chance
c'est fort, y a pas à dire   fort bien   en septembre   on s'ennuie   quel ennui   la lune est pleine
il y a du bronze   on fournit l'effort   une fourchette   carrefour   la vie est belle   les huîtres
ma suite est bonne   cent fois oui   mille mercis   le premier a gagné   la première fois   une autre fois
un peu trop haut   un coup pour rien   y a-t-il une autre idée ?   qu'est-ce qu'on fait ?   j'hésite…   attention !
contente de vous voir   on se détend   le patient est patient   il appartient à tous   je soutiens l'idée   bien tenté
quel entretien   laissez-la, s'il vous plaît   n'y touchez surtout pas   L'autre pile est mieux   L'as-tu vu ?
celui-ci, celui-là   si, si   dis donc   pile descendante   pile ascendante   c'est mon ordre : silence
j'ai un crâne   pioche vide   double saut   la moitié de ma main   un quart d'heure   un tiers de chance
une paire de sauts   c'est même mieux   vous avez gagné !   bravo !!   merci beaucoup   de rien   mdr   ptdr   tkt
stp   bisous   à demain   vas-y ! on te suit   non ! toi !   trop de risques   trésor   très   voix   croix   choix
prix   doux   deuil   seul   septique   neige   neveu   offense   quoi ?   quinte   quand ?   quart   tente   détente
attente   rente
"""

PASSED_DUTCH = """
Hallo allemaal!   veel succes   Laat de eerste stapel met rust   speel niet op de eerste stapel
ik kan hier achteruit   ik begin graag   mijn begin is slecht   alleen kleine stapjes alsjeblieft
er komt een grote sprong   bijna goed   heel dichtbij   alleen maar lage kaarten   ik heb enkel hoge kaarten
wacht even   wachten maar   verwacht niet te veel   dat had ik niet gedacht   goede nacht   achter mij
de achterste rij   achteruit   prachtig   een krachtige zet   aandacht graag   opdracht   macht en pracht   misschien
tiener   tieners   een tiener speelt mee   vieren we het straks?   laten we dat vieren   gevierd   bier hier
de rivier is breed   een vierkant   plezier   negeren   genegen   we kregen niets   tegen   regen en zegen   bewegen
wegens   leven   geven   even wachten   is even goed   beleven   zeker   onze beurt   dat is onze laatste kans
onze stapel is bijna vol   we spelen onze kaarten goed   dat was onze kans   ten eerste   ten slotte   ten minste
ten koste van alles   tenminste   ten opzichte van die stapel   een seconde   nog een paar seconden   een voor een
geen een   één voor allen   eentje   niemand   iemand   eenmaal, andermaal   een een   ach 't is niks
doe 't en wacht   ze 's ochtends   dat ze 's avonds spelen   'k weet het niet   'n beetje   zo'n grote sprong   elkaar
zelf   mezelf en jezelf   de helft   elfen en elfjes   elftal   tillen   huilt   huilen   driest   verdriet
bedrieg me niet   drieste   drift   tweet   tweets   twijfel   wee mij   weer   weet je   vijand   vijver   vijl
een paar kaarten   dubbel zo goed   half werk   een kwart   honderd keer ja   honderdste keer   duizend maal dank
van 1 tot 100   nul kans   netjes   net goed   en in de hand   en in het spel   een stop en een doodskop
stilte komt eraan   geen truc   trekstapel is leeg   goed gespeeld   bedankt   graag gedaan   hoi hoi   haha
ff wachten   idd   xxx   groetjes x   jaaaa   neeeee   oké dan
"""

PASSED_GERMAN = """
Hallo zusammen!   viel Glück   lasst bitte den ersten Stapel in Ruhe   nicht auf den ersten Stapel spielen
ich kann hier zurückspringen   ich fange gern an   mein Anfang ist furchtbar   nur kleine Schritte bitte
gleich kommt ein großer Sprung   fast richtig   ganz knapp   lauter niedrige Karten   ich habe nur hohe Karten
warte kurz   eine Sekunde   ein paar Sekunden   einen Moment   Achtung!   gib acht   gebt acht auf den linken Stapel
achte auf den Stapel   ich achte darauf   das müssen wir in acht nehmen   außer acht gelassen   beachte den Hinweis
einer von uns muss anfangen   keiner kann dort spielen   eine Karte mehr   eine nach der anderen   ein Stapel, na toll
ein bisschen zu hoch   ein kleiner Schritt   einzig richtig   einige von euch   allein geht es nicht   vereint
wir haben gewonnen!   das war knapp   gut gespielt   danke   bitte sehr   gern geschehen   haha
das ist mein Stapel   von 1 bis 100   null Chance   hundert Mal ja   tausend Dank   das Doppelte   die Hälfte
beide sind gut   ein paar Karten   ein Viertel fehlt   erste Karte   zuerst ich   verzeiht   verdient   schwierig
wichtig   mächtig gut   prächtig   tüchtig   richtig   flüchtig   fleißig   reisig   winzig   würzig   zügig
ich habe einen Stopp und einen Totenkopf   Schweigen kommt   kein Trick, schon wieder   zieh eine   Nachziehstapel
den Stapel lieber schonen   zu weit weg   passt nicht   passe   ich muss springen   weiter so   wie bitte?
"""

PASSED_UNICODE = """
👍🏽   🥰🥰🥰   💯   🍀   👨‍👩‍👧 are watching   🇫🇷 🇧🇪 🇳🇱   ⚀   ①   1️⃣   Ⅰ   c’est l’heure   je t’en prie
d’eux   it’s even   “no”, « non », „nee”   naïve façade, crème brûlée, cœur   été là-bas où ça
één, coördinatie, reünie   … …   ¿qué?   Привет всем   здравствуйте   Καλημέρα   ﬁne
"""


REFUSED_FOREIGN = """
treinta y siete   el tres   tengo dos   el once   veintidós
cuarenta   dieciséis   nueve   noventa y nueve   siete   ochenta   trentasette   ventidue   il due   ho tre
quarantotto   cinquanta   novantanove   diciassette   quattro   nove   il sette   sessanta
"""

#: Two words at once, a letter too many, too few, another one, or two the wrong way round.
REFUSED_MISSPELT = """
fourtytwo   fourty-two   fortytow   thrity   twnety   twnty   seevn   sevn   elevn   eigthy   ninteen   seventen
fourten   twentyseve   sixtty   seventyy   thirtyseevn   fivty   ninetyeigt   fortythre
quatrevingt   quatrvingt   quatrevingtdix   quarente   cinquannte   soixnte   trenet   qautre   soixantdix
vierenveertig   vierenveertg   viereneertig   vierenveetrig   zevenetig   twinitg   vijfitg   vijftein   drieenvijftg
één-nul   een-nul   eennul   één-één   one-zero   one-one   un-zéro   un-un
"""

REFUSED_RELATIONS = """
twenty plus three   12+30   one plus one   1 + 1   a hundred minus one   one hundred less one   100-1   cent moins un
honderd min een   one above the top card   it's one above   just one higher   one step below the top of that pile
one higher than the top   mine is one under your card   one step away from the top card   exactly one below.
juste un au-dessus du sommet   un de plus que la carte du dessus   une au-dessus de la pile   juste un plus haut !
hundert minus eins   hundert weniger eins   eins plus eins   meine ist eins über der obersten   eins höher!
eins niedriger als die oberste Karte   einen Schritt über dem Stapel   eins unter deiner Karte
één boven de bovenste   één hoger dan de bovenste kaart   eentje of een lager   een onder de stapel   één hoger
eentje hoger   eentje boven de bovenste kaart   one bigger than the top   une plus grande que la carte du dessus
één groter dan de kaart   the top plus one   top + 1   le sommet moins un   de bovenste kaart plus een   top-1
half a hundred   half of a hundred   half a century   a quarter of a hundred   la moitié de cent   un demi-siècle
half honderd   de helft van honderd   een kwart eeuw   ein halbes Hundert   die Hälfte von hundert
ein Vierteljahrhundert   die oberste plus eins
"""

PASSED_PILES = """
the third pile is mine   please spare the fourth pile   the third falling pile   not on the second pile
leave the third pile and the fourth pile   the second pile, please
la deuxième pile   la seconde pile   la troisième pile est à moi   épargnez la quatrième pile, merci
der zweite Stapel   schont bitte den dritten Stapel   der vierte absteigende Stapel   nicht auf den zweiten Stapel
de tweede stapel   laat de derde stapel met rust   de vierde dalende stapel   niet op de tweede stapel
"""

#: What a stricter referee would take for a number or a sum.
PASSED_CONTEXT = """
XL pizza   an XL pizza for everybody   pizza XL   taille XL   maat XL   du neuf   quoi de neuf ?   rien de neuf
j'apporte du neuf   un jeu tout neuf   ik acht   ik acht het onwaarschijnlijk   geef acht
neem dat in acht   vier feest
ik vier kerst bij jullie   il a mal au dos   c'est très bien   once more   at once   the bus is due   Otto plays well
trees and treats   the one above   the one below is worse   no one below   that one over there   draw one from the pile
one more card   one less problem   one card fewer   one after the other   one step at a time   one of the piles
put one on top of that   une carte de plus   encore un de plus !   l'un au-dessus de l'autre   un peu plus haut
un plus grand saut   een hoger getal past niet   nog één meer   een meer dan redelijk plan   een onderwerp apart
machtig mooi   prachtig   jachtig spel   mijn fouten   loterij vol nieten   it will heighten the tension   tighten up
a light to lighten our way   I guarantee it   a clarinet guarantee   in quarantine   inventing things   prevention
trios and duets   Sven says hello   elven bows   Trent is here   the size of it   there you go   doze off
sonnante et trébuchante   étonnante   il vint hier   je verdient een pauze   ik verdien dat   achten jullie dat waar
tros druiven   we wachten   slaan jullie over   hundred per cent   cent fois   honderd kansen
half of that hundredth pile of talk   half the pile   the other half   a quarter to win   la moitié de la pile
een halve stapel   the card or plus one   nog eentje   eentje van mij   the top card plus one more   carte plus haute
une carte plus une autre   on top one of us   top-notch
"""


def messages(*texts: str) -> list[str]:
    return [message for text in texts for message in re.split(r"\n|   ", text.strip())]


PASSED = [
    *messages(PASSED_ENGLISH, PASSED_FRENCH, PASSED_DUTCH, PASSED_GERMAN),
    *messages(PASSED_UNICODE, PASSED_PILES, PASSED_CONTEXT),
]
REFUSED = [
    *messages(REFUSED_ENGLISH, REFUSED_FRENCH, REFUSED_DUTCH, REFUSED_GERMAN),
    *messages(REFUSED_FOREIGN, REFUSED_MISSPELT, REFUSED_RELATIONS),
    *messages(REFUSED_DIGITS, REFUSED_ROMAN, REFUSED_DISGUISED, REFUSED_UNICODE),
    *REFUSED_UNSEEN,
]


@pytest.mark.clause("TG-H1")
@pytest.mark.parametrize("message", REFUSED)
def test_numbers_are_refused(message: str) -> None:
    assert fragment(message)


@pytest.mark.parametrize("message", PASSED)
def test_ordinary_talk_passes(message: str) -> None:
    assert fragment(message) == ""


@pytest.mark.parametrize(
    ("message", "read"),
    [
        ("I have thirty-seven!", "thirty-seven"),
        ("J’ai quatre-vingt-dix-neuf, non ?", "quatre-vingt-dix-neuf"),
        ("j'ai vingt et un", "vingt et un"),
        ("ik heb zeven en dertig", "zeven en dertig"),
        ("at two o'clock", "two"),
        ("see the thirtyish one", "thirtyish"),
        ("my t h i r t y, please", "t h i r t y"),
        ("it is th\u200birty", "th\u200birty"),
        ("cœur, ﬁn, ３７ !", "３７"),
        ("that is ⑫ then", "⑫"),
        ("hello ||| there", "|||"),
        ("only $1x left", "$1x"),
        ("so X L I I it is", "X L I I"),
        ("1 - 0 for us", "1 - 0"),
    ],
)
def test_the_writer_is_shown_what_was_read(message: str, read: str) -> None:
    assert fragment(message) == read


# Words by themselves.

ENGLISH = """
a able about above across act after again against ago ahead air all almost alone along already also although always am
among an and another answer any anyone anything anyway apart are area arm around as ask at ate attention away back bad
be beautiful became because become bed been before began begin behind being believe best better between big bit black
blood blue body bone book both bottom box boy bring brother brought build but buy by call came can cannot card cards
care carry case catch caught cause certain certainly chance change child children choice choose city class clear close
cold come coming common company content could country couple course cover cut dance dark day days dead deal dear death
decide deep did die different difficult do does dog done door double doubt down draw dream drink drive drop during
each early earth easy eat edge effect eighteenish eleventh else elves end enough enter even evening event events ever
every everybody everyone everything exactly example except expect eye eyes face fact fair fall falling family far fast
fat father favourite fear feel feet fell felt few field fifth fight figure file fill final find fine finger finish
fire first fish fit five floor follow food foot for force forget form fort forth found four free freight friend from
front full fun future game games gave get girl give given glad go god gold gone good got great green ground group grow
guess had hair half hand hands happen happy hard has hate have he head hear heard heart heavy height held hello help
her here hero herself hey hi high him himself his hit hold home hope horse host hot hour house how however huge human
hundred hurry hurt husband i ice idea if important in indeed inside instead into is it its itself job join jump just
keep kept key kill kind king kitten knew know known lady land large last late laugh law lay lead learn least leave led
left leg less let letter level lie life light like likely line list listen little live long look lose lost lot loud
love low luck made make man many mark matter may maybe me mean meant meet men mention middle might mild mind mine
minute miss mister mix moment money month more morning most mother mouth move much music must my myself name near
nearly need neither net network never new news next nice night no nobody none nor north nose not note nothing notice
now number of off offer office often oh okay old on once one ones only onto open or order other others ought our ours
out outside over own page pain paper part party pass past patience patient pay pen people perhaps person piano pick
piece pile piles place plan play player players please point poor possible power present pretty problem promise public
pull put quarter queen question quick quiet quite rain raise ran rather reach read ready real really reason red
remember rest return rich ride right rise rising risk river road rock room round rule run sad safe said same sat save
saw say school score sea seat second seconds see seed seem seen seize self sell send sense sent set several shall she
ship short should show shut sick side sight sign silence silent simple since sing sister sit six size skull sky sleep
slow small smile so some somebody someone something sometimes son song soon sorry sort sound south speak spot stand
star start state stay step steps still stone stop story straight strange street strong such sudden suit summer sun
sure surprise sweet table take talk tall teen tell ten tend tennis tense tent tension than thank thanks that the their
them themselves then there these they thing things think third this those though thought thousand three threat threw
through throw thus tie tight till time tired to today together told tomorrow tonight too took top touch towards town
tree trick trouble true trust truth try turn twenty twice two type under understand until up upon us use usual very
voice wait walk wall want war warm was watch water way we weak wear week weight well went were west what whatever when
where whether which while white who whole whom whose why wife will win wind window wish with within without woman won
wonder word work world worry worse worst worth would write wrong yard year yellow yes yesterday yet you young your
yours yourself
"""
ENGLISH_NUMBERS = {
    *("eighteenish", "eleventh", "fifth", "five", "four", "six", "ten", "third", "three", "twenty", "two"),
    "seize",  # French for 16, unless something is seized
}

FRENCH = """
à abandon abord absolument accepter accord acheter adieu affaire afin ai aide aimer ainsi air ait aller allez allons
alors ami amis amour amusant an ancien année ans août appeler apporter apprendre après argent arme arrêt arrête
arrière arriver as assez atout attaque attend attendez attends attention au aucun aucune aujourd'hui auprès aura
aurait aussi autant autour autre autres aux avais avait avance avant avec avenir avez avis avoir avons bah bas
bataille bateau beau beaucoup bébé belle besoin bête bien bientôt bizarre blague blanc bleu boire bois boîte bon
bonjour bonne bonsoir bout bouteille bras bravo bronze bruit ça cadeau café calme capitaine car carte cartes cas cause
ce ceci cela celle celui cent centre certain ces cet cette ceux chacun chaise chambre chance changer chaque chaud chef
chemin cher chercher cheval chez chien choisir choix chose choses ciel cinq clair classe clé coeur coin combien comme
commence commencer comment compagnie comprendre compte confiance connais contact content contre copain corps côté coup
coupe courage cours court coûte croire crois croix cru d'abord d'accord d'eux danger dans de début décide déjà dehors
demain demander demi départ depuis dernier derrière des désolé dessous dessus détente deux deuxième devait devant
devenir devoir devrait dieu différent difficile dimanche dire dis dit dix docteur doigt dois doit donc donne donner
dont dormir dos double doucement doute doux droit drôle du dur eau écoute effet église eh elle elles emploi en encore
enfant enfants enfin ennui ensemble ensuite entendre entendu entre entretien envie envier environ es espère esprit
essayer est et étage étaient était étant état été être eu euh eux évident exact excellent excuse exemple facile façon
faim faire fais fait faites famille fantastique faut faute faux femme fenêtre fermer fête feu fil fille film fils fin
fini finir foi fois force forme fort fou four fournir frère froid garçon garde gars gauche genre gens gentil glace
grand grande gros groupe guerre habitude haut hein heure heures heureux hier histoire homme hommes honneur hors hôtel
huile huître ici idée il ils imagine impossible inquiet inquiète instant intéressant jamais jambe jardin je jeu jeune
jeux joie joli jouer joueur joueurs jour journée jours juge jusqu'à juste l'air la là laisse laisser laquelle le leçon
lequel les lettre leur leurs libre lieu ligne lire lit livre loi loin long lorsque lui lumière lune ma madame main
mains maintenant mais maison maître mal malade malgré maman manger manque marche mari matin mauvais me médecin
meilleur même mer merci mère merveilleux mes message mesure mettre midi mieux milieu mille mien mine minute minutes
moi moins mois moitié moment mon monde monsieur montre mort mot mots mourir moyen mur musique n'est naturel ne
nécessaire neige neuf ni niveau noir nom nombre non nord nos notre nôtre nous nouveau nuit numéro objet occasion oeil
offre oh on onze ont ordre oreille ou où oublier oui ouvert paix papa papier par parce pardon pareil parents parfait
parfois parle parler parmi part partie partir partout pas passé passer patience pauvre payer pays peau peine pendant
penser perdre perdu père personne petit petite petits peu peur peut peux photo pièce pied pierre pile piles pioche
pire place plaisir plan plein pleurer plupart plus plutôt point police porte porter possible pour pourquoi pourrait
pourtant pouvoir première premier prendre près presque preuve prie prier prince prison prix problème prochain
professeur promets propos propre pu puis puisque qu'il qualité quand quant quart quartier quatre que quel quelle
quelqu'un quelque question qui quitter quoi raison rapide rappelle rapport recevoir regard regarder règle règles reine
rendre rentrer repos reste rester retard retour retrouver réveil revenir rêve revoir rien risque robe roi rouge route
rue s'il sa sac sais salle salut sang sans santé sauf saut sauter sauver savoir se seconde secondes secours secret
seigneur selon semaine semble sens sentir sept septembre sera serait sérieux sert service ses seul seule seulement si
silence simple six société soeur soif soin soir sois soit soleil sommes somme son sont sorte sortir soudain souhaite
sous soutien souvenir souvent soyez suffit suis suite suivant sujet sur sûr surprise surtout ta table tant tard te tel
téléphone tellement temps tenir tente terre tes tête théâtre tien tienne tiens tient tirer toi tomber ton tôt toucher
toujours tour tous tout toute toutes train tranquille travail très triste trois trop trou trouver truc tu tuer un une
utile va vaut vais vas vendre venir vent ventre vérité verre vers veut veux vie vieille vieux vif ville vin vingt vis
visage vite vivre voici voie voilà voir vois voisin voiture voix vol vos votre vôtre voudrais vouloir vous voyage vrai
vraiment vu yeux
"""
FRENCH_NUMBERS = {
    *("cinq", "deux", "deuxième", "dix", "quatre", "sept", "six", "trois", "vingt"),
    *("neuf", "four"),  # new and an oven too
    *("onze", "tien"),  # 11, and Dutch for 10: yours only after le, du, au
}

DUTCH = """
aan aandacht aangezien aantal aardig acht achter achteren achteruit achten af afgelopen afspraak al algemeen alle
alleen allemaal alles als alsjeblieft alsof altijd ander andere anders angst antwoord arm auto avond baan baas bang
basis bed bedankt bedoel bedoelt bedriegen beetje begin beginnen begint begrijp begrijpen behalve beide beiden bekend
bel belangrijk beleven ben beneden bent berg best beste bestaat beter betekent beurt bewegen bezig bier bij bijna
bijvoorbeeld binnen blij blijf blijven bloed bloem boek bom boos bord boven brand breed brengen brief broer broek
brood bruin buiten buurt daar daarom daarna dacht dag dagen dan dank dankzij dat de deel deed denk denken derde deur
deze dicht dichtbij die diep dier dieren ding dingen direct dit dochter doe doel doen doet dom donker dood doodskop
door draai drie drift drinken droom druk dubbel duidelijk durf dus duur echt echter een één eens eentje eerder eerlijk
eerste eeuw eigen eigenlijk eind einde eisen elf elfen elftal elk elkaar elke en enig enige enkel er erg ergens erin
ernstig eruit ervan eten even feest fijn film fout gaan gaat gang gebeld gebeurd gebeuren gebeurt gebouw gebracht
gebruik gedaan gedacht gedachten geef geeft geen gegeven geheim gek geld geleden geloof geluk gelukkig gelijk gemaakt
gemakkelijk genegen genoeg gesprek geval gevaar geven gevierd gevoel gewoon gezegd gezellig gezicht gezien ging glas
god goed goede goeie graag grap groen groep groot grote grond haal haar had halen half hallo hand handen hard hart heb
hebben hebt heeft heel heen heer heerlijk heet hele helemaal helft help helpen hem hen herinner het hetzelfde hield
hier hij hoe hoek hoeft hoeveel hoewel hoi hond honderd hoofd hoog hoop hoor horen hou houd houden huilen huilt huis
hulp hun idee ieder iedereen iemand iets ijs ik in indien is ja jaar jammer jarig je jezelf jij jong jongen jouw juist
jullie kaart kaarten kamer kan kans kant kapot keer kennen kent keus kies kiezen kijk kijken kind kinderen klaar klein
kleine kleren klinkt klok klopt knap koffie kom komen komt kon koning kop kort kosten koud kracht kreeg kregen krijg
krijgen kun kunnen kunt kwaad kwam kwart kwijt laag laat laatste lach lag lage land lang langs later laten leeg leer
leg leggen lekker leren leuk leven lezen licht lief liever liep lijkt links loop lopen los lucht luck lukt luister
luisteren maak maakt maal maand maar maat macht mag maken man manier me mee meer meest meestal meisje meneer mens
mensen mes met meteen mezelf middag midden mij mijn min minder minst minuten mis misschien mocht moe moeder moeilijk
moest moet moeten mogelijk mogen moment mond mooi morgen muur na naam naar naast nacht natuurlijk nauwelijks nee neem
neemt negen negeren nek nemen nergens net netjes niemand niet niets nieuw nieuwe nieuws nodig nog nooit nou nu nul of
ogen okay om omdat omhoog omlaag onder ondertussen ongeluk ongeveer onmogelijk ons onze onzeker ooit ook oog oom op
opa opdracht open opeens opnieuw oud ouders over overal paar paard pakken pas patiënt per pijn plaats plan plezier
ploeg plotseling politie poot praat prachtig praten precies prima proberen probleem punt raar raken recht rechts reden
regel regels regen reis rest rijden rivier rode roep rond rood rug rust rustig samen schat schoen school schrijf
schuld seconde seconden september sinds slaap slapen slecht sleutel slim sluit snap snel soms soort speel spelen
speler spelers spel spijt spreek sprong staan staat stad stapel stapels stap stapje steeds stem ster sterk stil stilte
stoel stop straat straks sturen succes taal tafel tante te tegen tegenover telefoon ten tenminste tent terug terwijl
thuis tien tiener tijd tijdens til tillen toch toe toen tot trek trekken trekstapel trots trouwens truc tuin tussen
twaalf twee tweede twijfel uit uiteindelijk uiteraard uur vaak vader vak val vallen van vanaf vanavond vandaag
vanmorgen vannacht vast veel veilig ver veranderen verder verdriet verdrietig vergeet vergeten verhaal verkeerd
verleden verloren vers verschil verstaan verstand vertel vertellen vertrouw verwacht verwachten vier vieren vijand
vijf vijver vind vinden vindt vinger vlak vlug voel voelen voelt vol volgen volgende volgens voor vooral voorbij
voorzichtig vraag vragen vreemd vriend vrienden vrij vroeg vrouw vuur waar waarheid waarom waarschijnlijk wacht
wachten wakker wanneer want war warm was wat water we wee week weer weet weg wegens weinig weken wel welk welke wereld
werk werken weten wie wij wil wilde willen wilt winnen wist woord word worden wordt wou zag zak zal ze zee zeer zeg
zegen zeggen zegt zei zeker zelden zelf zelfde zelfs zes zet zetten zeven zich zichzelf zie ziek zien ziet zij zijn
zin zit zitten zo zoals zodat zoek zoeken zoiets zolang zomaar zon zonder zoon zorg zou zouden zuid zult zus zwaar
zwart zwijg
"""
DUTCH_NUMBERS = {
    *("derde", "drie", "negen", "tien", "twaalf", "twee", "tweede", "vier", "vijf", "zes", "zeven"),
    *("acht", "elf"),  # attention and an elf too
    *("onze", "ten"),  # French for 11 and English for 10: our only before a word, ten only in set phrases
}

GERMAN = """
ab abend aber abgeben acht achte achtung alle allein allerdings alles als also alt am an andere anderen anders anfang
anfangen angst ankommen antwort arbeit arm art auch auf aufgabe aufpassen auge augen aus ausgezeichnet außer außerdem
auto bald bank bauen baum bedeuten bedeutet beeilen beginn beginnen bei beide beiden beim bein beispiel bekannt
bekommen bereit berg besonders besser best beste besten bestimmt betrifft bett bevor bewegen bier bild bin bis bisher
bist bitte blatt blau bleib bleiben bleibt blick blitz blume boden brauche brauchen brauchst braucht brav breit brief
bringen brot bruder brücke buch böse da dabei dach dachte dafür dagegen daher dahin damals damit danach daneben dank
danke dann daran darauf daraus darf darfst darin darum darunter das dass dauern davon dazu decken dein deine deinen
deiner dem den denen denke denken denn der deren des deshalb dessen dich dicht die dieb dies diese diesem diesen
dieser dieses ding dinge dir direkt doch dort draußen drehen drei dreißig drin dritte drunter drüben du dumm dunkel
durch durchaus dürfen eben echt ecke egal ehe ehrlich eigen eigene eigentlich eilig ein eine einem einen einer eines
einfach einig einige einmal einverstanden einzeln einzig einzige elf ende endlich eng entdecken entfernt entscheiden
entscheidung entschuldigung entweder er erde erfolg erinnern erkennen erklären erlauben erst erste ersten erster
erwarten es essen etwa etwas euch euer eure ewig fahren fall fallen falsch familie fand fangen farbe fast fehler fehlt
feind fenster fern fertig fest feuer finde finden findet finger fleißig fliegen flüchtig folgen frage fragen frau frei
fremd freude freuen freund freunde freut frisch froh früh früher furchtbar fuß fällt fühlen füllen fünf für gab gabel
ganz ganze ganzen gar garten gast geben gebracht geduld gefahr gefährlich gefällt gegen gegenüber geheim gehen geht
gehört geist gelb geld gelegt gemacht gemein genau genug gerade gerecht gern gerne gesagt geschafft geschenk
geschichte gesehen gesicht gespielt gestern gesund gewesen gewinn gewinnen gewinnt gewiss gewonnen gib gibt ging glas
glaube glauben gleich glück glücklich gold gott grad groß große großen grund gruppe grün gut gute guten guter haar hab
habe haben habt halb halt halten hand hart hast hat hatte hatten haus heb hebe heben heißt helfen hell her heraus herr
herz heute hier hilfe himmel hin hinaus hinten hinter hinweis hoch hoffe hoffen hoffentlich hoffnung hohe holen hund
hunger hurra hänge hätte hätten höher hören ich idee ihm ihn ihnen ihr ihre im immer in indem ins ist ja jahr jahre je
jede jedem jeden jeder jedes jedoch jemand jetzt jung junge kalt kam kann kannst kante kaputt karte karten kaum kein
keine keinen keiner kennen kind kinder klar klasse klein kleine kleinen klug knapp komisch komme kommen kommt konnte
kopf kraft krank kriegen kurz können könnte lachen land lang lange langsam lass lassen laut leben leer legen leicht
leid leider leise letzte letzten leute licht lieb liebe lieber liegen liegt links los luft lust lustig lächeln mach
mache machen macht mag mal man manche manchmal mann meer mehr mein meine meinem meinen meiner meinst meist meisten
meistens mensch menschen merken mich milch minute minuten mir mit mitte moment mond morgen mund muss musst mut mutter
mächtig möchte mögen möglich möglichst müde müssen nach nachdem nachher nacht nah nahe name natürlich neben nehmen
nein nett neu neue neuen neues neun nicht nichts nie niedrig niemand nimm nimmt nirgends noch null nummer nun nur
nämlich nötig ob oben obere oder offen oft ohne ohr okay oma opa opfer ordnung ort paar papier partie passen passiert
passt pause pech perfekt person pflicht platz plötzlich prima probieren problem prächtig prüfen punkt quatsch rate
raten recht rechts reden regel regeln reicht reihe reisig rest retten richtig riesig ring rot rufen ruhe ruhig rund
rücken sache sachen sag sage sagen sagst sagt schade schaffe schaffen schatten schau schauen schenken schicken schief
schlafen schlagen schlecht schlimm schluss schmal schnell schon schonen schreiben schritt schritte schuld schule
schwach schwarz schwer schwester schwierig schwimmen schön sechs see sehe sehen sehr sei seid sein seine seit seite
sekunde sekunden selber selbst selten setzen sich sicher sicherlich sie sieben siehst sieht sind singen sinn sitzen so
sofort sogar sollen sollte sollten sommer sondern sonne sonst sorge sorgen spannend spar sparen spaß spiel spiele
spielen spieler spielst spielt sprechen springen sprung spät später stadt stapel stark stehen steht stein stelle
stellen sterben stern still stille stimmt stopp straße strecke streng stunde stück suche suchen süß tag tage tasche
tat teil teilen teuer tief tier tisch toll ton tot tragen traum traurig treffen trick trinken trotzdem tun turm tür
uhr um und ungefähr unmöglich uns unser unsere unten unter unwichtig vater verboten verdammt verdienen verdient
vergessen vergiss verliebt verlieren verloren verraten verrückt verstand verstehe verstehen versuche versuchen verzeih
verzeihen verzeihung viel viele vielen vielleicht vier volk voll vom von vor voran vorbei vorher vorne vorschlag
vorsicht vorsichtig völlig wach wahl wahr wahrheit wahrscheinlich wand wann war warm warte warten warum was wasser weg
wegen weh weil wein weiß weißt weit weiter weiterhin welche welt wem wen wenig weniger wenn wer werde werden werfen
wert weshalb wetter wichtig wichtiger wie wieder wiesehen will willst wind winzig wir wird wirklich wissen witzig wo
woche wohin wohl wollen wollte wort worte wunder wunderbar wählen während wünschen würde würden würzig zahl zehn
zeichen zeigen zeit zeitig ziehen ziel ziemlich zimmer zu zuerst zufall zug zuhören zuletzt zum zur zurück zusammen
zusehen zuviel zwanzig zwar zwei zweifel zweite zwingen zwischen zwölf zügig ähnlich über überall überhaupt übrig
"""
GERMAN_NUMBERS = {
    *("acht", "achte", "drei", "dreißig", "dritte", "elf", "fünf", "neun", "sechs", "sieben", "vier"),
    *("zehn", "zwanzig", "zwei", "zweite", "zwölf"),
}


@pytest.mark.parametrize(
    ("words", "numbers"),
    [(ENGLISH, ENGLISH_NUMBERS), (FRENCH, FRENCH_NUMBERS), (DUTCH, DUTCH_NUMBERS), (GERMAN, GERMAN_NUMBERS)],
    ids=["en", "fr", "nl", "de"],
)
def test_of_common_words_only_numbers_are_refused(words: str, numbers: set[str]) -> None:
    listed = words.split()
    assert len(listed) > 500
    for say in (str, str.capitalize, str.upper):
        assert {word for word in listed if fragment(say(word))} == numbers


def harmless_sentences(words: str, numbers: set[str]) -> st.SearchStrategy[str]:
    """Common words in any order, each once; 1 said twice would be 11. By chance, one might come before above."""
    common = sorted(set(words.split()) - numbers - {"one", "un", "une", "een", "één", "ein", "eine", "eins"})
    endings = st.sampled_from([".", "!", " !", "?", "...", "", " :)"])
    pauses = st.sampled_from([" ", " ", " ", ", ", "; ", " - ", "... "])
    return st.builds(
        lambda said, pause, ending: (pause.join(said) + ending).capitalize(),
        st.lists(st.sampled_from(common), min_size=1, max_size=12, unique=True),
        pauses,
        endings,
    )


HARMLESS = st.one_of(
    harmless_sentences(ENGLISH, ENGLISH_NUMBERS),
    harmless_sentences(FRENCH, FRENCH_NUMBERS),
    harmless_sentences(DUTCH, DUTCH_NUMBERS),
    harmless_sentences(GERMAN, GERMAN_NUMBERS),
)


@settings(deadline=None)
@given(HARMLESS, HARMLESS)
def test_sentences_of_common_words_pass(earlier: str, sentence: str) -> None:
    assert fragment(sentence, [earlier]) == ""


# Every number, spelled here without the library that the referee asks.

ENGLISH_SMALL = (
    *("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
ENGLISH_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
FRENCH_SMALL = (
    *("", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"),
    *("treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"),
)
FRENCH_TENS = ("", "", "vingt", "trente", "quarante", "cinquante", "soixante")
DUTCH_SMALL = (
    *("", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf"),
    *("dertien", "veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien"),
)
DUTCH_TENS = ("", "", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig")


GERMAN_SMALL = (
    *("", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
    *("dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"),
)
GERMAN_TENS = ("", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")


def in_english(number: int) -> str:
    if number < 20:
        return ENGLISH_SMALL[number]
    return "-".join(filter(None, (ENGLISH_TENS[number // 10], ENGLISH_SMALL[number % 10])))


def in_french(number: int) -> str:
    if number < 20:
        return FRENCH_SMALL[number]
    if number == 80:
        return "quatre-vingts"
    if number > 80:
        return f"quatre-vingt-{FRENCH_SMALL[number - 80]}"
    tens = min(number // 10, 6)
    rest = number - 10 * tens
    link = " et " if rest in (1, 11) else "-"
    return FRENCH_TENS[tens] + (link + FRENCH_SMALL[rest] if rest else "")


def in_belgian(number: int) -> str:
    if number < 70 or 80 <= number < 90:
        return in_french(number)
    rest = number % 10
    return ("septante" if number < 80 else "nonante") + (
        " et un" if rest == 1 else f"-{FRENCH_SMALL[rest]}" if rest else ""
    )


def in_dutch(number: int) -> str:
    if number < 20:
        return DUTCH_SMALL[number]
    unit, tens = DUTCH_SMALL[number % 10], DUTCH_TENS[number // 10]
    return f"{unit}{'ën' if unit.endswith('e') else 'en'}{tens}" if unit else tens


def in_german(number: int) -> str:
    if number < 20:
        return GERMAN_SMALL[number]
    unit, tens = GERMAN_SMALL[number % 10], GERMAN_TENS[number // 10]
    return f"{unit}und{tens}" if unit else tens


CARDS = range(2, 100)
SPEAKERS = (in_english, in_french, in_belgian, in_dutch, in_german)
SPELLINGS = sorted({speak(number) for speak in SPEAKERS for number in CARDS})


@pytest.mark.parametrize("speak", SPEAKERS)
def test_every_number_is_read_whole_with_and_without_hyphens(speak: Callable[[int], str]) -> None:
    for number in CARDS:
        spelling = speak(number)
        for written in (spelling, spelling.replace("-", " "), spelling.replace("-", "").replace(" ", "")):
            assert fragment(f"({written})") == written


def test_every_number_of_more_than_three_letters_is_read_backwards() -> None:
    for spelling in SPELLINGS:
        if len(spelling) > 3:
            assert fragment(f"ok {spelling[::-1]} ok"), spelling


def test_numbers_cut_in_two_are_refused_unless_both_parts_are_words() -> None:
    passed = {
        f"{spelling[:cut]} {spelling[cut:]}"
        for spelling in SPELLINGS
        if spelling.isalpha()
        for cut in range(1, len(spelling))
        if not fragment(f"so {spelling[:cut]} {spelling[cut:]} ok")
    }
    assert passed == {"t en", "te n", "s even", "for ty", "fort y", "ni ne", "d eux", "hui t", "ze s", "ach t"}
    # Unless there is nothing else, or no space.
    for parts in passed:
        assert fragment(parts) == parts
        assert fragment(parts.replace(" ", "-")) == parts.replace(" ", "-")


# Numbers in disguise.

SENTENCES: dict[Callable[[int], str], tuple[str, ...]] = {
    in_english: ("I think I have {} here", "{}", "please, {}, everyone", "would {} help?"),
    in_french: ("je crois que j'ai {} ici", "{}", "peut-être {}, les amis", "et {} sur la pile ?"),
    in_belgian: ("je crois que j'ai {} ici", "{}", "peut-être {}, les amis", "et {} sur la pile ?"),
    in_dutch: ("ik denk dat ik {} heb", "{}", "misschien {}, mensen", "helpt {} daar?"),
    in_german: ("ich glaube, ich habe {} hier", "{}", "vielleicht {}, Leute", "hilft euch {} da?"),
}
SEPARATORS = ("", " ", "-", ".", "_", "*", "~", " . ", "…", "\u200b", "\u00ad")
SIGNS = {"o": "0", "i": "1!|", "l": "1|", "s": "$§", "a": "@", "t": "+", "e": "€"}
#: Each letter with its doubles.
LOOKALIKES = {
    letter: doubles
    for letter, *doubles in (
        *("aаαａ", "cсｃ", "dԁｄ", "eеεｅ", "fƒｆ", "gɡｇ", "hһｈ", "iіıι", "jјｊ", "lӏł", "nոηｎ"),
        *("oоοø", "qԛｑ", "rгｒ", "sѕｓ", "tтτｔ", "uυｕ", "vνѵ", "wԝｗ", "xхχ", "yуүｙ", "zｚ𝐳"),
    )
}


@st.composite
def disguised(draw: st.DrawFn, spelling: str) -> str:
    """A spelling with other letters, signs, accents, cases and separators; all of it still legible."""
    is_signed = draw(st.booleans())
    is_stretched = draw(st.booleans())
    separator = draw(st.sampled_from(SEPARATORS))
    letters: list[str] = []
    for letter in spelling:
        shapes = [letter, letter.upper(), *LOOKALIKES.get(letter, ""), *(SIGNS.get(letter, "") if is_signed else "")]
        shape = draw(st.sampled_from(shapes))
        if shape.isalpha():
            shape += draw(st.sampled_from(["", "", "\u0301", "\u0336", "\u200d"]))
        letters += [shape] * (3 if is_stretched and letter.isalpha() and shape.isalpha() and draw(st.booleans()) else 1)
    return separator.join(letters)


@settings(deadline=None)
@given(st.data(), st.sampled_from(SPEAKERS), st.sampled_from(CARDS))
def test_words_are_refused_in_any_disguise(data: st.DataObject, speak: Callable[[int], str], number: int) -> None:
    written = data.draw(disguised(speak(number)))
    assert fragment(data.draw(st.sampled_from(SENTENCES[speak])).format(written)), written


ZEROS = "0٠۰०০๐０𝟎𝟘𝟬𝟶"


@settings(deadline=None)
@given(
    st.sampled_from(CARDS),
    st.sampled_from(ZEROS),
    st.sampled_from([*SEPARATORS, "\ufe0f\u20e3", " + ", "/", ":", "("]),
    st.sampled_from(SENTENCES[in_english]),
)
def test_digits_are_refused_in_any_script(number: int, zero: str, separator: str, sentence: str) -> None:
    digits = [chr(ord(zero) + int(digit)) for digit in str(number)]
    assert fragment(sentence.format(separator.join(digits)))


@settings(deadline=None)
@given(st.integers(min_value=0))
def test_of_all_numbers_in_digits_only_the_ends_of_the_piles_pass(number: int) -> None:
    assert bool(fragment(f"so {number} then")) == (number not in (0, 1, 100))


# Message by message.


@pytest.mark.parametrize(
    ("recent", "message"),
    [
        (["thir"], "ty"),
        (["my card is thir"], "ty, you know"),
        (["th", "ir"], "ty"),
        (["t", "h", "i", "r", "t"], "y"),
        (["q", "u", "a", "t", "o", "r", "z"], "e"),
        (["s"], "even"),
        (["for"], "ty"),
        (["ne"], "uf"),
        (["ze"], "ven"),
        (["1"], "0"),
        (["1"], "1"),
        (["I have 1"], "0 or so"),
        (["one"], "zero"),
        (["un"], "zéro"),
        (["n", "e", "v", "e"], "s"),
        (["x" * 300 + " thir"], "ty"),
        (["hello", "se"], "ven"),
        (["I", "I"], "I"),
    ],
)
def test_a_number_told_bit_by_bit_is_refused_with_its_last_bit(recent: list[str], message: str) -> None:
    for said, bit in enumerate(recent):
        assert fragment(bit, recent[:said]) == ""
    assert fragment(message) == ""
    assert fragment(message, recent)


@pytest.mark.parametrize(
    ("recent", "message"),
    [
        (["is"], "even that too much?"),
        (["thir"], "no, I mean: ty"),
        (["go for it"], "ty"),
        (["what are we waiting for"], "ty for asking"),
        (["je t'attends"], "en avant"),
        (["that one"], "one of us must"),
        (["that one"], "zero risk"),
        (["between 1"], "and 100"),
        (["0"], "1"),
        (["ten"], "what a pity"),  # judged then; this is another message
        (["37", "ok"], "sorry"),
    ],
)
def test_messages_that_only_follow_each_other_pass(recent: list[str], message: str) -> None:
    assert fragment(message, recent) == ""


# Games and silence.


def test_what_may_be_counted_is_the_games_to_say() -> None:
    check("leave the third pile", TALK, None)
    with pytest.raises(ChatRefusedError, match="third"):
        check("leave the third pile", TALK._replace(harmless=None), None)


@pytest.mark.clause("EX-I2")
@pytest.mark.parametrize("message", ["hello", "37", "…"])
def test_silence_silences_everything_in_extreme(message: str) -> None:
    with pytest.raises(ChatRefusedError) as refused:
        check(message, TALK, CLAUSES["EX-I2"])
    assert refused.value.clause == CLAUSES["EX-I2"]
    assert refused.value.fragment == ""
    assert str(refused.value) == CLAUSES["EX-I2"].sentence(nevel.language("en"))


@pytest.mark.clause("TG-H1", "EX-H1")
@pytest.mark.parametrize("game", ["the-game", "extreme"])
def test_numbers_break_the_same_clause_in_both_games(game: str) -> None:
    check("I hold a stop and a skull", talk_of(game), None)
    with pytest.raises(ChatRefusedError) as refused:
        check("my stop is the forty-two", talk_of(game), None)
    assert refused.value.clause == CLAUSES["TG-H1"]
    assert refused.value.fragment == "forty-two"


JUMPS_BACK = """
I can jump back here   i can jump back on this pile   I could jump backwards there   can you jump back on this one?
could anybody leap back?   I'll jump back in a moment   we can jump right back   I have a backwards trick
I've the jump back   Je peux sauter en arrière ici
je peux sauter en arrière   pouvez-vous sauter en arrière ?   tu peux sauter en arriere ?
on peut sauter en arrière   j'ai un saut en arrière   Hier kan ik achteruit   ik kan hier achteruit
kun je hier achteruit?   kan iemand op deze stapel achteruit   ik kan hier terugspringen   ik heb een achteruittruc
ich kann hier zurückspringen   hier könnte ich zurückspringen   kannst du da rückwärts?   ich kann rückwärts springen
ich habe einen Rückwärtstrick   koennte jemand auf dem linken Stapel zurueckspringen?   Rückwärtstrick möglich!
I cаn jump bаck hеre   JE PEUX SAUTER EN ARRIERE   jump back possible   backwards trick here!   je peux reculer ici
saut en arrière possible   achteruittruc mogelijk op deze stapel
"""

#: Nothing in it tells a card.
NO_JUMPS_BACK = """
I can't jump back here   I can not jump back   we can never jump back   nice jump back!
that was a jump back, well done   no-trick again   no jump back here   no backwards trick possible
pas de saut en arrière ici   je ne peux plus reculer   geen achteruittruc hier
I can go back to work soon   be right back   the falling pile is in danger   a big jump is coming
je ne peux pas sauter en arrière   on ne peut plus sauter en arrière   quel saut en arrière !   un grand saut arrive
ik kan niet achteruit   hier kan ik niet achteruit   mooie sprong achteruit   er komt een grote sprong   ik kom zo terug
ich kann nicht zurückspringen   hier kann ich nirgends zurückspringen   schöner Rückwärtstrick   ich bin gleich zurück
ich kann erst später zurückkommen   gleich kommt ein großer Sprung
Please leave the first pile alone   small steps only, please   I'd like to start   ik begin graag   petits pas
"""


def game_with(open_tricks: int, name: str = "the-game") -> Game:
    return nevel.new(name, seats=3, seed=1, open_tricks=open_tricks)


@pytest.mark.clause("TG-H1", "TG-V2")
@pytest.mark.parametrize("message", messages(JUMPS_BACK))
def test_a_jump_back_is_told_with_open_tricks_only(message: str) -> None:
    """Ten from the top is one card; the players may agree to say it."""
    for name in ("the-game", "extreme"):
        with pytest.raises(ChatRefusedError) as refused:
            check_at(game_with(0, name), message)
        assert refused.value.clause == CLAUSES["TG-H1"]
        check_at(game_with(1, name), message)


def test_a_jump_back_told_in_two_messages_is_told() -> None:
    with pytest.raises(ChatRefusedError) as refused:
        check_at(game_with(0), "jump back here", ["well, I can"])
    for code, sentence in (
        ("en", "“I can jump back” tells a card."),
        ("fr", "«\u00a0I can jump back\u00a0» désigne une carte."),
        ("nl", "“I can jump back” verraadt een kaart."),
        ("de", "„I can jump back“ verrät eine Karte."),
    ):
        assert refused.value.sentence(nevel.language(code)).startswith(sentence)
    check_at(game_with(0), "sorry", ["I can jump back here"])


@pytest.mark.parametrize("message", messages(NO_JUMPS_BACK))
def test_who_cant_jump_back_or_has_may_say_so(message: str) -> None:
    check_at(game_with(0), message)


@pytest.mark.parametrize("game", ["what-the-fog", "misty"])
def test_other_games_have_nothing_to_hide_in_numbers(game: str) -> None:
    assert find(game).talk is None


def test_a_refusal_shows_the_fragment_and_the_clause_in_every_language() -> None:
    sentences: set[str] = set()
    for code in LANGUAGES:
        language = nevel.language(code)
        number = ChatRefusedError(CLAUSES["TG-H1"], "tw{o}").sentence(language)
        assert "tw{o}" in number
        assert number.endswith(f"{CLAUSES['TG-H1'].sentence(language)} (TG-H1)")
        silence = ChatRefusedError(CLAUSES["EX-I2"]).sentence(language)
        assert silence == f"{CLAUSES['EX-I2'].sentence(language)} (EX-I2)"
        sentences |= {number, silence}
    assert len(sentences) == 2 * len(LANGUAGES)


# Cleaning.


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  hello  ", "hello"),
        ("hello\n\n\tthere\r\nyou", "hello there you"),
        ("e\u0301te\u0301", "été"),
        ("a\u00a0b\u2003c", "a b c"),
        ("\u202eyas\u202c it\u200e", "yas it"),
        ("👨‍👩‍👧 ❤️", "👨‍👩‍👧 ❤️"),
        ("\U0001fae8", "\U0001fae8"),  # younger than the Unicode of Python 3.11
        ("３７", "３７"),
        ("x" * LONGEST, "x" * LONGEST),
        ("e\u0301" * LONGEST, "é" * LONGEST),
        (" " * 10_000 + "x", "x"),
    ],
)
def test_a_message_is_shown_on_one_line(written: str, shown: str) -> None:
    assert clean(written) == shown
    assert clean(shown) == shown


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("", "message is empty"),
        (" \n\t ", "message is empty"),
        ("\u200b\u200d\ufeff", "message is empty"),
        ("\u202e", "message is empty"),
        ("\u0301", "message is empty"),
        ("x" * (LONGEST + 1), f"at most {LONGEST} characters; this one has {LONGEST + 1}"),
        ("a\x00b", "can't be displayed"),
        ("\x1b[31mred", "can't be displayed"),
        ("a\x7f", "can't be displayed"),
        ("\ud83d", "can't be displayed"),
    ],
)
def test_a_message_that_cant_be_shown_is_refused_with_a_reason(written: str, says: str) -> None:
    with pytest.raises(SpokenError, match=says) as refused:
        clean(written)
    assert not isinstance(refused.value, ChatRefusedError)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_cleaning_and_checking_never_fail_in_another_way(text: str) -> None:
    try:
        shown = clean(text)
    except SpokenError:
        return
    assert shown == unicodedata.normalize("NFC", shown).strip()
    read = fragment(shown, [shown])
    assert read in shown or read in f"{shown} {shown}"


# Work.

HOSTILE = {
    name: (text * LONGEST)[:LONGEST]
    for name, text in {
        "one letter": "s ",
        "one letter, doubled": "ss ",
        "nearly a number": "s e v e ",
        "nearly a long number": "c i n q u a n t ",
        "nearly a number, in words": "soixant ",
        "beginnings": "t th thi thir thirt ",
        "innocent neighbours": "t en s even d eux ",
        "excused words": "wij onze ",
        "one long word": "thirtthirt",
        "one and signs": "1" + "!?" * LONGEST,
        "signs": "!|$@+",
        "zeros": "0",
        "zeros apart": "0 ",
        "pronouns": "I ",
        "Roman hundreds": "C-I-C-I'",
        "slashes": "/ x",
        "accents": "e" + "\u0301" * LONGEST,
        "characters never seen": "".join(chr(0x4E10 + 7 * index) for index in range(LONGEST)),
    }.items()
}
#: Lines of the referee's own code that a character may cost. In ordinary talk it is about three.
MOST_LINES = 40


def lines_executed(text: str, recent: Sequence[str]) -> int:
    """How many lines of the referee run for a message it has never seen. Counted, since time depends on the machine."""
    for cached in (referee_characters.seen, referee_words.skeleton, referee_words.has_number):
        cached.cache_clear()
    folder = str(Path(referee.__file__).parent)
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(folder):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        fragment(text, recent)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_message_makes_the_referee_work_long(text: str) -> None:
    short = lines_executed(text, [text] * 20)
    assert short < MOST_LINES * LONGEST
    # Twice the text is twice the work, not four times.
    assert lines_executed(text * 2, [text] * 20) < 2.2 * short + 500


def test_the_examples_in_the_referee_are_true() -> None:
    results = doctest.testmod(referee)
    assert results.attempted > 0
    assert results.failed == 0
