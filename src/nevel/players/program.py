"""An outside program as a player: questions and answers are lines of JSON.

The protocol is described in docs/outside-bots.md. Whatever goes wrong, the game goes on: a stand-in makes the move.
"""

import json
import time
from collections.abc import Callable, Sequence

import msgspec

from nevel.bots.bot import Bot
from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.game.move import MalformedMoveError, Move
from nevel.game.vocabulary import Prompt
from nevel.languages import DEFAULT, SpokenError, language, mark
from nevel.players.player import BotPlayer, may_wait
from nevel.players.process import CrashedError, FloodedError, Process, StalledError

PROTOCOL = 1
SECONDS = 10.0
STAND_IN = "casual"
#: A program that ended is started again this often in a game; then the stand-in stays.
MOST_RESTARTS = 1
#: So many answers in a row may be late before the stand-in stays.
MOST_STALLS = 3
MOST_HINTS = 16
LONGEST_QUOTE = 40

Notice = Callable[[SpokenError], None]


class Hello(msgspec.Struct, tag_field="type", tag="hello"):
    """The first message of a program."""

    name: str = ""


class ProgramAnswer(msgspec.Struct):
    """What a program answers to a prompt; `id` is the prompt's."""

    id: int
    move: str | None
    hints: list[str] = []


