"""Tournaments: the file, the games, what is kept, and that it can be killed at any moment."""

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from nevel.lab.figures.plots import Dot, distribution_plot, line_plot
from nevel.lab.matches.match import Match
from nevel.lab.tournaments.export import figures, write_games
from nevel.lab.tournaments.plan import Plan
from nevel.lab.tournaments.report import write_report
from nevel.lab.tournaments.results import Results, ResultsError
from nevel.lab.tournaments.tournament import FIRST_DEALS, Piece, Tournament, points_of
from nevel.languages import LANGUAGES, SpokenError, language
from tests.commands import run_nevel

CUP = """
[tournament]
name = "Cup & <friends>"
seed = 7
deals = 6
playouts = 10

[[game]]
game = "misty"
seats = 3
options = { beginners = 1 }

[[game]]
game = "the-game"
seats = 2

[[player]]
level = "simple"

[[player]]
level = "casual"

[[player]]
name = "thinker"
level = "expert"
"""
QUICK = CUP.replace('name = "thinker"\nlevel = "expert"', 'level = "random"')


def played(text: str, cores: int = 1, results: Results | None = None) -> Tournament:
    tournament = Tournament(Plan.parse(text))
    for _ in tournament.run(tournament.on_cores(cores), results):
        pass
    return tournament


def run(*arguments: str, **environment: Any) -> subprocess.CompletedProcess[str]:
    return run_nevel("tournament", *arguments, timeout=600, **{"NEVEL_LANGUAGE": "en", **environment})


@pytest.mark.slow(10)
def test_one_core_and_many_give_the_same() -> None:
    one, many = played(CUP, cores=1), played(CUP, cores=3)
    assert figures(one) == figures(many)
    assert [len(ladder.played) for ladder in one.ladders] == [6 * 3 * 6, 6 * 3]
    assert one.ladders[0].played == many.ladders[0].played
    told = figures(one)
    assert told["is_repeatable"] is True


def test_budgets_names_and_options_reach_the_games() -> None:
    ladder = Tournament(Plan.parse(CUP)).ladders[0]
    assert ladder.matches.options == {"beginners": 1}
    assert ladder.matches.entrant("thinker").player == "expert"
    assert ladder.matches.entrant("thinker").budget.playouts == 10
    own = CUP + "\nplayouts = 3\n"
    assert Tournament(Plan.parse(own)).ladders[0].matches.entrant("thinker").budget.playouts == 3


def test_without_rotation_chairs_move_on_from_deal_to_deal() -> None:
    once = Tournament(Plan.parse(QUICK.replace("deals = 6", "deals = 6\nrotate = false"))).ladders[0]
    jobs = once.jobs()
    assert len(jobs) == 6 * 3
    first = [job.lineup for job in jobs if job.counts_for == 0]
    assert len(set(first)) == 6
    for seat in range(3):
        assert [lineup[seat] for lineup in first].count("simple") == 3


def test_deals_are_common_unless_the_file_says_otherwise() -> None:
    common = Tournament(Plan.parse(QUICK)).ladders
    assert {job.dealt for job in common[0].jobs() if job.deal == 2} == {2}
    own = Tournament(Plan.parse(QUICK.replace("deals = 6", "deals = 6\ncommon_deals = false"))).ladders
    for ladder in own:
        dealt = {(job.counts_for, job.dealt) for job in ladder.jobs()}
        assert len({number for _, number in dealt}) == len(dealt) == 6 * 3


def test_deals_are_added_until_the_ratings_are_precise_enough() -> None:
    # Everything in one process and nobody thinks: hundreds of deals take no time.
    text = QUICK.replace("deals = 6", "precision = 150\nmost_deals = 400").replace('game = "misty"\nseats = 3', "")
    text = text.replace("[[game]]\n\noptions = { beginners = 1 }\n", "")
    coarse = played(text)
    (ladder,) = coarse.ladders
    assert ladder.deals in (FIRST_DEALS, 2 * FIRST_DEALS, 4 * FIRST_DEALS, 400)
    assert ladder.precision <= 150 or ladder.deals == 400
    fine = played(text.replace("precision = 150", "precision = 0.1"))
    assert fine.ladders[0].deals == 400
    assert len(fine.ladders[0].played) == 400 * 3
    assert fine.ladders[0].precision < coarse.ladders[0].precision or ladder.deals == 400
    # The deals of the coarse one are the first deals of the fine one.
    assert ladder.played.items() <= fine.ladders[0].played.items()


