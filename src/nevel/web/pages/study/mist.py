"""What could be known, as a replay draws it: misted glass that is the clearer the surer one could be."""

from collections import OrderedDict

from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.languages import mark
from nevel.study.mist import Card, Mist, Place, look_into
from nevel.tables.runtime.off_loop import run_off_loop
from nevel.web.rendering.board import MistLook, board_of
from nevel.web.rendering.fragment import Values

#: Moments kept in memory: whoever steps to and fro finds them again.
CACHE_SIZE = 2000
#: Seconds after which looking into it is given up; worlds in the longest game are counted in one.
LONGEST_LOOK = 20.0
#: A guess that is as likely wrong as this is drawn as if nothing were known: in mist through which one just sees.
THICKEST = 0.7
NEARLY_OPAQUE = 0.85
#: What is drawn on a pane is never quite gone: one sees what it is about.
FAINTEST = 0.15
#: A number is marked with who may hold it from this likelihood on.
WORTH_MARKING = 0.25
#: Likelihoods nearer to 0 and 1 than this are no longer written as whole percents: they aren't certain.
NEARLY = 0.005

Key = tuple[str, int, str, int]


class Mists:
    """Mists that were looked into lately, by table, moment, position and seat."""

    def __init__(self) -> None:
        self.kept = OrderedDict[Key, Mist]()

    async def look(self, payer: str, table: str, game: Game, seat: int) -> Mist:
        """On a thread, without the interpreter's lock for most of the time: worlds are counted there.

        It is done when it is the turn of the `payer`, a person or an address.
        """
        key = table, len(game.log), game.fingerprint(), seat
        if key not in self.kept:
            self.kept[key] = await run_off_loop(payer, lambda: look_into(game.knowledge(seat), game.name), LONGEST_LOOK)
            while len(self.kept) > CACHE_SIZE:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]


def draw_mist(mist: Mist, game: Game, teller: Teller) -> Values:
    """The values of mist.html."""
    places = [{"seat": place.seat, "name": name_place(place, game.name, teller)} for place in mist.places]
    is_numbers = look_of(game.name).numbers is not None
    return {
        "seat": mist.seat,
        "places": places,
        "about": teller.say(
            mark("What {player} could know about the hidden cards at this moment."), player=teller.name(mist.seat)
        ),
        "example": {"number": teller.language.say_number(1.5), "share": teller.language.say_percent(80)},
        "numbers": draw_numbers(mist, game, teller) if is_numbers else None,
        "hands": [] if is_numbers else draw_hands(mist, teller),
        "rows": group_numbers(mist, teller) if is_numbers else [draw_row(mist, card, teller) for card in mist.cards],
    }


def name_place(place: Place, game: str, teller: Teller) -> str:
    if place.seat is not None:
        return teller.name(place.seat)
    return teller.say(look_of(game).deck)


def look_of(game: str) -> MistLook:
    """How a game of which something can be known shows it."""
    look = board_of(game).mist
    assert look is not None, game
    return look


def name_card(card: str, game: str, teller: Teller) -> str:
    name = look_of(game).names.get(card)
    return teller.say(name) if name else card


def say_share(share: float, teller: Teller) -> str:
    """A likelihood in percent; what isn't certain is never written as if it were."""
    if 0 < share < NEARLY:
        return f"<{teller.language.say_percent(1)}"
    if 1 - NEARLY < share < 1:
        return f">{teller.language.say_percent(99)}"
    return teller.language.say_percent(round(100 * share))


def say_expected(card: Card, place: int, teller: Teller) -> str:
    """How many to expect: a whole number where it is certain."""
    if card.doubt[place] == 0:
        return str(round(card.expected[place]))
    return teller.language.say_number(round(card.expected[place], 1))


# ---------------------------------------------------------------- cards that are numbers


def draw_numbers(mist: Mist, game: Game, teller: Teller) -> list[Values]:
    """Every number: laid, in one's own hand, or hidden. The draw pile is where the mist is thickest."""
    hidden = {card.card: card for card in mist.cards}
    board, numbers = board_of(game.name), look_of(game.name).numbers
    assert numbers is not None
    drawn = list[Values]()
    for number in range(numbers[0], numbers[1] + 1):
        card = hidden.get(str(number))
        if card:
            drawn.append(draw_hidden_number(card, mist, game.name, teller))
            continue
        is_own = board.is_own_card(game, number, mist.seat)
        says = mark("{card}: in this hand") if is_own else mark("{card}: played")
        drawn.append(
            {"number": number, "look": "own" if is_own else "laid", "says": teller.say(says, card=number), "bars": []}
        )
    return drawn


