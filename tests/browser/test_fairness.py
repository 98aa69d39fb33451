"""Pages add to the shuffle, and check in the browser that the cards were drawn as they should have been."""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from nevel.tables.domain.commands import Contribute, Start
from nevel.tables.domain.dealing import digest
from nevel.tables.domain.record import verify, write_record
from nevel.tables.domain.table import SHOW_WITHIN
from nevel.testing.parts import choosing_for
from tests.browser.people import PHONE, People
from tests.browser.playing import open_table, play_now
from tests.tables.one_table import OneTable
from tests.tables.test_record import NAMES, played
from tests.tables.test_shuffle import PARTS, dealt, play_on, promised

IMPORT = "(await import(document.querySelector('script[src$=\"nevel.js\"]').src.replace('nevel.js', 'shuffle.js')))"
CHECK = f"async (record) => {IMPORT}.check(record)"
JUDGE = f"async ([record, noted]) => {IMPORT}.judge(record, noted)"
KEPT = """() => Object.keys(localStorage).filter((name) => name.startsWith("part of the shuffle"))
  .map((name) => JSON.parse(localStorage.getItem(name)).part)"""
READY = "[data-live=yes] #table[data-phase=open]"
PLAYING = "#table[data-phase=playing]"


def address_of(page: Page) -> str:
    return f"/api/tables/{page.get_attribute('#table', 'data-table')}"


def view_of(page: Page, where: str = "") -> dict[str, Any]:
    """What somebody sees of the table they are at, or of another."""
    return page.context.request.get(where or address_of(page)).json()["view"]


def sit(page: Page, invitation: str) -> None:
    page.goto(invitation)
    page.click("form[action*='/sit'] button >> nth=0")
    expect(page.locator("form[action*='/leave']")).to_be_visible()


def wait_for_promises(page: Page, count: int) -> dict[str, str]:
    """Wait until the page shows that so many have promised a part; gives the promises by chair."""
    expect(page.locator(".chair use[href$='#shuffle']")).to_have_count(count)
    return view_of(page)["shuffle"]["promises"]


def play_out(*pages: Page) -> dict[str, Any]:
    """Play the first page's table to the end over the API; gives the record."""
    where = address_of(pages[0])
    choosing = choosing_for(pages[0].get_attribute("#table", "data-game") or "", random.Random(1))
    while view_of(pages[0])["phase"] != "over":
        for page in pages:
            view = view_of(page, where)
            if view["prompt"]:
                move = {"move": choosing.choose(view["prompt"]["moves"]), "seq": view["seq"]}
                page.context.request.post(f"{where}/play", data=move)
    return pages[0].context.request.get(f"{where}/export").json()


def open_proof(page: Page) -> str:
    """What the page says once it has checked the record."""
    page.wait_for_selector("#table[data-phase=over]")
    page.click(".proof summary")
    expect(page.locator("#proof")).not_to_be_empty()
    return page.inner_text("#proof")


@pytest.mark.slow(10)
def test_everybodys_page_adds_a_part_of_the_shuffle(people: People) -> None:
    ann, bob = people.come(), people.come(**PHONE)
    sit(bob, open_table(ann, "the-game", 2))
    promises = wait_for_promises(ann, 2)
    # A page that is loaded again still has its part.
    ann.reload()
    ann.wait_for_selector(READY)
    kept = [*ann.evaluate(KEPT), *bob.evaluate(KEPT)]
    assert [digest(part) for part in kept] == [promises["0"], promises["1"]]
    ann.click("form[action*='/start'] button")
    for page in (ann, bob):
        page.wait_for_selector(PLAYING)
    assert view_of(ann)["shuffle"] is None, "while it is played, nothing of the shuffle is shown"
    record = play_out(ann, bob)
    assert record["table"]["parts"] == dict(zip("01", kept, strict=True))
    verify(json.dumps(record))
    for page in (ann, bob):
        assert open_proof(page).endswith("Your own part of the shuffle is in it.")
        assert [page.inner_text(f".proof dd:has-text('{part}')") for part in kept] == kept


@pytest.mark.slow(10)
@pytest.mark.parametrize("is_host", [True, False])
def test_who_has_no_script_keeps_nobody_waiting(people: People, is_host: bool) -> None:
    plain, ann = people.come(java_script_enabled=False), people.come()
    host, guest = (plain, ann) if is_host else (ann, plain)
    if is_host:
        host.goto("/new/misty")
        host.check("input[name=chairs][value='2']", force=True)
        host.click("main button.primary")
        invitation = host.input_value(".link input >> nth=0")
    else:
        invitation = open_table(host, "misty", 2)
    guest.goto(invitation)
    guest.click("form[action*='/sit'] button >> nth=0")
    wait_for_promises(ann, 1)
    if is_host:
        host.reload()
    host.click("form[action*='/start'] button")
    # The page without a script comes back by itself while the others show their parts.
    for page in (host, ann):
        page.wait_for_selector(PLAYING)
    record = play_out(ann, plain)
    assert list(record["table"]["parts"]) == ["1" if is_host else "0"]
    verify(json.dumps(record))


