"""Reads a table page as a client: the legal moves from its buttons and cards."""

import re

HEAD = re.compile(rb'<main id="table" class="([^"]*)" data-seq="(\d+)" data-phase="([^"]*)"[^>]*>')
AFTER = re.compile(rb' data-after="(-?\d+)"')
VERSION = re.compile(rb' data-version="(-?\d+)"')
#: A button that is a move, and no hint: those are offered besides.
BUTTON = re.compile(rb'name="move" value="([^"]+)"(?![^>]* data-hint)')
#: A card and where it may go; and a place, with the move it is the rest of (`nevel.web.pages.moves`).
CARD = re.compile(rb'name="card" value="([^"]+)"[^>]*? data-targets="([^"]*)"')
PLACE = re.compile(rb'name="place" value="([^"]+)"[^>]*? data-target="([^"]*)"')
CHOSEN = "*"
#: The first tag of an element; what stays as it is; lines that come to those there are.
TAG = re.compile(rb"<(\w+)[^>]*>")
KEEP = re.compile(rb'<template data-keep="([^"]*)"></template>')
ADD = re.compile(rb' data-add="([^"]*)" data-most="(\d+)"')
#: How what happened is staged on the way to what a message shows; no part of the page.
STAGED = re.compile(rb"<ol data-staging hidden>.*?</ol>", re.DOTALL)
YOURS = b"is-yours"
END = b"</main>"


class ReceivedPage:
    """The page of a table as it is now: the whole of it came first, then what changed."""

    def __init__(self) -> None:
        self.content = b""

    def take(self, message: bytes) -> None:
        """Bring the page up to date by a message; a ValueError if something between was missed."""
        head = HEAD.match(message)
        if head is None:
            raise ValueError("this isn't the page of a table")
        message = STAGED.sub(b"", message)
        after = AFTER.search(head[0])
        if after is None:
            self.content = message
            return
        version = VERSION.search(self.content)
        if version is None or version[1] != after[1]:
            raise ValueError("something was missed")
        for part in elements(message[head.end() : message.rindex(END)]):
            if added := ADD.search(part, 0, part.index(b">")):
                self._add(part, added[1], int(added[2]))
            else:
                self._replace(part)
        self.content = AFTER.sub(b"", head[0]) + self.content[self.content.index(b">") + 1 :]

    def _replace(self, part: bytes) -> None:
        fresh = KEEP.sub(lambda kept: self.content[slice(*self._find(kept[1]))], part)
        start, end = self._find(part.partition(b' id="')[2].partition(b'"')[0])
        self.content = self.content[:start] + fresh + self.content[end:]

    def _add(self, part: bytes, name: bytes, most: int) -> None:
        start, end = self._find(name)
        opening = self.content.index(b">", start) + 1
        lines = elements(self.content[opening : end - 5]) + elements(part[part.index(b">") + 1 : -5])
        self.content = self.content[:opening] + b"".join(lines[-most:]) + self.content[end - 5 :]

    def _find(self, name: bytes) -> tuple[int, int]:
        """Where the element of an id begins and ends."""
        start = self.content.rindex(b"<", 0, self.content.index(b' id="%b"' % name))
        return start, end_of(self.content, start)

    def read(self) -> tuple[int, str, list[str] | None]:
        """The row a page shows, the phase, and the moves its player is offered; None while others are waited for."""
        found = HEAD.match(self.content)
        assert found
        look, seq, phase = found.groups()
        if YOURS not in look:
            return int(seq), phase.decode(), None
        return int(seq), phase.decode(), moves_in(self.content)


def read_page(content: bytes) -> tuple[int, str, list[str] | None]:
    """Parse a whole page."""
    page = ReceivedPage()
    page.take(content.lstrip())
    return page.read()


def moves_in(content: bytes) -> list[str]:
    """The moves a page offers: a card put where it may go, and buttons."""
    places = {name.decode(): move.decode() for move, name in PLACE.findall(content)}
    moves = [
        places[name].replace(CHOSEN, card.decode(), 1)
        for card, targets in CARD.findall(content)
        for name in names_of(targets)
    ]
    return moves + [text.decode() for text in BUTTON.findall(content)]


def elements(content: bytes) -> list[bytes]:
    """The elements that stand one after the other."""
    found = list[bytes]()
    at = content.find(b"<")
    while at >= 0:
        end = end_of(content, at)
        found.append(content[at:end])
        at = content.find(b"<", end)
    return found


def end_of(content: bytes, start: int) -> int:
    """Find the end of the element that begins here, by counting its tags."""
    opening = TAG.match(content, start)
    assert opening
    if opening[1] == b"input":
        return opening.end()
    depth = 0
    for tag in re.compile(rb"<(/?)%b\b" % opening[1]).finditer(content, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return content.index(b">", tag.end()) + 1
    raise ValueError("an element without an end")


def names_of(targets: bytes) -> list[str]:
    """Where a card may go, without the note that each has: `a:3;b:-10`."""
    return [part.partition(":")[0] for part in targets.decode().split(";") if part]
