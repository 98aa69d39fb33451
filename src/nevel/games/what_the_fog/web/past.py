"""What the Fog?! looking back: how the last round was counted, who has predicted, where the lifted token came from."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from nevel.game.event import Event, Teller
from nevel.games.what_the_fog import events as story
from nevel.games.what_the_fog.events import WEATHER_NAMES
from nevel.games.what_the_fog.words import WhatTheFogView
from nevel.languages import mark
from nevel.web.rendering.board import Values
from nevel.web.rendering.pieces import written

#: What is told when a round is counted, all at once.
COUNTING = (story.LaidOpen, story.DayCounted, story.DayClaimed, story.Scored)
#: What a player does themselves; after that they have seen how the round before was counted.
DOING = (story.Lifted, story.Returned, story.RevealChosen)


def look_back(board: WhatTheFogView, recalled: "Recalled", teller: Teller) -> Values:
    """What of it is shown to one viewer now."""
    if board.is_over:
        return {"rounds": [draw_count(count, teller) for count in recalled.rounds]}
    # How the round before was counted is news until the viewer has done something in this one,
    # or, for somebody who has no seat, until everybody has.
    done = recalled.done
    is_news = len(done) < board.seats if board.you is None else board.you not in done
    return {
        "count": draw_count(recalled.count, teller) if recalled.count and is_news else None,
        "order": draw_order(board, recalled, teller) if board.predictor is not None else None,
        "lifted_from": recalled.pile if board.lifted else 0,
        # Marks for what happened last, as classes.
        "laid": written(f"on-day-{recalled.placed.day} on-part-{recalled.placed.part}") if recalled.placed else "",
        "predicted": written(f"latest-{recalled.predictor}") if recalled.predictor is not None else "",
        "swapped": written(f"swapped-{recalled.swapped}") if recalled.swapped else "",
    }


def is_counting(event: Event) -> bool:
    return isinstance(event, COUNTING)


def counted_rounds(told: Iterable[Event]) -> list[list[Event]]:
    """The counting of every round, from the first."""
    rounds = list[list[Event]]()
    is_on = False
    for event in reversed(list(told)):
        if is_counting(event):
            if not is_on:
                rounds.append([])
            rounds[-1].append(event)
        is_on = is_counting(event)
    return rounds


class Recalled:
    """What everybody was told of this round, read from now back to its beginning; or all rounds, in the end."""

    def __init__(self, told: Iterator[Event], is_over: bool) -> None:
        self.rounds = counted_rounds(told) if is_over else []
        #: The day that was completed last, and what has been predicted since.
        self.day = 0
        self.predicted = dict[int, story.Predicted]()
        #: The pile from which a token was lifted last.
        self.pile = 0
        #: The token that was laid last; what was swapped and who predicted last since then.
        self.placed: story.Placed | None = None
        self.swapped = ""
        self.predictor: int | None = None
        #: Who has done something in this round, and how the one before was counted.
        self.done = set[int]()
        self.count = list[Event]()
        for event in told:
            if isinstance(event, DOING):
                self.done.add(event.seat)
                if isinstance(event, story.Lifted) and not self.pile:
                    self.pile = event.pile
            elif isinstance(event, story.Placed):
                self.placed = self.placed or event
            elif isinstance(event, story.Swapped):
                self.swapped = self.swapped or ("" if self.placed else event.weather)
            elif isinstance(event, story.RoundBegan):
                self.count = list(takewhile(is_counting, told))[::-1]
                return
            elif not self.day:
                if isinstance(event, story.Predicted):
                    self.predicted[event.seat] = event
                    if self.predictor is None and not self.placed:
                        self.predictor = event.seat
                elif isinstance(event, story.DayCompleted):
                    self.day = event.day


# ---------------------------------------------------------------- predictions in order


def draw_order(board: WhatTheFogView, recalled: Recalled, teller: Teller) -> Values:
    """Who predicts when, and what those before have done."""
    players = list[Values]()
    for step in range(board.seats):
        seat = (board.active + step) % board.seats
        event = recalled.predicted.get(seat)
        if event is not None:
            state = "raised" if event.is_raise else "passed"
            text = f"↑ {event.prediction}" if event.is_raise else teller.say(mark("passes"))
        elif seat == board.predictor:
            state, text = "asked", "…"
        else:
            state, text = "later", ""
        players.append({"seat": seat, "name": written(teller.name(seat)), "state": state, "text": written(text)})
    title = teller.say(mark("Day {day} is complete"), day=recalled.day) if recalled.day else ""
    return {"title": written(title), "players": players}


# ---------------------------------------------------------------- how a round was counted


def draw_count(count: Iterable[Event], teller: Teller) -> Values:
    """A round day by day: its tokens, what everybody's cards count for on each, who claims it; then the scores."""
    hands = dict[int, Mapping[str, int]]()
    days = dict[int, Values]()
    scores = list[Values]()
    number = 0
    for event in count:
        match event:
            case story.LaidOpen():
                hands[event.seat] = event.cards
            case story.DayCounted():
                days[event.day] = draw_counted_day(event, hands, teller)
            case story.DayClaimed():
                days[event.day]["claim"] = event.tell(teller)
                for seat in event.seats:
                    days[event.day]["rows"][seat]["is_claimed"] = True
            case story.Scored():
                number = event.round
                scores.append(draw_score(event, hands.get(event.seat, {}), teller))
            case _:
                pass
    return {
        "round": number,
        "title": teller.say(mark("Round {round} was counted"), round=number),
        "days": list(days.values()),
        "scores": scores,
    }


def draw_counted_day(event: story.DayCounted, hands: Mapping[int, Mapping[str, int]], teller: Teller) -> Values:
    return {
        "day": event.day,
        "title": teller.say(mark("Day {day}"), day=event.day),
        "tokens": [{"weather": weather, "name": teller.say(WEATHER_NAMES[weather])} for weather in event.tokens],
        "rows": [
            {
                "seat": seat,
                "name": teller.name(seat),
                "counts": [hands.get(seat, {}).get(weather, 0) for weather in event.tokens],
                "influence": influence,
                "is_claimed": False,
            }
            for seat, influence in enumerate(event.influence)
        ],
        "claim": teller.say(mark("Nobody claims day {day}."), day=event.day),
    }


def draw_score(event: story.Scored, hand: Mapping[str, int], teller: Teller) -> Values:
    is_right = event.predicted == event.claimed
    if is_right:
        why = teller.say(mark("exactly: {predicted} + round {round}"), predicted=event.predicted, round=event.round)
    else:
        why = teller.say(mark("off by {difference}"), difference=abs(event.predicted - event.claimed))
    return {
        "seat": event.seat,
        "name": teller.name(event.seat),
        "cards": [
            {"weather": weather, "name": teller.say(WEATHER_NAMES[weather]), "count": number}
            for weather, number in hand.items()
        ],
        "predicted": event.predicted,
        "claimed": event.claimed,
        "score": f"+{event.score}" if event.score >= 0 else f"−{-event.score}",
        "is_right": is_right,
        "why": why,
    }
