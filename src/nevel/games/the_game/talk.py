"""What may not be said in The Game: the value of a card (TG-H1), and nothing at all under silence (EX-I2)."""

import re

from nevel.game.clause import Clause
from nevel.game.game import Game
from nevel.game.talk import TalkRule
from nevel.games.the_game.clauses import EXTREME_RULEBOOK, RULEBOOK

SILENCE = EXTREME_RULEBOOK["EX-I2"]

#: “I can jump back here”, which names a card: ten from the top. Asked or told, in every language; that somebody can't
#: tells nothing.
JUMP_BACK = re.compile(
    r"\b(?:(?:i|we) )?(?:can|could|might|may|will|would|i'll|we'll|able to) "
    r"(?:(?:i|we|you|anyone|anybody|someone|somebody) )?"
    r"(?:(?!not |never )\w+ )?(?:jump|leap|hop) (?:\w+ )?back(?:wards?)?\b"
    r"|\b(?:have|hold|got|i've) (?:a|the|my) (?:jump back|back(?:wards?)? (?:jump|leap|trick))\b"
    r"|\b(?:peu[xt]|pouvez|pouvons|pourrai[st]?|pourriez|vais|sais)[ -](?:(?:je|tu|vous|on|nous) )?"
    r"(?:(?!pas |plus |jamais )\w+ )?(?:sauter (?:\w+ )?en arriere|reculer)\b"
    r"|\b(?:ai|as|avez|tiens) (?:un|le|mon) saut en arriere\b"
    r"|\b(?:kan|kun|kunnen|kon|zou) (?:(?:ik|je|jij|jullie|wij|we|iemand) )?"
    r"(?:(?!niet |nergens |nooit )\w+ ){0,3}(?:achteruit|terugspringen)\b"
    r"|\b(?:heb|houd|hou) (?:ik )?(?:een|de|mijn) achteruit[ -]?truc\b"
    r"|\b(?:kann|kannst|konnen|konnt|konnte|konnten|koennen|koennte|darf|will|werde) "
    r"(?:(?!nicht |nirgends |nie |kein\w* )\w+ ){0,5}"
    r"(?:(?:zuruck|zurueck) ?(?:springen|hupfen)|ruckwarts|rueckwaerts)\b"
    r"|\b(?:hab|habe|halte) (?:ich )?(?:einen|den|meinen) (?:ruckwarts|rueckwaerts)[ -]?trick\b"
    r"|(?<!\bno )(?<!\bany )\b(?:back(?:wards?)? (?:jump|leap|trick) (?:is )?here|"
    r"(?:jump back|back(?:wards?)? (?:jump|leap|trick)) (?:is )?(?:possible|available))\b"
    r"|(?<!\bpas de )(?<!\baucun )\bsaut en arriere (?:est )?(?:possible|ici)\b"
    r"|(?<!\bgeen )\bachteruit[ -]?truc (?:is )?(?:hier|mogelijk|kan)\b"
    r"|(?<!\bkein )\b(?:ruckwarts|rueckwaerts)[ -]?trick (?:ist )?(?:hier|moglich|moeglich)\b"
)

#: The pile somebody means, of four, not a card: the third pile, la troisième pile, de dalende derde stapel.
WHICH_PILE = re.compile(
    r"\b(?:third|fourth|deuxieme|troisieme|quatrieme|tweede|derde|vierde|(?:zweite|dritte|vierte)[nrs]?) "
    r"(?:(?:rising|falling|ascending|descending|stijgende|dalende|(?:auf|ab)?steigenden?|fallenden?) )?"
    r"(?:piles?|stacks?|(?:aufwarts|aufwaerts|abwarts|abwaerts)?stapel[ns]?)\b"
)


def never(game: Game) -> Clause | None:
    """People may always talk."""
    return None


def silence(game: Game) -> Clause | None:
    """Whether silence lies open: then hints are refused by that clause."""
    hint = next(move for move in game.vocabulary.moves.all if game.vocabulary.is_hint(move))
    return SILENCE if game.why_not(0, hint) == SILENCE else None


def telling(game: Game) -> re.Pattern[str] | None:
    """With open tricks a jump back may be told (TG-V2)."""
    return None if game.options["open_tricks"] else JUMP_BACK


TALK = TalkRule(RULEBOOK["TG-H1"], never, telling, WHICH_PILE)
EXTREME_TALK = TalkRule(RULEBOOK["TG-H1"], silence, telling, WHICH_PILE)
