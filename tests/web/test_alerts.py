"""Rules, dashboard and runbook speak of figures there are, and of each other."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.web.serving import Serving

ROOT = Path(__file__).parents[2]
RULES: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "prometheus" / "nevel.rules.yml").read_text("utf-8"))
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana" / "nevel.json").read_text("utf-8"))
RUNBOOK = (ROOT / "docs" / "operations.md").read_text("utf-8")

ALL_RULES = [rule for group in RULES["groups"] for rule in group["rules"]]
ALERTS = [rule for rule in ALL_RULES if "alert" in rule]
RECORDS = {rule["record"] for rule in ALL_RULES if "record" in rule}
TARGETS = [target for panel in DASHBOARD["panels"] for target in panel.get("targets", ())]
EXPRESSIONS = [*(rule["expr"] for rule in ALL_RULES), *(target["expr"] for target in TARGETS)]

#: What an expression is made of.
TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<text>"[^"]*")|(?P<range>\[(?:\d+[smhd]|\$__rate_interval)\])|(?P<number>\d+(?:\.\d+)?(?:e\d+)?)
    |(?P<name>[A-Za-z_:][\w:]*)|(?P<sign>=~|!~|!=|==|>=|<=|[-+*/<>=(){},])""",
    re.VERBOSE,
)
FUNCTIONS = {"rate", "increase", "histogram_quantile", "sum", "max", "min"}
WORDS = {"by", "and", "or"}
#: What Prometheus itself knows of a job, and what it adds to every figure.
ITS_OWN, ITS_LABELS = {"up"}, {"job"}


@pytest.fixture(scope="module")
def figures(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, set[str]]]]:
    """The figures of a running server by name, each with the values of its labels."""
    folder = tmp_path_factory.mktemp("alerts")
    serving = Serving(str(folder / "nevel.db"), backup_folder=str(folder / "backups"))
    serving.start()
    try:
        with serving.visitor() as ann:
            ann.post("/api/play-now", {"game": "misty", "chairs": 2})
            text, end = "", time.monotonic() + 60
            while "nevel_request_seconds_count" not in text:  # it is counted when the answer is on its way
                assert time.monotonic() < end
                text = ann.get("/metrics").text
        found = dict[str, dict[str, set[str]]]()
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                labels = found.setdefault(sample.name, {})
                for label, value in sample.labels.items():
                    labels.setdefault(label, set()).add(value)
        yield found
    finally:
        serving.stop()


def tokens(expression: str) -> list[tuple[str, str]]:
    found, at = list[tuple[str, str]](), 0
    while at < len(expression):
        match = TOKEN.match(expression, at)
        assert match, f"{expression[at:]!r} in {expression!r}"
        at = match.end()
        if match.lastgroup != "space":
            found.append((str(match.lastgroup), match[0]))
    return found


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_expression_is_one_about_figures_there_are(
    expression: str, figures: dict[str, dict[str, set[str]]]
) -> None:
    found = tokens(expression)
    opened = list[str]()
    pairs = {")": "(", "}": "{"}
    metric, named = "", 0
    for i, (kind, text) in enumerate(found):
        following = found[i + 1][1] if i + 1 < len(found) else ""
        is_label = bool(opened) and (opened[-1] == "{" or (opened[-1] == "by" and kind == "name"))
        if text in "({" and kind == "sign":
            opened.append("by" if text == "(" and found[i - 1][1] == "by" else text)
        elif text in pairs and kind == "sign":
            assert opened.pop() in (pairs[text], "by"), expression
        elif kind == "name" and is_label:
            where = figures.get(metric, {}) if opened[-1] == "{" else {}
            if opened[-1] == "{" and text not in ITS_LABELS:
                assert text in where, f"{metric} has no {text}"
                if found[i + 1][1] == "=":
                    assert found[i + 2][1].strip('"') in where[text], f"{metric} has no {found[i + 2][1]}"
            elif opened[-1] == "by":
                assert text == "le" or any(text in labels for labels in figures.values()), text
        elif kind == "name":
            if following == "(" and text not in WORDS:
                assert text in FUNCTIONS, text
            elif text not in WORDS and text not in FUNCTIONS:
                assert text in figures or text in RECORDS or text in ITS_OWN, text
                metric, named = text, named + 1
    assert not opened, f"unbalanced: {expression}"
    assert named, "it is about nothing"


def test_every_alert_has_its_paragraph_and_every_paragraph_its_alert() -> None:
    told = re.findall(r"\*\*(Nevel\w+)\*\*( \(page\))?", RUNBOOK)
    names = [name for name, _ in told]
    assert sorted(names) == sorted(alert["alert"] for alert in ALERTS)
    pages = {name for name, is_page in told if is_page}
    assert pages == {alert["alert"] for alert in ALERTS if alert["labels"]["severity"] == "page"}
    for name in re.findall(r"\bNevel[A-Z]\w+", RUNBOOK):
        assert name in names, f"there is no alert {name}"
    for alert in ALERTS:
        assert set(alert) <= {"alert", "expr", "for", "labels", "annotations"}
        assert alert["labels"]["severity"] in ("page", "ticket")
        assert alert["annotations"]["summary"].endswith(".")


def test_the_dashboard_can_be_drawn() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    assert {variable["name"] for variable in DASHBOARD["templating"]["list"]} == {"source"}
    taken = set[tuple[int, int]]()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, f"{panel['title']} lies over another"
        assert place["x"] + place["w"] <= 24
        taken |= cells
        assert panel["type"] == "row" or panel["targets"]


def test_every_figure_is_documented(figures: dict[str, dict[str, set[str]]]) -> None:
    for name in figures:
        base = re.sub(r"_(bucket|count|sum|created)$", "", name)
        if base.startswith("nevel_"):
            assert f"`{base}`" in RUNBOOK or f"`{base}_total`" in RUNBOOK, base