class FaultError(Exception):
    """A program broke the protocol and loses its turn; others are only told that it did."""

    def __init__(self, reason: SpokenError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class ProgramPlayer:
    """One program in one chair for one game. It is started when it is first asked something."""

    def __init__(
        self,
        command: Sequence[str],
        seed: int = 0,
        seconds: float = SECONDS,
        notice: Notice | None = None,
        shows_errors: bool = True,
        code: str = DEFAULT,
    ) -> None:
        self.command = list(command)
        self.called = ""
        self.seconds = seconds
        self.starting_seconds = max(seconds, SECONDS)  # before it says hello it may have much to load
        self.notice = notice
        self.shows_errors = shows_errors
        self.language = language(code)
        self.stand_in = BotPlayer(Bot(STAND_IN, seed))
        self.notices: list[SpokenError] = []
        self.process: Process | None = None
        self.starts = 0
        self.stalls = 0
        self.is_replaced = False
        self.number = 0  # of the last prompt
        self.events_sent = 0
        self.unsaid: list[str] = []
        self.at: tuple[Game, int] | None = None

    @property
    def name(self) -> str:
        """What it calls itself, or its command."""
        return self.called or quote(" ".join(self.command))

    # ------------------------------------------------------------ a player

    def choose(self, game: Game, seat: int) -> Move | None:
        prompt = game.prompt(seat)
        if prompt is None:
            return None
        self.at = game, seat
        if not self.is_replaced:
            try:
                return self.ask(game, prompt)
            except FaultError as fault:
                self.report(mark("{program}: {reason} A {level} bot makes this move."), reason=fault.reason)
                if self.is_replaced:
                    self.report(mark("{program} isn't coming back: a {level} bot keeps its chair until the end."))
        return self.stand_in.choose(game, seat)

    def speak(self, game: Game, seat: int) -> Move | None:
        if self.is_replaced:
            return self.stand_in.speak(game, seat)
        while self.unsaid:
            text = self.unsaid.pop(0)
            try:
                hint = game.vocabulary.moves.parse(text)
            except MalformedMoveError:
                hint = None
            if hint and game.vocabulary.is_hint(hint) and game.is_legal(seat, hint):
                return hint
            self.report(mark("{program}: the hint “{hint}” isn't allowed now and isn't shown."), hint=quote(text))
        return None

    def close(self) -> None:
        if self.process and self.at:
            game, _ = self.at
            self.send({"type": "end", "outcome": msgspec.to_builtins(game.outcome)})
            self.end(is_friendly=True)

    # ------------------------------------------------------------ the conversation

    def ask(self, game: Game, prompt: Prompt) -> Move | None:
        """Put a question and read the answer; a FaultError if there is none that can be played."""
        self.begin(game, prompt.seat)
        self.number += 1
        teller = Teller(self.language, game.names)
        story = game.story(prompt.seat)
        self.send(
            {
                "type": "prompt",
                "id": self.number,
                "view": msgspec.to_builtins(game.view(prompt.seat)),
                "question": prompt.question,
                "text": prompt.sentence(teller),
                "moves": prompt.moves,
                "hints": [hint.text for hint in game.hints(prompt.seat)],
                "may_wait": may_wait(game, prompt),
                "story": [event.tell(teller) for event in story[self.events_sent :]],
            }
        )
        self.events_sent = len(story)
        answer = self.read_answer()
        self.unsaid = answer.hints[:MOST_HINTS]
        return self.read_move(answer, game, prompt)

    def begin(self, game: Game, seat: int) -> None:
        """Start the program, if it doesn't run, and wait until it has said hello."""
        if self.process:
            return
        self.starts += 1
        try:
            self.process = Process(self.command, self.shows_errors)
        except OSError as problem:
            self.end()
            raise FaultError(SpokenError(mark("It can't be started ({reason})."), reason=problem)) from None
        self.events_sent = 0
        self.send(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "game": game.name,
                "seats": game.seats,
                "seat": seat,
                "options": game.options,
                "language": self.language.code,
                "seconds": self.seconds,
            }
        )
        try:
            hello = msgspec.json.decode(self.receive(self.starting_seconds), type=Hello)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.end()
            raise FaultError(SpokenError(mark("It didn't send “hello”."))) from None
        except FaultError:
            self.end()
            raise
        self.called = quote(hello.name)

    def read_answer(self) -> ProgramAnswer:
        """The answer to the last prompt. Answers to earlier ones come too late and are passed over."""
        until = time.monotonic() + self.seconds
        while True:
            line = self.receive(until - time.monotonic())
            try:
                answer = msgspec.json.decode(line, type=ProgramAnswer)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                text = quote(line.decode("utf-8", "replace"))
                raise FaultError(SpokenError(mark("“{text}” isn't an answer."), text=text)) from None
            if answer.id == self.number:
                self.stalls = 0
                return answer
            if answer.id > self.number:
                raise FaultError(SpokenError(mark("It answers a question that wasn't asked.")))

    def read_move(self, answer: ProgramAnswer, game: Game, prompt: Prompt) -> Move | None:
        if answer.move is None:
            if may_wait(game, prompt):
                return None
            raise FaultError(SpokenError(mark("It can't wait here: it has to move.")))
        try:
            move = game.vocabulary.moves.parse(answer.move)
        except MalformedMoveError:
            reason = SpokenError(mark("“{text}” isn't a move in this game."), text=quote(answer.move))
            raise FaultError(reason) from None
        if move.text in prompt.moves:
            return move
        clause = game.why_not(prompt.seat, move)
        if clause is None:
            raise FaultError(SpokenError(mark("“{move}” is a hint, not a move."), move=move.text))
        raise FaultError(SpokenError(mark("“{move}” isn't allowed now ({clause})."), move=move.text, clause=clause.id))

    def send(self, message: dict[str, object]) -> None:
        if self.process:
            self.process.send(json.dumps(message, separators=(",", ":")).encode())

    def receive(self, seconds: float) -> bytes:
        """The next line; what goes wrong with the program itself ends it here."""
        if self.process is None:
            raise FaultError(SpokenError(mark("It has ended.")))
        try:
            return self.process.receive(seconds)
        except StalledError:
            self.stalls += 1
            if self.stalls >= MOST_STALLS:
                self.end()
                self.is_replaced = True
            raise FaultError(SpokenError(mark("It didn't answer in time."))) from None
        except CrashedError:
            self.end()
            raise FaultError(SpokenError(mark("It has ended."))) from None
        except FloodedError:
            self.end()
            raise FaultError(SpokenError(mark("It keeps writing without stopping."))) from None

    def end(self, is_friendly: bool = False) -> None:
        """End the program. It may be started again, but not for ever."""
        self.is_replaced = self.is_replaced or self.starts > MOST_RESTARTS
        self.unsaid = []
        process, self.process = self.process, None
        if process:
            process.close(is_friendly)

    def report(self, message: str, **values: object) -> None:
        """Report a problem to whoever runs the table."""
        notice = SpokenError(message, program=self.name, level=STAND_IN, **values)
        self.notices.append(notice)
        if self.notice:
            self.notice(notice)


def quote(text: str) -> str:
    """What a program wrote, safe to print: short and without control characters."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[: LONGEST_QUOTE * 4])
    plain = " ".join(plain.split())
    return plain if len(plain) <= LONGEST_QUOTE else plain[: LONGEST_QUOTE - 1] + "…"
