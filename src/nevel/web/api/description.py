"""The description of the API (OpenAPI 3.1), generated from the types that requests and answers are decoded with."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import msgspec
from msgspec import Struct

from nevel.game.registry import all_games
from nevel.game.vocabulary import View
from nevel.web.live.socket import Acknowledged, Refused, SocketRequest
from nevel.web.people.people import COOKIE
from nevel.web.server.endpoint import Endpoint, Nothing
from nevel.web.server.problems import MEDIA_TYPE, Problem

REFERENCE = "#/components/schemas/{name}"
#: What may go wrong with any request, and with those about a table.
ALWAYS = {
    400: "It can't be understood.",
    401: "The token is nobody's, or this can't be done without being known.",
    429: "Too much at once.",
    503: "The database is away for a moment.",
}
UNSAFE = {403: "Only others may do that, or another site's page asks it.", 413: "It is too long."}
SOMETHING = {404: "There is no such thing for you."}
AT_TABLE = {409: "Not now; if it is stale, the newest view is with it.", 422: "A rule forbids it; its clause is told."}


def describe_api(endpoints: Sequence[Endpoint]) -> bytes:
    boards = [spec.vocabulary.view_type for spec in all_games().values()]
    kinds: list[Any] = [Problem, SocketRequest, Acknowledged, Refused, *boards]
    for endpoint in endpoints:
        kinds += [kind for kind in (endpoint.body, endpoint.answer, endpoint.meanwhile) if kind is not None]
    found, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    schemas = {id(kind): schema for kind, schema in zip(kinds, found, strict=True)}
    leave_open(components, boards)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = describe(endpoint, schemas)
    description: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Nevel",
            "version": version("nevel"),
            "description": "Board games with hidden information. The socket is at /api/tables/{table}/socket: it takes "
            "a SocketRequest, and sends views, Acknowledged and Refused.",
        },
        "paths": paths,
        "security": [{"cookie": []}, {"token": []}, {}],
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }
    return msgspec.json.encode(description)


def describe(endpoint: Endpoint, schemas: dict[int, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": name_of(endpoint),
        "parameters": [*path_parameters(endpoint.path), *query_parameters(endpoint.query)],
        "responses": responses(endpoint, schemas),
    }
    if endpoint.is_deprecated:
        operation["deprecated"] = True
    if endpoint.body:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schemas[id(endpoint.body)]}},
        }
    return operation


def responses(endpoint: Endpoint, schemas: dict[int, Any]) -> dict[str, Any]:
    well: dict[str, Any] = {"description": "Done."}
    if endpoint.answer is not None:
        well["content"] = {"application/json": {"schema": schemas[id(endpoint.answer)]}}
    answers = {str(endpoint.status): well}
    if endpoint.meanwhile is not None:
        content = {"application/json": {"schema": schemas[id(endpoint.meanwhile)]}}
        answers["202"] = {"description": "It is being worked on; ask again.", "content": content}
    problems = dict(ALWAYS)
    if endpoint.method != "GET":
        problems |= UNSAFE
    if "{" in endpoint.path:
        problems |= SOMETHING
    if "{table}" in endpoint.path and endpoint.method != "GET":
        problems |= AT_TABLE
    problems |= endpoint.problems
    document = {MEDIA_TYPE: {"schema": schemas[id(Problem)]}}
    refused = {str(status): {"description": text, "content": document} for status, text in problems.items()}
    return {**answers, **refused}


def path_parameters(path: str) -> list[dict[str, Any]]:
    names = re.findall(r"{(\w+)}", path)
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def query_parameters(query: type[Struct]) -> list[dict[str, Any]]:
    if query is Nothing:
        return []
    (_,), components = msgspec.json.schema_components([query])
    properties = components[query.__name__]["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": simple(properties[name])} for name in properties]


def simple(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter's schema: one that isn't given isn't null, it isn't there."""
    schema = {name: value for name, value in schema.items() if name != "default"}
    kinds = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    return kinds[0] if kinds else schema


def leave_open(components: dict[str, Any], boards: Sequence[type[View]]) -> None:
    """What differs from game to game: a board is one of theirs, an event has a name and what belongs to it."""
    components["View"] = {"anyOf": [{"$ref": REFERENCE.format(name=board.__name__)} for board in boards]}
    components["Event"] = {
        "type": "object",
        "properties": {"event": {"type": "string"}},
        "required": ["event"],
    }


def name_of(endpoint: Endpoint) -> str:
    words = [word for word in re.split(r"[/{}-]+", endpoint.path.removeprefix("/api/")) if word and word != "table"]
    return "-".join((endpoint.method.lower(), *words, *(["one"] if endpoint.path.endswith("}") else [])))
