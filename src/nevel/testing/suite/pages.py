"""Checks of what the browser needs: handbook, drawings, templates; and a whole game at a real server by clicking."""

from importlib import import_module
from typing import Any

from nevel.languages import DEFAULT, mark
from nevel.testing.check import check, fail, skip
from nevel.testing.subject import Subject


@check(mark("The handbook explains every clause, in every language"))
def handbook_is_whole(subject: Subject) -> None:
    """The rules page can be drawn in every language: `web/help/NAME.toml` and a file with its words for each.

    Every clause is explained once, links lead to clauses, all languages have the same items and examples, and no text
    is left in another language. Steps of the guide point at parts of the table the board names, the first one at once.
    """
    from nevel.web.help.handbook import handbook
    from nevel.web.help.outline import spoken
    from nevel.web.pages.rules import contents

    board = subject.spec.load("board")
    clauses = sorted(subject.spec.rulebook)
    english = handbook(subject.name, DEFAULT)
    if missing := set(subject.languages) - set(spoken(subject.name)):
        fail(f"there is no {', '.join(f'web/help/{subject.name}.{code}.toml' for code in sorted(missing))}")
    for code in subject.languages:
        book = handbook(subject.name, code)
        contents(subject.name, code)  # every figure is drawn
        explained = sorted(clause for item in book.items for clause in item.clauses)
        if explained != clauses:
            wrong = sorted(set(explained) ^ set(clauses)) or "some of them twice"
            fail(f"the handbook ({code}) doesn't explain every clause once: {wrong}")
        for item, original in zip(book.items, english.items, strict=True):
            if not item.title or not item.text or len(item.examples) != len(original.examples):
                fail(f"{item.name} has no title or text, or other examples than in English ({code})")
            if code != DEFAULT and len(item.text.split()) > 2 and item.text == original.text:
                fail(f"{item.name} is in English in {code}")
    for step in english.guide:
        if step.point not in board.guide_points:
            fail(f"step {step.name} of the guide points at {step.point}, which the board doesn't have")
    if not english.guide:
        fail("there is no guide for a first game")


@check(mark("Every drawing that is named exists"))
def drawings_exist(subject: Subject) -> None:
    """The game has `scene-NAME.svg` for the home page and `back-NAME.svg`, and every drawing its scene names.

    Drawings are in `web/drawings` of its package or among those all games share.
    """
    from nevel.lab.scene import scene
    from nevel.web.assets.assets import assets

    drawings = assets().drawings
    named = {f"scene-{subject.name}", f"back-{subject.name}"}
    for seats, options in subject.few_tables:
        game = subject.new(seats, 3, options)
        for moment in subject.play(game, subject.dice(("drawings", seats)), is_sensible=True):
            for block in scene(moment.view(moment.waiting_for[0] if moment.waiting_for else None)):
                named |= {block.drawing, *(cell.drawing for row in block.rows for cell in row if cell.drawing)}
    if missing := named - set(drawings):
        fail(f"there are no drawings {', '.join(sorted(missing))}")


@check(mark("A whole game is played in a browser"), is_slow=True)
def browser_plays(subject: Subject) -> None:
    """Somebody plays a game against bots to its end at a real server, in a real Chromium on a phone, by pressing what
    the page offers; then looks at the replay and the rules.

    axe-core finds nothing wrong with the page in any state, by day on a phone and by night at a desk; nothing is wider
    than the screen, every drawing on the page exists and the console stays silent.
    Where the page offers nothing to press, the board leaves out a legal move.
    """
    try:
        import_module("playwright.sync_api")
    except ImportError:
        skip(mark("{library} isn't installed"), library="playwright")
    from nevel.testing.browser import find_chromium, play_in_browser

    chromium = find_chromium()
    if chromium is None:
        skip(mark("no Chromium was found; NEVEL_CHROMIUM says where it is"))
    problems: list[Any] = play_in_browser(subject.name, chromium)
    if problems:
        fail("\n".join(map(str, problems)))
