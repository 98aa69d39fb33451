"""A saved game or a record opened from a file: the only form that sends one."""

from email import message_from_bytes
from email.policy import HTTP

from msgspec import Struct
from starlette.requests import Request

from nevel.languages import mark
from nevel.tables.domain.refusals import MalformedError
from nevel.web.pages.page import Go, Page
from nevel.web.server.endpoint import Visit
from nevel.web.server.problems import NotUnderstoodError, TooLargeError
from nevel.web.services import opening
from nevel.web.services.records import LARGEST

#: Bytes read of a file that is too large, so that its sender is told so instead of cut off.
LARGEST_READ = 32 << 20
#: What a form has besides the file: lines between its parts.
AROUND = 4 << 10


class File(Struct, frozen=True):
    """The content of an uploaded file."""

    content: bytes


class FilePage(Page, frozen=True):
    """An endpoint that handles a form with a file."""

    async def read_body(self, request: Request, longest: int) -> File:
        content, length = bytearray(), 0
        async for chunk in request.stream():
            length += len(chunk)
            if length <= longest + AROUND:
                content += chunk
            elif length > LARGEST_READ:
                break
        if length > longest + AROUND:
            raise TooLargeError(longest)
        return File(read_file(request.headers.get("content-type", ""), bytes(content)))


def read_file(kind: str, content: bytes) -> bytes:
    """Parse the uploaded file out of a multipart form."""
    try:
        mail = message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + content, policy=HTTP)
        parts = [part for part in mail.walk() if part.get_param("name", header="content-disposition") == "file"]
        file = parts[0].get_payload(decode=True) if parts else None
    except (ValueError, LookupError) as problem:
        raise NotUnderstoodError(problem) from problem
    if not isinstance(file, bytes) or not file.strip():
        raise MalformedError(mark("Choose a file first."))
    if b"\\u0000" in file:
        raise NotUnderstoodError("NUL")  # no database keeps it
    return file


async def bring(visit: Visit, _query: Struct, file: File) -> Go:
    room = await opening.open_saved_game(visit, file.content)
    return Go(f"/tables/{room.table.name}")


PAGES = (FilePage("POST", "/open", bring, "", None, File, longest=LARGEST),)
