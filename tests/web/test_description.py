"""The description of the API is true: whatever is made of it is answered as it says, and never with a 500."""

import json
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from nevel.web.api.description import describe_api
from nevel.web.server.server import ENDPOINTS
from nevel.web.services.command_names import OLD_NAMES, name_of
from tests.web.serving import Serving, Visitor, two_at_a_table

#: Whole processes, or much work: not for `make quick`.
pytestmark = pytest.mark.slow

DESCRIPTION: dict[str, Any] = json.loads(describe_api(ENDPOINTS))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_the_description_names_every_route_and_its_problems(ann: Visitor) -> None:
    assert ann.get("/api/openapi.json").json() == DESCRIPTION
    assert len(DESCRIPTION["paths"]) == len({endpoint.path for endpoint in ENDPOINTS})
    operations = [one for path in DESCRIPTION["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in operations}) == len(operations) == len(ENDPOINTS)
    for operation in operations:
        assert {"400", "401", "429", "503"} <= set(operation["responses"])


def test_old_names_are_described_as_the_new_ones_and_as_deprecated() -> None:
    names = {**{old: name_of(kind) for old, kind in OLD_NAMES.items()}, "chat": "say"}
    for old, new in names.items():
        before, now = (DESCRIPTION["paths"][f"/api/tables/{{table}}/{name}"]["post"] for name in (old, new))
        assert before == {**now, "operationId": before["operationId"], "deprecated": True}
        assert "deprecated" not in now
    deprecated = [one for path in DESCRIPTION["paths"].values() for one in path.values() if one.get("deprecated")]
    assert len(deprecated) == len(names)


#: As described, and otherwise, where there is something to get wrong. What is deprecated is handled by the same code.
CURRENT = [endpoint for endpoint in ENDPOINTS if not endpoint.is_deprecated]
CASES = [(endpoint, GenerationMode.POSITIVE) for endpoint in CURRENT]
CASES += [(endpoint, GenerationMode.NEGATIVE) for endpoint in CURRENT if endpoint.body]


@pytest.mark.parametrize(
    ("endpoint", "mode"), CASES, ids=[f"{one.method} {one.path} {mode.value}" for one, mode in CASES]
)
def test_whatever_is_asked_is_answered_as_described(serving: Serving, endpoint: Any, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_dict(DESCRIPTION)
    operation = schema[endpoint.path][endpoint.method]
    with serving.visitor() as ann, serving.visitor() as bob:
        table = two_at_a_table(ann, bob, "the-game", is_public=True)

        @hypothesis.settings(
            max_examples=12,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        )
        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: schemathesis.Case) -> None:
            if "table" in case.path_parameters:
                case.path_parameters["table"] = table
            case.call_and_validate(base_url=f"http://{serving.address}", checks=CHECKS, headers=ann.cookie)

        ask()
        if endpoint.method != "DELETE":
            assert bob.look(table)["phase"] in ("playing", "over")
