"""Files that browsers keep, and what makes Nevel an app."""

import html
import io
import re

from PIL import Image

from docs.pictures.icons import ICONS, draw_icon
from nevel.web.assets.assets import assets
from tests.web.serving import Visitor


def pixels(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGBA")


def test_only_files_of_this_version_are_kept_for_ever(ann: Visitor) -> None:
    current = ann.client.get(assets().address("nevel.css"))
    assert "immutable" in current.headers["cache-control"]
    older = ann.client.get("/static/0123456789ab/nevel.css")
    assert older.text == current.text
    assert older.headers["cache-control"] == "no-cache"
    assert ann.client.get("/static/0123456789ab/nothing.css").status_code == 404


def test_every_icon_is_drawn_from_its_drawing(ann: Visitor) -> None:
    for name, (drawing, width) in ICONS.items():
        served = pixels(ann.client.get(assets().address(name)).content)
        assert served.size == (width, width)
        assert served.tobytes() == pixels(draw_icon(drawing, width)).tobytes()


def test_phones_are_given_icons_they_can_show(ann: Visitor) -> None:
    icons = ann.get("/manifest.webmanifest").json()["icons"]
    assert {(icon["sizes"], icon["type"], icon["purpose"]) for icon in icons} >= {
        ("192x192", "image/png", "any"),
        ("512x512", "image/png", "any"),
        ("512x512", "image/png", "maskable"),
    }
    for icon in icons:
        answer = ann.client.get(icon["src"])
        assert answer.status_code == 200
        assert answer.headers["content-type"] == icon["type"]
    apple = re.search(r'<link rel="apple-touch-icon" href="([^"]+)">', html.unescape(ann.get("/").text))
    assert apple
    assert ann.client.get(apple[1]).headers["content-type"] == "image/png"


def test_a_page_that_isnt_there_knows_who_asks(ann: Visitor) -> None:
    ann.client.post("/me", data={"name": "Ann-Lou", "language": "fr"})
    answer = ann.client.get("/nothing-here", headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert '<html lang="fr"' in answer.text
    assert "Ann-Lou" in answer.text
