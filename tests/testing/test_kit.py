"""The conformance kit notices what is wrong with a game, and says it."""

import dataclasses
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nevel.game.boxes.sheet import BoxField, BoxRow, BoxSection
from nevel.game.move import Moves
from nevel.game.registry import find
from nevel.games.misty import rules
from nevel.games.misty.words import Misty
from nevel.languages import LANGUAGES, language
from nevel.languages.extraction import MessageId
from nevel.testing import Conformance, ConformanceError, SkippedCheckError, Subject, TestingParts, checks
from nevel.testing.conformance import ALL_CHECKS, UnknownCheckError
from nevel.testing.refusals import refusals
from tests.commands import run_nevel

SPEC = find("misty")
TESTS = Path(__file__).parents[1]
#: Enough to find what is always wrong.
LITTLE = 0.05


def run(check: str, spec: Any = SPEC, **folders: Path) -> None:
    ALL_CHECKS[check].run(Subject(spec, effort=LITTLE, **folders))


def refused(check: str, says: str, spec: Any = SPEC, **folders: Path) -> None:
    with pytest.raises(ConformanceError, match=says):
        run(check, spec, **folders)


def change(monkeypatch: pytest.MonkeyPatch, name: str, make: Callable[[Any], Any]) -> None:
    """Put something else in the place of a function of the rules."""
    monkeypatch.setattr(rules, name, make(getattr(rules, name)))


# ---------------------------------------------------------------- what is noticed


def test_fields_of_the_spec_that_make_no_sense() -> None:
    refused("spec-is-complete", "another spec is registered", dataclasses.replace(SPEC, minutes=3))
    for field, value in (("minutes", 0), ("longest_game", -1), ("credits", " ")):
        broken = dataclasses.replace(SPEC, **{field: value})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("nevel.testing.suite.spec.find", lambda _, spec=broken: spec)
            refused("spec-is-complete", f"spec.{field}", broken)


def test_a_box_that_isnt_described_as_it_is() -> None:
    section = SPEC.box_sections[0]
    row = section.rows[0]

    def with_sections(*sections: BoxSection) -> Any:
        return dataclasses.replace(SPEC, box_sections=sections)

    def with_row(*fields: BoxField | None) -> Any:
        return with_sections(dataclasses.replace(section, rows=(BoxRow(row.label, fields), *section.rows[1:])))

    refused("box-is-described", "a field twice", with_sections(section, section))
    refused("box-is-described", "no clause", with_sections(dataclasses.replace(section, clause="MI-Z9")))
    refused("box-is-described", "1 fields for 3 columns", with_row(row.fields[0]))
    refused("box-is-described", "isn't in box.toml", with_row(BoxField("cards.comet.count", 0, 9), None, None))
    refused("box-is-described", "doesn't allow", with_row(BoxField("cards.rocket.count", 0, 3), None, None))
    refused("box-is-described", "refused when it is typed", with_sections(dataclasses.replace(section, total=55)))
    run("box-is-described", with_sections())


def test_parts_that_arent_there_or_arent_what_they_should_be() -> None:
    nowhere = dataclasses.replace(SPEC, bots="nevel.games.misty.nowhere:BOTS")
    refused("parts-are-there", "can't be imported", nowhere)
    wrong = dataclasses.replace(SPEC, lab="nevel.games.misty.terminal:draw")
    refused("parts-are-there", "not a LabParts", wrong)


def test_a_move_that_is_marked_but_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(real: Any) -> Any:
        def mark_moves(s: Any, seat: int, mask: Any) -> int:
            count = int(real(s, seat, mask))
            count += 1 - int(mask[0])
            mask[0] = 1
            return count

        return mark_moves

    change(monkeypatch, "mark_moves", make)
    refused("legal-moves-agree", "mark_moves marks “pick rocket”, refusal says")


def test_a_refusal_that_is_no_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    def strange(s: Any, seat: int) -> Any:
        codes = refusals(s, seat)
        codes[codes > 0] = 999
        return codes

    monkeypatch.setattr("nevel.testing.suite.rules.refusals", strange)
    refused("legal-moves-agree", r"refused by \{999\}, which is no clause")


def test_a_game_that_lasts_too_long() -> None:
    refused("games-end", "isn't over after 5 moves", dataclasses.replace(SPEC, longest_game=5))


