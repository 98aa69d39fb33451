"""The record of a finished game, as a file."""

from nevel.tables.domain.record import write_record
from nevel.tables.domain.table import Table
from nevel.web.server.site import Site

#: Bytes of the largest file that is read: more than the most moves of a saved game take.
LARGEST = 512 << 10


async def write(site: Site, table: Table) -> str:
    """The record of a table's game, with the names of those who played; refused before it is over."""
    await site.people.meet(table.people)
    return write_record(table, site.people.names_of(table.people) or {})
