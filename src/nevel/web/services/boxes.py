"""Boxes of people's own: read from forms and links beside the event loop, and kept for whoever corrected them."""

from collections.abc import Mapping
from functools import partial

import msgspec

from nevel.game.box import Box, BoxError
from nevel.game.boxes.code import decode_box
from nevel.game.boxes.sheet import sheet_of
from nevel.game.spec import GameSpec
from nevel.tables.runtime.off_loop import BOX, run_off_loop
from nevel.web.server.endpoint import Visit

#: Letters of a box of somebody's own, as the text of a file: several times as many as ours has.
LONGEST_BOX = 16_384
#: Letters of a box in a link.
LONGEST_CODE = 2_000
#: Seconds after which reading one is given up.
LONGEST_READING = 5.0


async def read_file(visit: Visit, text: str) -> Box:
    """Read a box from the text of a file. Raises BoxError."""
    return await run_off_loop(visit.payer, partial(Box.parse, text), LONGEST_READING, BOX)


async def read_form(visit: Visit, spec: GameSpec, texts: Mapping[str, str]) -> Box:
    """Read a box from what was typed, field by field. Raises BoxSheetError."""
    return await run_off_loop(visit.payer, partial(sheet_of(spec).read, texts), LONGEST_READING, BOX)


async def read_link(visit: Visit, spec: GameSpec, code: str) -> Box:
    """Read a box from the text of a link. Raises DamagedLinkError."""
    return await run_off_loop(visit.payer, partial(decode_box, sheet_of(spec), code), LONGEST_READING, BOX)


async def kept_box(visit: Visit, spec: GameSpec) -> Box | None:
    """The box a visitor keeps of a game, if it isn't ours. It was read before it was kept: that doesn't take long."""
    content = await visit.site.storage.box_of(visit.person.id, spec.name) if visit.person else None
    if content is None:
        return None
    try:
        return Box(msgspec.json.decode(content), spec.name)
    except BoxError:  # of an older version, which asked otherwise
        return None


async def keep_box(visit: Visit, box: Box) -> None:
    """Keep a box for a visitor, who becomes somebody by it; ours is what everybody has who keeps none."""
    storage = visit.site.storage
    if not box.is_ours:
        content = msgspec.json.encode(box.printed).decode()
        await storage.save_box((await visit.somebody()).id, box.game, content)
    elif visit.person:
        await storage.drop_box(visit.person.id, box.game)