def test_what_was_played_is_not_played_again(tmp_path: Path) -> None:
    whole = played(QUICK)
    path = tmp_path / "results.jsonl"
    plan = Plan.parse(QUICK)
    tournament = Tournament(plan)
    seen: list[int] = []

    def runner(event: int, pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Match]]]:
        for number, matches in tournament.on_cores(1)(event, pieces):
            seen.append(len(matches))
            yield number, matches

    with Results(path, plan.fingerprint()) as results:
        for step in tournament.run(runner, results):
            if step.event == 0 and step.done:
                break  # left early
    before = sum(seen)
    assert 0 < before < 6 * 3 * 6
    tournament = Tournament(plan)
    with Results(path, plan.fingerprint()) as results:
        for _ in tournament.run(runner, results):
            pass
    assert sum(seen) == 6 * 3 * 6 + 6 * 3
    assert figures(tournament) == figures(whole)
    # More deals go on from what is there.
    longer = Plan.parse(QUICK.replace("deals = 6", "deals = 7"))
    assert longer.fingerprint() == plan.fingerprint()
    seen.clear()
    tournament = Tournament(longer)
    with Results(path, plan.fingerprint()) as results:
        for _ in tournament.run(runner, results):
            pass
    assert sum(seen) == 3 * 6 + 3
    assert figures(tournament) == figures(played(QUICK.replace("deals = 6", "deals = 7")))


def test_a_torn_line_is_dropped_and_a_broken_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Results(path, "a") as results:
        results.add(0, {0: Match([1, 2], [1], 30), 5: Match([2, 1], [0], 31)})
    kept = path.read_bytes()
    path.write_bytes(kept + b'{"event":0,"jo')
    with Results(path, "a") as results:
        assert sorted(results.matches) == [(0, 0), (0, 5)]
        results.add(1, {0: Match([0], [], 3)})
    assert path.read_bytes().startswith(kept)
    with Results(path, "a") as results:
        assert sorted(results.matches) == [(0, 0), (0, 5), (1, 0)]
        with pytest.raises(ResultsError, match="Another process"):
            Results(path, "a")
    with pytest.raises(ResultsError, match="another tournament"):
        Results(path, "b")
    path.write_bytes(kept + b"what?\n")
    with pytest.raises(ResultsError, match="line 4"):
        Results(path, "a")
    path.write_bytes(b"what?\n")
    with pytest.raises(ResultsError, match="isn't a tournament's results"):
        Results(path, "a")


