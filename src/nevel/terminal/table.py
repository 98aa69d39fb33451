"""A table in the terminal: people take turns at one screen, bots take theirs at once."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from nevel.game import save
from nevel.game.clause import Clause
from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.game.move import MalformedMoveError, Move, squeeze
from nevel.game.vocabulary import Prompt
from nevel.languages import LANGUAGES, language, mark
from nevel.players.player import Player, may_wait
from nevel.players.table import let_keenest_start, let_move, let_speak
from nevel.terminal.drawing import draw

NUMBER_WIDTH = 8  # what a choice's number and the space around it take


class LeftTableError(Exception):
    """Somebody wants to stop playing."""


class TerminalTable:
    """One game at one screen. Chairs without a bot are people's."""

    def __init__(self, game: Game, bots: Mapping[int, Player], teller: Teller, console: Console) -> None:
        self.game = game
        self.bots = bots
        self.teller = teller
        self.console = console
        self.people = [seat for seat in range(game.seats) if seat not in bots]
        self.events_shown = dict.fromkeys(self.people, 0)
        self.at_screen: int | None = self.people[0] if len(self.people) == 1 else None

    def say(self, message: str, **values: object) -> str:
        return self.teller.say(message, **values)

    # ------------------------------------------------------------ the game

    def run(self) -> None:
        """Play to the end, or until somebody leaves."""
        try:
            while not self.game.is_over:
                if not self.let_bots_play():
                    self.let_someone_play()
            self.show_end()
        except (KeyboardInterrupt, LeftTableError):
            self.offer_to_save()
        except EOFError:  # nobody is there to answer: keep the game rather than ask
            self.keep(self.default_file())
        finally:
            for bot in self.bots.values():
                bot.close()

    def let_bots_play(self) -> bool:
        """What bots have to say, then a move of one that is waited for; False when all wait for somebody else."""
        let_speak(self.game, self.bots)
        thinking = [seat for seat in self.game.waiting_for if seat in self.bots]
        if not thinking:
            return False
        names = self.teller.list_names(thinking)
        with self.console.status(Text(self.say(mark("Thinking: {players}…"), players=names), style="dim")):
            has_moved = let_move(self.game, self.bots)
        if not has_moved:
            let_speak(self.game, self.bots)  # somebody may have said why
        return has_moved

    def let_someone_play(self) -> None:
        for seat in self.game.waiting_for:
            prompt = self.game.prompt(seat)
            if seat in self.bots or prompt is None:
                continue
            self.call_to_screen(seat)
            self.show(seat, prompt)
            move = self.ask(seat, prompt)
            if move is None:  # rather somebody else
                continue
            self.game.play(seat, move)
            return
        let_keenest_start(self.game, self.bots)  # nobody at the screen wants to begin

    # ------------------------------------------------------------ the screen

    def call_to_screen(self, seat: int) -> None:
        """With several people at one screen, hide it until the right one sits there."""
        if self.at_screen == seat:
            return
        if len(self.people) > 1:
            self.console.clear()
            self.console.print(Rule(self.teller.name(seat)))
            invitation = mark("It's {player}'s turn. Press Enter when only you see the screen. ")
            self.console.input(self.say(invitation, player=self.teller.name(seat)))
            self.console.clear()
        self.at_screen = seat

    def show(self, seat: int, prompt: Prompt | None) -> None:
        """What happened since this player last looked, then the table, then the question."""
        self.tell_news(seat, "dim")
        self.console.print(Rule(self.game.spec.title, style="dim"))
        self.console.print(draw(self.game.view(seat), self.teller))
        if prompt:
            self.show_choices(prompt)

    def tell_news(self, seat: int, style: str) -> None:
        story = self.game.story(seat)
        for event in story[self.events_shown[seat] :]:
            if event.told_otherwise_to != seat:
                self.console.print(Text(f"  {event.tell(self.teller)}", style=style))
        self.events_shown[seat] = len(story)

    def show_choices(self, prompt: Prompt) -> None:
        question = self.say(
            mark("{player}: {text}"), player=self.teller.name(prompt.seat), text=prompt.sentence(self.teller)
        )
        self.console.print(Text(f"\n{question}", style="bold"))
        choices = self.choices(prompt)
        width = max(len(choice) for choice in choices) + NUMBER_WIDTH
        columns = max(1, min(self.console.width // width, (len(choices) + 5) // 6))
        rows = -(-len(choices) // columns)
        for row in range(rows):
            line = Text()
            for number in range(row, len(choices), rows):
                line.append(f"{number + 1:>4}", style="bold")
                line.append(f"  {choices[number]:<{width - NUMBER_WIDTH + 2}}")
            self.console.print(line)
        self.console.print(Text(self.say(mark("A number, a move, or ? for help.")), style="dim"))

    def choices(self, prompt: Prompt) -> list[str]:
        """What the numbers stand for. Nobody has to take the first turn."""
        words = [self.game.vocabulary.describe(self.move(text), self.teller) for text in prompt.moves]
        if may_wait(self.game, prompt):
            words.append(self.say(mark("Let someone else start")))
        return words

    def move(self, text: str) -> Move:
        return self.game.vocabulary.moves.parse(text)

    # ------------------------------------------------------------ answers

    def ask(self, seat: int, prompt: Prompt) -> Move | None:
        """Ask until the answer is a legal move (or None to let somebody else begin)."""
        while True:
            answer = self.console.input("› ").strip()
            if self.is_talk(seat, prompt, answer):
                continue
            if answer.isdigit():
                number = int(answer)
                if number == len(prompt.moves) + 1 and may_wait(self.game, prompt):
                    return None
                if not 1 <= number <= len(prompt.moves):
                    self.complain(self.say(mark("There is no choice {number}."), number=number))
                    continue
                answer = prompt.moves[number - 1]
            move = self.read(seat, answer)
            if move and self.is_sure(seat, move):
                if not self.game.vocabulary.is_hint(move):
                    return move
                self.game.play(seat, move)
                let_speak(self.game, self.bots)
                self.tell_news(seat, "italic")

    def read(self, seat: int, answer: str) -> Move | None:
        """The legal move a text stands for; else say what is wrong with it."""
        try:
            move = self.move(answer)
        except MalformedMoveError as problem:
            self.complain(problem.sentence(self.teller.language), self.say(mark("Type ? for help.")))
            return None
        clause = self.game.why_not(seat, move)
        if clause:
            self.complain(self.rule(clause))
            return None
        return move

    def is_sure(self, seat: int, move: Move) -> bool:
        """A move that can only lose is legal, but nobody should make it by mistake."""
        clause = self.game.why_lost(seat, move)
        if clause is None:
            return True
        self.complain(self.say(mark("This would lose the game.")), self.rule(clause))
        return self.agrees(mark("Do it anyway?"), otherwise=False)

    def is_talk(self, seat: int, prompt: Prompt, answer: str) -> bool:
        """Answers that aren't moves: help, rules, hints, saving, leaving."""
        command, _, rest = answer.partition(" ")
        match squeeze(command) or command:
            case "":
                self.show(seat, prompt)
            case "?":
                self.explain(seat, rest) if rest else self.show_help(seat)
            case "rules" | "regles" | "regels":
                self.show_rules()
            case "save" | "sauver" | "sauvegarder" | "bewaar" | "bewaren" | "opslaan":
                self.keep(Path(rest) if rest else self.default_file())
            case "quit" | "quitter" | "stop" | "stoppen":
                raise LeftTableError
            case _:
                return False
        return True

    def explain(self, seat: int, text: str) -> None:
        """Why not?"""
        try:
            clause = self.game.why_not(seat, self.move(text))
        except MalformedMoveError as problem:
            self.complain(problem.sentence(self.teller.language))
            return
        if clause:
            self.complain(self.rule(clause))
        else:
            self.console.print(self.say(mark("That is allowed.")))

    def show_help(self, seat: int) -> None:
        vocabulary = self.game.vocabulary
        legal = self.game.legal_moves(seat)
        moves = [move for move in legal if not vocabulary.is_hint(move)]
        hints = [move for move in legal if vocabulary.is_hint(move)]
        example = vocabulary.moves.text(moves[0], self.teller.language) if moves else ""
        for line in (
            self.say(mark("Type the number of a choice, or the move itself, such as “{move}”."), move=example),
            self.say(mark("“? {move}” explains why a move isn't allowed."), move=example),
            self.say(mark("“rules” shows the rules, “save” saves the game, “quit” leaves; Enter redraws the table.")),
        ):
            self.console.print(line)
        if hints:
            words = ", ".join(vocabulary.moves.text(move, self.teller.language) for move in hints)
            self.console.print(self.say(mark("You may also give a hint at any time: {hints}."), hints=words))

    def show_rules(self) -> None:
        for clause in self.game.spec.rulebook.values():
            self.console.print(Text.assemble((f"{clause.id:<7}", "bold"), clause.sentence(self.teller.language)))

    def rule(self, clause: Clause) -> str:
        return f"{clause.sentence(self.teller.language)} ({clause.id})"

    def complain(self, *sentences: str) -> None:
        self.console.print(Text(" ".join(sentences), style="bold red"))

    def agrees(self, question: str, otherwise: bool) -> bool:
        """A yes or no, in any of the languages; Enter means `otherwise`."""
        choice = self.say(mark("[Y/n]")) if otherwise else self.say(mark("[y/N]"))
        answer = self.console.input(Text(f"{self.say(question)} {choice} ")).strip().casefold()
        return answer[0] in {language(code).say(mark("yes"))[0] for code in LANGUAGES} if answer else otherwise

    # ------------------------------------------------------------ the end

    def show_end(self) -> None:
        outcome = self.game.outcome
        seat = self.people[0] if len(self.people) == 1 else None
        if seat is not None:
            self.show(seat, None)
        else:
            self.console.print(draw(self.game.view(None), self.teller))
        if outcome:
            self.console.print(Rule())
            self.console.print(Text(self.game.vocabulary.tell_outcome(outcome, self.teller), style="bold"))

    def offer_to_save(self) -> None:
        self.console.print()
        try:
            if self.agrees(mark("Save this game to go on later?"), otherwise=True):
                self.keep(self.default_file())
        except (EOFError, KeyboardInterrupt):
            self.keep(self.default_file())

    def default_file(self) -> Path:
        return Path(f"nevel-{self.game.name}-{datetime.now():%Y%m%d-%H%M%S}.json")

    def keep(self, file: Path) -> None:
        """Write the game to a file and say how to go on with it."""
        try:
            file.write_text(save(self.game), "utf-8")
        except OSError as problem:
            reason = self.teller.language.explain(problem)
            self.complain(self.say(mark("The game could not be saved: {reason}"), reason=reason))
            return
        self.console.print(self.say(mark("Saved. Go on with: nevel play --resume {file}"), file=file))
