"""The values of the review page: a chart of chances, who changed them, and each choice beside an expert's."""

from collections.abc import Sequence
from functools import cached_property

from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.languages import mark
from nevel.study.review import Account, Decision, EvaluatedOption, Review, Swing
from nevel.web.rendering.fragment import Values

#: A drawing of chances is this wide and high, and stretched to its place.
WIDTH, HEIGHT = 1000, 100
#: Options shown of a choice, besides what was played: the best.
MOST_OPTIONS = 6
#: Moments that are told at length.
KEY_MOMENTS = 6
#: A difference nobody sees.
NOTHING = 0.005

#: What each part of a ledger is called.
PARTS = {
    "prior": mark("Before the deal"),
    "deal": mark("Luck"),
    "others": mark("The others"),
    "you": mark("Own choices"),
    "result": mark("The result"),
}
#: What a part did, for whoever looks at their own chair and for others.
GAVE_YOU = {
    "deal": mark("Luck gave you {share}."),
    "others": mark("The others gave you {share}."),
    "you": mark("Your choices gave you {share}."),
}
COST_YOU = {
    "deal": mark("Bad luck cost you {share}."),
    "others": mark("The others cost you {share}."),
    "you": mark("Your choices cost you {share}."),
}
GAVE_THEM = {
    "deal": mark("Luck gave {player} {share}."),
    "others": mark("The others gave {player} {share}."),
    "you": mark("{player}'s own choices gave {share}."),
}
COST_THEM = {
    "deal": mark("Bad luck cost {player} {share}."),
    "others": mark("The others cost {player} {share}."),
    "you": mark("{player}'s own choices cost {share}."),
}