@pytest.mark.slow(12)
def test_a_killed_tournament_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP.replace("deals = 6", "deals = 4"), "utf-8")
    whole = run(str(file), "--out", str(tmp_path / "whole"), "--cores", "1")
    assert whole.returncode == 0, whole.stderr
    results = tmp_path / "cup.results.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "nevel.cli", "tournament", str(file), "--cores", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while process.poll() is None and (not results.exists() or results.read_bytes().count(b"\n") < 10):
            time.sleep(0.01)  # until ten lines are written
    finally:
        process.kill()
        process.wait()
    assert 10 <= results.read_bytes().count(b"\n") < 4 * 3 * 6 + 4 * 3
    again = run(str(file), "--cores", "2")
    assert again.returncode == 0, again.stderr
    assert again.stdout == whole.stdout
    for name in ("cup.results.json", "cup.results.parquet", "cup.report.html"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.slow
def test_an_interrupted_tournament_says_that_it_can_go_on(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP.replace("deals = 6", "deals = 5000"), "utf-8")
    results = tmp_path / "cup.results.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "nevel.cli", "tournament", str(file), "--cores", "2"],
        env={**os.environ, "NEVEL_LANGUAGE": "en"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background ignores interrupts, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while process.poll() is None and (not results.exists() or results.read_bytes().count(b"\n") < 5):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=300)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, told
    assert "to continue" in " ".join(told.split())
    assert "Traceback" not in told
    kept = results.read_bytes()
    assert kept.endswith(b"\n")
    assert kept.count(b"\n") >= 5
    assert not (tmp_path / "cup.report.html").exists()


def test_the_command_writes_everything_and_prints_json(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(QUICK, "utf-8")
    done = run(str(file), "--out", str(tmp_path / "out"), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [event["game"] for event in told["games"]] == ["misty", "the-game"]
    assert {rating["level"] for rating in told["games"][0]["ratings"]} == {"simple", "casual", "random"}
    assert told == json.loads((tmp_path / "out" / "cup.results.json").read_text("utf-8"))
    assert "cup.report.html" in done.stderr
    assert "clock" not in done.stderr


@pytest.mark.slow
def test_a_clock_is_warned_of(tmp_path: Path) -> None:
    assert Plan.parse(CUP.replace("playouts = 10", "seconds = 0.01")).is_timed
    assert not Plan.parse(QUICK.replace("playouts = 10", "seconds = 0.01")).is_timed  # nobody thinks
    program = f'\n[[player]]\nname = "mine"\nprogram = "{sys.executable} -c pass"\n'
    assert Plan.parse(QUICK + program).is_timed
    file = tmp_path / "cup.toml"
    file.write_text(CUP.replace("playouts = 10", "seconds = 0.001").replace("deals = 6", "deals = 1"), "utf-8")
    done = run(str(file))
    assert done.returncode == 0, done.stderr
    assert "against the clock" in done.stderr


def test_an_outside_program_plays_under_its_name() -> None:
    example = Path(__file__).parents[2] / "docs" / "examples" / "outside_bot.py"
    program = f'\n[[player]]\nname = "mine"\nprogram = "{sys.executable} {example}"\n'
    text = QUICK.replace("deals = 6", "deals = 1").split('[[game]]\ngame = "the-game"')
    text = text[0] + "\n".join(["", *text[1].splitlines()[2:]]) + program
    tournament = played(text, cores=2)
    assert {rating.level for rating in tournament.ladders[0].ratings()} == {"simple", "casual", "random", "mine"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("misty", "chess"), "chess"),
        (("seats = 3", "seats = 9"), "seats is 9"),
        (("beginners", "sinners"), "no option sinners"),
        (('level = "casual"', 'level = "genius"'), "no bot “genius”"),
        (('level = "casual"', 'program = "no-such-program-anywhere"'), "no-such-program-anywhere"),
        (('level = "casual"', 'level = "simple"'), "the same name"),
        (('level = "casual"', 'level = "casual"\nprogram = "x"'), "a level or a program"),
        (("deals = 6", "deals = 6\nprecision = 10"), "not both"),
        (("deals = 6", "deals = 0"), "1 to 100000 deals"),
        (("deals = 6", "precision = 0"), "above 0"),
        (("playouts = 10", "playouts = 10\nseconds = 1"), "not both"),
        (("playouts = 10", "playouts = 0"), "at least one simulated game"),
        (("deals = 6", "deals = true"), "isn't a tournament"),
        (("deals = 6", "rounds = 6"), "rounds"),
        (("[tournament]", "[tournament"), "not TOML"),
        (("seats = 3", 'seats = 3\nbox = "nowhere.toml"'), "nowhere.toml"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(change: tuple[str, str], problem: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP.replace(*change, 1), "utf-8")
    with pytest.raises(SpokenError, match=problem) as raised:
        Plan.read(file)
    for code in LANGUAGES:
        assert raised.value.sentence(language(code))


def test_a_missing_file_and_few_players_are_refused(tmp_path: Path) -> None:
    done = run(str(tmp_path / "none.toml"), NEVEL_LANGUAGE="nl")
    assert done.returncode == 2
    assert "none.toml" in done.stderr.replace("\n", "")  # long paths are wrapped
    with pytest.raises(SpokenError, match="two players"):
        Plan.parse('[[game]]\ngame = "misty"\nseats = 2\n[[player]]\nlevel = "simple"\n')
    with pytest.raises(SpokenError, match="missing required field `player`"):
        Plan.parse('[[game]]\ngame = "misty"\nseats = 2\n')


class Page(HTMLParser):
    """What a page is made of, and whether everything that is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_is_one_page_in_every_language_that_needs_nothing_else() -> None:
    tournament = played(QUICK)
    pages: set[str] = set()
    for code in LANGUAGES:
        html = write_report(tournament, language(code))
        page = Page()
        page.feed(html)
        assert page.open == []
        assert page.seen.count("svg") == 6
        assert "script" not in page.seen
        assert "link" not in page.seen
        assert "http" not in html.replace("http://www.w3.org/2000/svg", "")
        assert f'<html lang="{code}">' in html
        assert "prefers-color-scheme: dark" in html
        assert "Cup & <friends>" in page.text
        pages.add(page.text)
    assert len(pages) == len(LANGUAGES)


def test_every_game_is_a_row_of_the_table(tmp_path: Path) -> None:
    tournament = played(QUICK)
    write_games(tournament, tmp_path / "games.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "games.parquet")
    rows = table.to_pylist()
    assert len(rows) == 6 * 3 * 6 + 6 * 3
    assert table.schema.metadata[b"nevel.tournament"].decode() == "Cup & <friends>"
    misty = [row for row in rows if row["game"] == "misty"]
    assert all(set(row["players"]) == {row["first"], row["second"]} for row in misty)
    assert all(len(row["points"]) == 3 and row["winners"] and row["moves"] > 10 for row in misty)
    together = [row for row in rows if row["game"] == "the-game"]
    assert all(row["first"] is None and len(set(row["players"])) == 1 for row in together)
    means = {name: points.mean() for name, points in points_of(tournament.ladders[1]).items()}
    left = [row["points"][0] for row in together if row["players"][0] == "casual"]
    assert means["casual"] == sum(left) / len(left)


def test_pictures_of_distributions_and_lines_are_drawings() -> None:
    svg = "{http://www.w3.org/2000/svg}"
    bars = ElementTree.fromstring(distribution_plot("A & b", {"x": [1, 1, 2, 40], "y": [200.0, 199], "z": []}, "note"))
    drawn = bars.findall(f"{svg}rect")
    assert len(drawn) == 4  # of four numbers each
    assert all(0 < float(bar.attrib["x"]) < 640 and float(bar.attrib["width"]) > 0 for bar in drawn)
    assert len(bars.findall(f"{svg}circle")) == 2
    flat = ElementTree.fromstring(distribution_plot("All the same", {"x": [3, 3, 3]}))
    assert len(flat.findall(f"{svg}rect")) == 1
    lines = {name: [Dot(str(seats), seats * 0.1, 0, 0.9) for seats in (2, 3, 4)] for name in ("a", "b", "c", "d")}
    drawing = ElementTree.fromstring(line_plot("Lines", lines, "note"))
    assert len(drawing.findall(f"{svg}polyline")) == 4
    assert len(drawing.findall(f"{svg}circle")) == 4 + 12
    ElementTree.fromstring(line_plot("Nothing", {}))