def test_pieces_that_get_lost() -> None:
    lossy = TestingParts(conserved=lambda s: [int(s.hand.sum())])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Subject, "parts", lossy)
        refused("pieces-are-conserved", "were dealt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Subject, "parts", TestingParts(perft={(2, 1): [11, 61]}))
        refused("perft-agrees", r"there are \[11, 60\] ways to go on, not \[11, 61\]")


def test_a_seat_that_keeps_what_it_cant_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another hand, left in the record: imagining draws it anew."""

    def make(real: Any) -> Any:
        def conceal(s: Any, seat: int) -> None:
            hands = s.hand.copy()
            real(s, seat)
            s.hand[:] = hands

        return conceal

    change(monkeypatch, "conceal", make)
    refused("concealing-is-complete", "hand of seat -1 differ|pieces")


def test_a_view_that_shows_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Misty.common_view

    def common_view(self: Misty, s: Any) -> dict[str, Any]:
        shown = dict(real(self, s))
        shown["waiting_for"] = [*shown["waiting_for"], sum(s.aside[:4])]
        return shown

    monkeypatch.setattr(Misty, "common_view", common_view)
    refused("shown-is-known", "the view of seat .* shows what it can't know")


def test_an_event_that_tells_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody hears which card somebody has picked."""
    real = Misty.events

    def events(self: Misty, rows: Any, before: Any) -> Any:
        return [(-1, event) for _, event in real(self, rows, before)]

    monkeypatch.setattr(Misty, "events", events)
    refused("told-is-known", "hears of “pick")


def test_two_moves_of_one_spelling(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = Moves("misty", rules.MOVES, lambda number, word: f"{word('pick')} {min(number, 7)}")
    monkeypatch.setattr(Misty, "moves", moves)
    refused("notation-is-clear", "is both move 7, “pick 7”, and move 8")


def test_a_message_without_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    from nevel.testing.suite import words

    there = words.translations

    def without_the_pitch(code: str) -> dict[MessageId, tuple[str, ...]]:
        return {message: forms for message, forms in there(code).items() if message[0] != SPEC.pitch}

    monkeypatch.setattr(words, "translations", without_the_pitch)
    refused("messages-are-translated", "isn't translated")


def test_clauses_without_a_test(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text('@pytest.mark.clause("MI-S1")\ndef test(): ...\n', "utf-8")
    refused("clauses-are-tested", "clauses without a test in .*MI-B1", tests=tmp_path)
    with pytest.raises(SkippedCheckError, match="no folder of tests"):
        run("clauses-are-tested")


def test_a_recorded_game_that_is_played_otherwise(tmp_path: Path) -> None:
    for file in (TESTS / "golden").glob("misty.*"):
        shutil.copy(file, tmp_path)
    run("golden-game-is-the-same", golden=tmp_path)
    french = tmp_path / "misty.fr.txt"
    french.write_text(french.read_text("utf-8").replace("Anna", "Anne", 1), "utf-8")
    refused("golden-game-is-the-same", "Anne", golden=tmp_path)


def test_a_bot_that_peeks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it is given isn't concealed: it decides by the truth."""
    from nevel.testing.suite import bots

    monkeypatch.setattr(bots, "decide", lambda s, seat, policy, rng, levels: int(s.aside.sum()))
    refused("policies-never-peek", "decides otherwise in seat")


def test_drawings_that_arent_there(monkeypatch: pytest.MonkeyPatch) -> None:
    from nevel.web.assets.assets import assets

    monkeypatch.delitem(assets().drawings, "misty-rocket")
    refused("drawings-exist", "there are no drawings misty-rocket")


def test_a_library_that_isnt_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, check in (
        ("pettingzoo.test", "pettingzoo-accepts"),
        ("pyspiel", "openspiel-accepts"),
        ("gymnasium", "gymnasium-accepts"),
        ("playwright.sync_api", "browser-plays"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(SkippedCheckError, match="isn't installed"):
            run(check)


# ---------------------------------------------------------------- how it is used


class TestMisty(Conformance):
    """An outsider's test-suite: three lines. What takes long is run by `test_conformance` already."""

    game = "misty"
    tests = TESTS
    golden = TESTS / "golden"


for slow in (name for name in list(ALL_CHECKS) if name not in ("spec-is-complete", "seeds-decide", "clauses-are-told")):
    setattr(TestMisty, f"test_{ALL_CHECKS[slow].run.__name__}", None)


def test_every_check_is_a_test_and_tells_what_it_is_about() -> None:
    assert len(ALL_CHECKS) > 30
    for check in checks():
        method = getattr(Conformance, f"test_{check.run.__name__}")
        assert method.__doc__ == check.run.__doc__
        assert len(check.advice.split()) > 10, check
        assert language("fr").say(check.title) != check.title != language("nl").say(check.title)


def test_checks_are_chosen_by_name_and_by_time() -> None:
    assert [check.name for check in checks(["games-end", "seeds-decide"])] == ["games-end", "seeds-decide"]
    assert [check.name for check in checks(["games-end", "seeds-decide"], is_quick=True)] == ["seeds-decide"]
    with pytest.raises(UnknownCheckError, match="There is no check nothing; there are spec-is-complete"):
        checks(["nothing"])


def test_importing_the_kit_imports_none_of_the_heavy_libraries() -> None:
    code = (
        "import sys, nevel.testing\n"
        "heavy = {'pettingzoo', 'gymnasium', 'pyspiel', 'playwright', 'uvicorn', 'pytest', 'starlette'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---------------------------------------------------------------- nevel check-game


def check_game(*arguments: str, code: str = "en") -> subprocess.CompletedProcess[str]:
    return run_nevel("check-game", *arguments, "--language", code, timeout=300)


def test_the_command_tells_what_passed(tmp_path: Path) -> None:
    chosen = ("--check", "seeds-decide", "--check", "golden-game-is-the-same")
    done = check_game("misty", *chosen, "--golden", str(tmp_path), code="nl")
    assert done.returncode == 0, done.stderr
    assert "goed" in done.stdout
    assert "overgeslagen" in done.stdout
    assert "1 controles geslaagd, 0 mislukt, 1 overgeslagen." in done.stdout


def test_the_command_tells_what_failed_and_what_to_do(tmp_path: Path) -> None:
    done = check_game("misty", "--check", "clauses-are-tested", "--tests", str(tmp_path))
    assert done.returncode == 1
    assert "failed" in done.stdout
    assert "MI-B1" in done.stdout
    assert "@pytest.mark.clause" in done.stdout
    as_json = check_game("misty", "--check", "clauses-are-tested", "--tests", str(tmp_path), "--json")
    assert as_json.returncode == 1
    (result,) = json.loads(as_json.stdout)
    assert (result["check"], result["status"]) == ("clauses-are-tested", "failed")
    assert "MI-B1" in result["reason"]


def test_the_command_refuses_what_it_doesnt_know() -> None:
    for arguments, says in (
        (["chess"], "There is no game chess"),
        (["misty", "--check", "everything"], "There is no check everything"),
    ):
        done = check_game(*arguments)
        assert done.returncode == 2
        assert says in done.stderr


def test_the_command_records_games(tmp_path: Path) -> None:
    done = check_game("misty", "--record", "--golden", str(tmp_path))
    assert done.returncode == 0, done.stderr
    for code in LANGUAGES:
        recorded = (tmp_path / f"misty.{code}.txt").read_text("utf-8")
        assert recorded == (TESTS / "golden" / f"misty.{code}.txt").read_text("utf-8")


# ---------------------------------------------------------------- docs/conformance.md


def test_the_documentation_lists_every_check_and_every_part() -> None:
    page = (TESTS.parent / "docs" / "conformance.md").read_text("utf-8")
    table = page.partition("## The checks")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?)( \(slow\))? \| (.+) \|$", table, re.MULTILINE)
    assert [(name, title, bool(slow)) for name, title, slow, _ in rows] == [
        (check.name, check.title, check.is_slow) for check in checks()
    ]
    for (_, _, _, told), check in zip(rows, checks(), strict=True):
        assert told == check.advice.split("\n\n")[0].replace("\n", " ")
    assert {name for name in TestingParts._fields if f"`{name}" not in page} == set()


def test_the_three_lines_of_the_documentation_are_tests(tmp_path: Path) -> None:
    page = (TESTS.parent / "docs" / "conformance.md").read_text("utf-8")
    lines = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0].replace("my-game", "misty")
    (tmp_path / "test_game.py").write_text(lines, "utf-8")
    chosen = "spec_is_complete or clauses_are_tested or golden"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", str(tmp_path), "-k", chosen],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "1 failed, 1 passed, 1 skipped" in done.stdout, done.stdout
    assert "clauses without a test" in done.stdout
    assert "no game was recorded" in done.stdout