class LookingBack:
    """A review of a game, told to one reader."""

    def __init__(self, review: Review, game: Game, teller: Teller) -> None:
        self.review = review
        self.game = game
        self.teller = teller
        self.length = len(game.log)

    # ------------------------------------------------------------ the chances

    def chart(self, seat: int) -> Values:
        """Everybody's lines, a column for every moment, and marks at those that tell most about a seat."""
        step = WIDTH / max(self.length, 1)
        return {
            "lines": self.lines(seat),
            "columns": [
                {"at": at, "x": round(max(at - 0.5, 0) * step, 1), "width": round(step, 1), "title": words}
                for at, words in enumerate(self.moments)
            ],
            "marks": self._marks(seat),
        }

    def lines(self, seat: int | None) -> list[Values]:
        """A line a seat, the chosen one last, so that it lies above the others."""
        accounts = sorted(enumerate(self.review.accounts), key=lambda item: item[0] == seat)
        return [
            {"seat": number, "is_chosen": number == seat, "points": self._points(account)}
            for number, account in accounts
        ]

    def _points(self, account: Account) -> str:
        return " ".join(f"{x},{y}" for x, y in (self.place(at, chance) for at, chance in enumerate(account.chances)))

    def place(self, at: int, chance: float) -> tuple[float, float]:
        """Where a chance at a moment stands in the drawing."""
        return round(WIDTH * at / max(self.length, 1), 1), round(HEIGHT * (1 - chance), 1)

    def _marks(self, seat: int) -> list[Values]:
        account = self.review.accounts[seat]
        marks = list[Values]()
        for at in sorted(account.key_moments[:KEY_MOMENTS]):
            x, y = self.place(at, account.chances[at])
            marks.append({"at": at, "x": x, "y": y, "label": self.moments[at]})
        return marks

    @cached_property
    def moments(self) -> list[str]:
        """The move that is made at every moment, in a few words."""
        return [*(f"{at + 1}. {self.move_words(at)}" for at in range(self.length)), self.teller.say(mark("The end"))]

    def move_words(self, at: int) -> str:
        entry = self.game.log[at]
        return self.teller.language.say_pair(self.teller.name(entry.seat), self.words(entry.move.text))

    def words(self, move: str) -> str:
        vocabulary = self.game.vocabulary
        return vocabulary.describe(vocabulary.moves.parse(move), self.teller)

    def chances(self) -> list[Values]:
        """Every moment with everybody's chances, as a table."""
        return [
            {
                "at": at,
                "words": words,
                "chances": [self.percent(account.chances[at]) for account in self.review.accounts],
            }
            for at, words in enumerate(self.moments)
        ]

    # ------------------------------------------------------------ who moved them

    def ledger(self, seat: int, is_you: bool) -> Values:
        """From the chance anybody has to the result, one part after the other."""
        account = self.review.accounts[seat]
        totals = account.totals
        steps = [("deal", totals.deal), ("others", totals.others), ("you", totals.you)]
        if len(self.review.accounts) == 1:
            steps.pop(1)
        bars = [("prior", 0.0, account.prior)]
        reached = account.prior
        for name, change in steps:
            bars.append((name, reached, reached + change))
            reached += change
        bars.append(("result", 0.0, account.chances[-1]))
        low = min(0.0, *(min(start, end) for _, start, end in bars))
        high = max(1.0, *(max(start, end) for _, start, end in bars))
        return {
            "bars": [self._bar(name, start, end, low, high) for name, start, end in bars],
            "sentence": self._sentence(seat, steps, is_you),
            "moves": [self._line(at, swing) for at, swing in enumerate(account.swings)],
        }

    def _bar(self, name: str, start: float, end: float, low: float, high: float) -> Values:
        change = end - start
        is_whole = name in ("prior", "result")
        width = 100 * abs(change) / (high - low)
        return {
            "name": name,
            "title": self.teller.say(PARTS[name]),
            "text": self.percent(change) if is_whole else self.signed(change),
            "kind": "whole" if is_whole else "gain" if change >= 0 else "loss",
            "x": round(100 * (min(start, end) - low) / (high - low), 2),
            # What is next to nothing is still to be seen.
            "width": round(max(width, 0.6), 2),
        }

    def _sentence(self, seat: int, steps: Sequence[tuple[str, float]], is_you: bool) -> str:
        told = [
            self.teller.say(
                (GAVE_YOU if change > 0 else COST_YOU)[name]
                if is_you
                else (GAVE_THEM if change > 0 else COST_THEM)[name],
                share=self.percent(abs(change)),
                player=self.teller.name(seat),
            )
            for name, change in steps
            if abs(change) >= NOTHING
        ]
        return " ".join(told) or self.teller.say(mark("Nothing changed the chances."))

    def _line(self, at: int, swing: Swing) -> Values:
        parts = {name: getattr(swing, name) for name in ("deal", "others", "you")}
        return {
            "at": at,
            "words": self.moments[at],
            "whole": self.signed(swing.whole),
            "parts": {name: self.signed(change) if abs(change) >= NOTHING else "" for name, change in parts.items()},
        }

    # ------------------------------------------------------------ moments and choices

    def key_moments(self, seat: int) -> list[Values]:
        """The moments that tell most about a seat's game."""
        account = self.review.accounts[seat]
        told = list[Values]()
        for at in account.key_moments[:KEY_MOMENTS]:
            decision = next((one for one in self.review.decisions if one.at == at), None)
            told.append(
                {
                    "at": at,
                    "number": at + 1,
                    "words": self.move_words(at),
                    "before": self.percent(account.chances[at]),
                    "after": self.percent(account.chances[at + 1]),
                    "swing": self.signed(account.swings[at].whole),
                    "kind": "gain" if account.swings[at].whole >= 0 else "loss",
                    "decision": self.decision(decision) if decision else None,
                }
            )
        return told

    def decisions_of(self, seat: int) -> list[Values]:
        return [self.decision(decision) for decision in self.review.decisions if decision.seat == seat]

    def decisions_at(self, at: int, seat: int | None) -> list[Values]:
        """The choices that are made at a moment: by a seat, or by anybody."""
        return [
            self.decision(decision)
            for decision in self.review.decisions
            if decision.at == at and seat in (None, decision.seat)
        ]

    def decision(self, decision: Decision) -> Values:
        """A choice beside the best of what could have been."""
        shown = list(decision.options[:MOST_OPTIONS])
        if decision.chosen not in shown:
            shown.append(decision.chosen)
        left_out = len(decision.options) - len(shown)
        return {
            "at": decision.at,
            "number": decision.at + 1,
            "seat": decision.seat,
            "name": self.teller.name(decision.seat),
            "played": self.words(decision.move),
            "best": self.words(decision.best.move),
            "is_best": decision.cost < NOTHING,
            "cost": self.percent(decision.cost),
            "points_cost": self._points_lost(decision),
            "options": [self._option(option, decision) for option in shown],
            "left_out": self.teller.say_count("and {count} other", "and {count} others", left_out) if left_out else "",
        }

    def _points_lost(self, decision: Decision) -> str:
        """What a choice cost in points or cards, where that can be seen."""
        lost = round(decision.points_cost, 1)
        return self.teller.language.say_number(lost) if lost > 0 else ""

    def _option(self, option: EvaluatedOption, decision: Decision) -> Values:
        low, high = max(option.chance - option.error, 0.0), min(option.chance + option.error, 1.0)
        return {
            "words": self.words(option.move),
            "is_played": option.move == decision.move,
            "is_best": option == decision.best,
            "chance": self.percent(option.chance),
            "width": round(100 * option.chance, 1),
            "low": round(100 * low, 1),
            "high": round(100 * high, 1),
        }

    def percent(self, share: float) -> str:
        """A share of one, in hundredths, as the reader's language writes it."""
        return self.teller.language.say_percent(round(100 * share))

    def signed(self, change: float) -> str:
        """A change of a share; next to nothing has no sign."""
        sign = "" if abs(change) < NOTHING else "+" if change > 0 else "\N{MINUS SIGN}"
        return sign + self.percent(abs(change))
