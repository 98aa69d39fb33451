"""What the Fog?! looking back: how the last round was counted, who has predicted, where the lifted token came from."""

from collections.abc import Iterable, Mapping, Sequence

from nevel.games import what_the_fog_story as story
from nevel.games.telling import Event, Teller
from nevel.games.what_the_fog import WhatTheFogView
from nevel.games.what_the_fog_story import WEATHER_NAMES
from nevel.languages import mark
from nevel.web.boards.board import Values

#: What is told when a round is counted, all at once.
COUNTING = (story.LaidOpen, story.DayCounted, story.DayClaimed, story.Scored)
#: What a player does themselves; after that they have seen how the round before was counted.
DOING = (story.Lifted, story.Returned, story.RevealChosen)


def look_back(board: WhatTheFogView, told: Sequence[Event], teller: Teller) -> Values:
    """From all that the viewer was told."""
    if board.is_over:
        return {"rounds": [draw_count(count, teller) for count in split_rounds(told)]}
    begun = last(told, story.RoundBegan)
    count = [event for event in before(told, begun) if isinstance(event, COUNTING)]
    return {
        "count": draw_count(count, teller) if count else None,
        "is_news": is_news(board, told[begun + 1 :]),
        "order": draw_order(board, told, teller) if board.predictor is not None else None,
        "lifted_from": lifted_from(told) if board.lifted else 0,
    }


def last(told: Sequence[Event], kind: type[Event]) -> int:
    """Where something happened for the last time; -1 where it never did."""
    for place in range(len(told) - 1, -1, -1):
        if isinstance(told[place], kind):
            return place
    return -1


def before(told: Sequence[Event], place: int) -> list[Event]:
    """The counting that ended at a place."""
    start = place
    while start > 0 and isinstance(told[start - 1], COUNTING):
        start -= 1
    return list(told[start:place]) if place > 0 else []


def split_rounds(told: Iterable[Event]) -> list[list[Event]]:
    """The counting of every round."""
    rounds = list[list[Event]]()
    count = list[Event]()
    for event in told:
        if isinstance(event, COUNTING):
            count.append(event)
        elif count:
            rounds.append(count)
            count = []
    return rounds


def is_news(board: WhatTheFogView, since: Sequence[Event]) -> bool:
    """Whether the viewer has done nothing since the round began; without a seat, whether somebody hasn't."""
    done = {event.seat for event in since if isinstance(event, DOING)}
    return len(done) < board.seats if board.you is None else board.you not in done


def lifted_from(told: Sequence[Event]) -> int:
    place = last(told, story.Lifted)
    event = told[place] if place >= 0 else None
    return event.pile if isinstance(event, story.Lifted) else 0


# ---------------------------------------------------------------- predictions in order


def draw_order(board: WhatTheFogView, told: Sequence[Event], teller: Teller) -> Values:
    """Who predicts when, and what those before have done."""
    place = last(told, story.DayCompleted)
    done = {event.seat: event for event in told[place + 1 :] if isinstance(event, story.Predicted)}
    completed = told[place] if place >= 0 else None
    day = completed.day if isinstance(completed, story.DayCompleted) else 0
    players = list[Values]()
    for step in range(board.seats):
        seat = (board.active + step) % board.seats
        event = done.get(seat)
        if event is not None:
            state = "raised" if event.is_raise else "passed"
            text = f"↑ {event.prediction}" if event.is_raise else teller.say(mark("passes"))
        elif seat == board.predictor:
            state, text = "asked", "…"
        else:
            state, text = "later", ""
        players.append({"seat": seat, "name": teller.name(seat), "state": state, "text": text})
    return {"title": teller.say(mark("Day {day} is complete"), day=day) if day else "", "players": players}


# ---------------------------------------------------------------- how a round was counted


def draw_count(count: Iterable[Event], teller: Teller) -> Values:
    """A round day by day: its tokens, how much every player's cards count for on each, who claims it; then the scores."""
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
