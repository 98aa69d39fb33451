"""What the Fog?! looking back: how the last round was counted, who has predicted, where the lifted token came from."""

from collections.abc import Mapping

from msgspec import Struct

from nevel.game.event import Event, Teller
from nevel.games.what_the_fog import events as story
from nevel.games.what_the_fog.events import WEATHER_NAMES
from nevel.games.what_the_fog.words import WhatTheFogView
from nevel.languages import mark
from nevel.web.rendering.board import Memory
from nevel.web.rendering.fragment import Fragment, Text, Texts, Values

#: What is told when a round is counted, all at once.
COUNTING = (story.LaidOpen, story.DayCounted, story.DayClaimed, story.Scored)


class Counting(Struct, frozen=True):
    """What was told when a round was counted."""

    events: tuple[Event, ...]

    @property
    def round(self) -> int:
        """Which round was counted."""
        return max([event.round for event in self.events if isinstance(event, story.Scored)], default=0)


def is_news(board: WhatTheFogView, recalled: "Recalled") -> bool:
    """Whether the viewer has done nothing since the last round was counted; without a seat, whether not all have."""
    return len(recalled.done) < board.seats if board.you is None else board.you not in recalled.done


class Recalled(Memory):
    """What everybody was told of this round that is still shown, and how all rounds before were counted."""

    def __init__(self) -> None:
        self.rounds = list[Counting]()
        #: How the round before was counted.
        self.count: Counting | None = None
        self._counting = list[Event]()
        self._begin()

    def _begin(self) -> None:
        #: The day that was completed last, and what has been predicted since.
        self.day = 0
        self.predicted = dict[int, story.Predicted]()
        #: The pile from which a token was lifted last.
        self.pile = 0
        #: The token that was laid last; what was swapped and who predicted last since then.
        self.placed: story.Placed | None = None
        self.swapped = ""
        self.predictor: int | None = None
        #: Who has done something in this round.
        self.done = set[int]()

    def take(self, event: Event) -> None:
        if isinstance(event, COUNTING):
            self._counting.append(event)
            return
        if self._counting:
            self.rounds.append(Counting(tuple(self._counting)))
            self._counting = []
        match event:
            case story.RoundBegan():
                self.count = self.rounds[-1] if self.rounds else None
                self._begin()
            case story.Lifted():
                self.done.add(event.seat)
                self.pile = event.pile
            case story.Returned() | story.RevealChosen():
                self.done.add(event.seat)
            case story.Placed():
                self.placed, self.swapped, self.predictor = event, "", None
            case story.Swapped():
                self.swapped = event.weather
            case story.Predicted():
                self.predicted[event.seat] = event
                self.predictor = event.seat
            case story.DayCompleted():
                self.day, self.predicted, self.predictor = event.day, {}, None
            case _:
                pass


# ---------------------------------------------------------------- predictions in order


NO_PREDICTION = Text("")


class PredictionOrder(Fragment, frozen=True):
    """Who predicts when, and what those before have done. `day` is the one that was completed."""

    template = "what-the-fog/order.html"
    element = "order"
    day: int
    #: Who predicts, and what they have done; and how many days they predict.
    players: tuple[tuple[int, str], ...]
    predictions: Texts

    @classmethod
    def of(cls, board: WhatTheFogView, recalled: Recalled) -> "PredictionOrder":
        players, predictions = list[tuple[int, str]](), list[Text]()
        for step in range(board.seats):
            seat = (board.active + step) % board.seats
            event = recalled.predicted.get(seat)
            if event is not None:
                players.append((seat, "raised" if event.is_raise else "passed"))
                predictions.append(Text(str(event.prediction)))
            else:
                players.append((seat, "asked" if seat == board.predictor else "later"))
                predictions.append(NO_PREDICTION)
        return cls(recalled.day, tuple(players), tuple(predictions))

    def fill(self, teller: Teller) -> Values:
        said = {"passed": teller.say(mark("passes")), "asked": "…", "later": ""}
        return {
            "title": teller.say(mark("Day {day} is complete"), day=self.day) if self.day else "",
            "players": [
                {"seat": seat, "name": teller.name(seat), "state": state, "text": said.get(state, f"↑ {prediction}")}
                for (seat, state), prediction in zip(self.players, self.predictions, strict=True)
            ],
        }


#: Where nobody is asked to predict.
NO_ORDER = PredictionOrder(0, (), ())

# ---------------------------------------------------------------- how a round was counted


class Count(Fragment, frozen=True):
    """How a round was counted, above the board: closed while the next one is played."""

    template = "what-the-fog/counted.html"
    counting: Counting
    #: Whether a guide may point at it: not in a replay, where it stands for all rounds.
    is_news: bool = True

    @property
    def id(self) -> str:
        return f"count-{self.counting.round}"

    def fill(self, teller: Teller) -> Values:
        return {"count": draw_count(self.counting, teller), "is_news": self.is_news}


class Rounds(Fragment, frozen=True):
    """How all rounds were counted, when the game is over."""

    template = "what-the-fog/rounds.html"
    rounds: tuple[Counting, ...]

    def fill(self, teller: Teller) -> Values:
        return {"rounds": [draw_count(counting, teller) for counting in self.rounds]}


def draw_count(count: Counting, teller: Teller) -> Values:
    """A round day by day: its tokens, what everybody's cards count for on each, who claims it; then the scores."""
    hands = dict[int, Mapping[str, int]]()
    days = dict[int, Values]()
    scores = list[Values]()
    for event in count.events:
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
                scores.append(draw_score(event, hands.get(event.seat, {}), teller))
            case _:
                pass
    return {
        "round": count.round,
        "title": teller.say(mark("Round {round} was counted"), round=count.round),
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