def draw_hidden_number(card: Card, mist: Mist, game: str, teller: Teller) -> Values:
    shares = [
        (place.seat, share)
        for place, share in zip(mist.places, card.likelihood, strict=True)
        if place.seat is not None and share
    ]
    holder, most = max(shares, key=lambda one: one[1], default=(None, 0.0))
    bars = list[Values]()
    left = 0.0
    for seat, share in shares:
        bars.append({"seat": seat, "x": round(100 * left, 1), "width": round(100 * share, 1)})
        left += share
    return {
        "number": int(card.card),
        "look": "hidden",
        "veil": round(1 - most, 2),
        "holder": holder if most >= WORTH_MARKING else None,
        "strength": round(most, 2),
        "bars": bars,
        "says": teller.language.say_pair(card.card, list_shares(card, mist, game, teller)),
    }


def list_shares(card: Card, mist: Mist, game: str, teller: Teller) -> str:
    """Where a card may be, the likeliest first."""
    order = sorted(range(len(mist.places)), key=lambda i: -card.likelihood[i])
    return ", ".join(
        f"{name_place(mist.places[i], game, teller)} {say_share(card.likelihood[i], teller)}"
        for i in order
        if card.likelihood[i]
    )


def group_numbers(mist: Mist, teller: Teller) -> list[Values]:
    """Numbers of which the same can be said, together."""
    groups = dict[tuple[str, ...], list[int]]()
    for card in mist.cards:
        said = tuple(say_share(share, teller) for share in card.likelihood)
        groups.setdefault(said, []).append(int(card.card))
    return [{"name": spans(numbers), "shares": list(said)} for said, numbers in groups.items()]


def spans(numbers: list[int]) -> str:
    """Numbers as one writes many of them: 2–5, 9, 11–13."""
    runs = list[list[int]]()
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


# ---------------------------------------------------------------- cards in hands


def draw_hands(mist: Mist, teller: Teller) -> list[Values]:
    """Every hidden hand and the deck: each card that may be there on a misted pane."""
    hands = list[Values]()
    for i, place in enumerate(mist.places):
        is_known = all(card.doubt[i] == 0 for card in mist.cards)
        hands.append(
            {
                "id": f"{place.kind}-{'deck' if place.seat is None else place.seat}",
                "seat": place.seat,
                "name": name_place(place, mist.game, teller),
                "size": teller.say_count("{count} hidden card", "{count} hidden cards", place.size),
                "is_known": bool(is_known and place.size),
                "cards": [
                    draw_card(card, i, mist.game, place.kind == "deck", teller)
                    for card in mist.cards
                    if card.likelihood[i] or (look_of(mist.game).shows_impossible and place.size)
                ],
            }
        )
    return hands


def draw_card(card: Card, place: int, game: str, is_deck: bool, teller: Teller) -> Values:
    """A pane: what may be there drawn on the mist, the stronger the likelier."""
    name = name_card(card.card, game, teller)
    return {
        "id": card.card,
        "icon": look_of(game).drawings.get(card.card, f"{look_of(game).icons}-{card.card}"),
        "name": name,
        "expected": say_expected(card, place, teller),
        "is_sure": card.doubt[place] == 0,
        "share": "" if card.doubt[place] == 0 or is_deck else say_share(card.likelihood[place], teller),
        "veil": round(NEARLY_OPAQUE * min(card.doubt[place] / THICKEST, 1), 2),
        "ink": round(FAINTEST + (1 - FAINTEST) * card.likelihood[place] ** 2, 2),
        "says": teller.say(
            mark("{card}: at least one {share}, {number} expected"),
            card=name,
            share=say_share(card.likelihood[place], teller),
            number=say_expected(card, place, teller),
        ),
    }


def draw_row(mist: Mist, card: Card, teller: Teller) -> Values:
    """A line of the table."""
    shares = [
        f"{say_share(card.likelihood[i], teller)} ({say_expected(card, i, teller)})" for i in range(len(mist.places))
    ]
    return {"name": name_card(card.card, mist.game, teller), "shares": shares}