@pytest.mark.slow(20)
def test_who_went_or_shows_another_part_keeps_nobody_waiting_long(people: People) -> None:
    ann, bob, eve = people.come(), people.come(), people.come()
    invitation = open_table(ann, "the-game", 3)
    sit(bob, invitation)
    sit(eve, invitation)
    wait_for_promises(ann, 3)
    bob.goto("/")
    eve.evaluate("""() => {
      const [name] = Object.keys(localStorage).filter((name) => name.startsWith("part of the shuffle"));
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), part: "another" }));
    }""")
    ann.click("form[action*='/start'] button")
    expect(ann.locator("#waiting p[role=status]")).to_contain_text("Waiting for")
    refused = eve.context.request.post(f"{address_of(eve)}/contribute", data={"part": "another"})
    assert refused.status == 400, refused.text()
    assert "isn't the part of the shuffle you promised" in refused.json()["detail"]
    for page in (ann, eve):
        page.wait_for_selector(PLAYING)
    record = play_out(ann, bob, eve)
    assert list(record["table"]["parts"]) == ["0"]
    verify(json.dumps(record))
    assert open_proof(ann).endswith("Your own part of the shuffle is in it.")
    expect(ann.locator(".proof dd:has-text('promised a part of the shuffle and didn')")).to_have_count(2)


@pytest.mark.slow(10)
def test_play_now_promises_its_part_after_it_saw_the_fingerprint(people: People) -> None:
    ann, asked = people.come(), list[tuple[str, str, str]]()

    def note(request: Request) -> None:
        if request.method == "POST" or "/api/tables/" in request.url:
            path = "/".join(request.url.split("/")[3:])
            asked.append((request.method, path, request.post_data or ""))

    ann.on("request", note)
    play_now(ann, "the-game")
    table = ann.get_attribute("#table", "data-table")
    (kept,) = ann.evaluate(KEPT)
    assert [(method, path) for method, path, _ in asked] == [
        ("POST", "play/the-game"),
        ("GET", f"api/tables/{table}"),
        ("POST", f"api/tables/{table}/promise"),
        ("POST", f"api/tables/{table}/start"),
        ("POST", f"api/tables/{table}/contribute"),
    ]
    assert digest(kept) in asked[2][2]
    assert [kept in body for _, _, body in asked] == [False, False, False, False, True]
    record = play_out(ann)
    assert record["table"]["parts"] == {"0": kept}
    assert open_proof(ann).endswith("Your own part of the shuffle is in it.")


@pytest.mark.slow
def test_a_page_finds_out_who_showed_it_something_else_before(people: People) -> None:
    page = people.come()
    page.goto(people.base)
    record = record_with_parts()
    own = {"part": PARTS["ann"], "commitment": record["table"]["commitment"]}
    assert page.evaluate(JUDGE, [record, [None, None]]) == ["fair"]
    assert page.evaluate(JUDGE, [record, [own, None]]) == ["fair", "added"]
    assert page.evaluate(JUDGE, [record, [{**own, "part": "never promised"}, None]]) == ["fair"]
    assert page.evaluate(JUDGE, [record, [{**own, "commitment": "0" * 64}, None]]) == ["wrong"]
    assert page.evaluate(JUDGE, [record, [{**own, "head": "0" * 64}, None]]) == ["wrong"]
    without = json.loads(write_record(dealt_without_ann().table, NAMES))
    assert page.evaluate(JUDGE, [without, [{**own, "commitment": without["table"]["commitment"]}, None]]) == [
        "fair",
        "missing",
    ]


def dealt_without_ann() -> OneTable:
    """A game for which Ann promised a part that isn't in it."""
    one = promised()
    one.ask("ann", Start())
    one.ask("bob", Contribute(PARTS["bob"]))
    one.now += SHOW_WITHIN
    one.expire()
    play_on(one)
    return one


def record_with_parts() -> dict[str, Any]:
    one = dealt()
    play_on(one)
    return json.loads(write_record(one.table, NAMES))


@pytest.mark.slow
def test_a_page_checks_a_record(people: People) -> None:
    page = people.come()
    page.goto(people.base)
    true, plain = record_with_parts(), json.loads(write_record(played("misty").table, NAMES))
    assert page.evaluate(CHECK, true)
    assert page.evaluate(CHECK, plain)
    for where, what in (("secret", "00" * 32), ("parts", {"0": "ann's part", "1": "other"}), ("name", "other")):
        assert not page.evaluate(CHECK, {**true, "table": {**true["table"], where: what}}), where
    assert not page.evaluate(CHECK, {**true, "seed": "0" * 32})
    assert not page.evaluate(CHECK, {**true, "moves": [{**move, "key": "0" * 32} for move in true["moves"]]})
