"""Fair dealing: parts promised and shown, what a server could still choose, and who finds out."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from nevel.tables.domain import facts
from nevel.tables.domain.commands import Close, Contribute, Leave, MakeHost, Promise, SeatBot, Sit, Start
from nevel.tables.domain.dealing import BY_ROW, digest
from nevel.tables.domain.record import TamperedError, verify, write_record
from nevel.tables.domain.refusals import MalformedError, NotAllowedError, WrongTimeError
from nevel.tables.domain.table import SHOW_WITHIN
from tests.tables.one_table import OneTable
from tests.tables.test_record import NAMES, play_on

PARTS = {"ann": "ann's part", "bob": "bob's part"}


def promised(game: str = "the-game", dealing: int = 2) -> OneTable:
    """Two people who have promised their parts, before the start."""
    one = OneTable(game, 2, dealing=dealing)
    for person, part in PARTS.items():
        one.ask(person, Sit())
        one.ask(person, Promise(digest(part)))
    return one


def dealt(game: str = "the-game", before: Callable[[OneTable], object] = lambda _: None) -> OneTable:
    one = promised(game)
    before(one)
    one.ask("ann", Start())
    for person, part in PARTS.items():
        one.ask(person, Contribute(part))
    return one


def test_the_last_part_deals_the_cards() -> None:
    one = promised()
    one.ask("ann", Start())
    assert one.table.is_shuffling
    assert one.table.phase == "open"
    one.ask("ann", Contribute(PARTS["ann"]))
    assert one.table.phase == "open"
    assert one.ask("ann", Contribute(PARTS["ann"])) == []
    shown, started = one.ask("bob", Contribute(PARTS["bob"]))
    assert shown == facts.Contributed(1, PARTS["bob"])
    assert isinstance(started, facts.GameStarted)
    assert one.table.phase == "playing"
    again = one.again().game
    assert again
    assert one.table.game
    assert again.fingerprint() == one.table.game.fingerprint() == started.after


def test_only_what_was_promised_is_shown_and_only_then() -> None:
    one = promised()
    with pytest.raises(WrongTimeError):
        one.ask("ann", Contribute(PARTS["ann"]))
    with pytest.raises(MalformedError):
        one.ask("ann", Promise("short"))
    with pytest.raises(NotAllowedError):
        one.ask("ann", Promise(digest("x"), chair=1))
    one.ask("ann", Start())
    with pytest.raises(MalformedError):
        one.ask("ann", Contribute("another part"))
    with pytest.raises(WrongTimeError):
        one.ask("ann", Promise(digest("another part")))


def test_a_deal_that_was_brought_along_has_no_parts() -> None:
    one = OneTable("misty", 2, prelude=facts.Prelude("5e" * 16, []))
    one.ask("ann", Sit())
    with pytest.raises(WrongTimeError):
        one.ask("ann", Promise(digest("part")))


def test_nothing_is_rearranged_while_the_parts_are_shown() -> None:
    one = promised()
    one.ask("ann", Start())
    for command in (Leave(), SeatBot("casual"), Close(), Start()):
        with pytest.raises(WrongTimeError):
            one.ask("ann", command)


def test_who_went_keeps_nobody_waiting() -> None:
    one = promised()
    one.ask("ann", Start())
    one.ask("ann", Contribute(PARTS["ann"]))
    assert one.table.deadline == one.now + SHOW_WITHIN
    assert one.expire() == []
    one.now += SHOW_WITHIN
    assert [type(fact) for fact in one.expire()] == [facts.GameStarted]
    assert one.table.parts == {0: PARTS["ann"]}
    play_on(one)
    verify(write_record(one.table, NAMES))


def test_rows_and_their_order_dont_choose_the_cards() -> None:
    """Whoever keeps the log can't try one deal after the other once the parts are shown."""
    deals = set[str]()
    for padding in range(20):
        one = promised()
        for host in range(padding):
            one.add([facts.HostChanged(("bob", "ann")[host % 2])])
        one.table.host = "ann"
        one.ask("ann", Start())
        order = ("ann", "bob") if padding % 2 else ("bob", "ann")
        for person in order:
            one.add([facts.HostChanged("ann")] * (padding % 3))
            one.ask(person, Contribute(PARTS[person]))
        assert one.table.game
        deals.add(one.table.game.fingerprint())
    assert len(deals) == 1


def test_what_was_arranged_and_added_decides() -> None:
    def rearrange(one: OneTable) -> None:
        one.ask("bob", Promise(digest("other")))
        one.ask("bob", Promise(digest(PARTS["bob"])))

    first, again, other = dealt(), dealt(before=lambda one: one.ask("ann", MakeHost(0))), dealt(before=rearrange)
    prints = [one.table.game.fingerprint() for one in (first, again, other) if one.table.game]
    assert prints[0] == prints[1] != prints[2]


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table["parts"].update({"1": "bob's other part"}),
        lambda table: table["parts"].pop("1"),
        lambda table: table["chain"].pop(2),
        lambda table: table["chain"].insert(1, "bot 1 casual"),
        lambda table: table["chain"].reverse(),
        lambda table: table["chain"].clear(),
        lambda table: table.update(name="other"),
        lambda table: table.update(dealing=1),
        lambda table: table.update(dealing=3),
    ],
)
def test_a_changed_chain_is_found_out(change: Callable[[Any], object]) -> None:
    one = dealt()
    play_on(one)
    text = write_record(one.table, NAMES)
    verify(text)
    content = json.loads(text)
    change(content["table"])
    with pytest.raises(TamperedError):
        verify(json.dumps(content))


def test_a_table_of_an_older_version_is_dealt_as_before() -> None:
    one = OneTable(dealing=BY_ROW, chairs=2)
    for person in PARTS:
        one.ask(person, Sit(contribution=PARTS[person]))
    with pytest.raises(WrongTimeError):
        one.ask("ann", Promise(digest("x")))
    one.ask("ann", Start())
    play_on(one)
    record = json.loads(write_record(one.table, NAMES))
    assert record["table"].get("dealing", BY_ROW) == BY_ROW
    verify(json.dumps(record))
