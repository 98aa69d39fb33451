"""Static files: styles, scripts, fonts, and the manifest and service worker that make Nevel an app on a phone."""

import json
import mimetypes

from starlette.requests import Request
from starlette.responses import Response

from nevel.web.assets.assets import assets
from nevel.web.rendering.templates import templates
from nevel.web.server.endpoint import ROUTE, Visit

#: A year, which is as good as for ever.
FOR_EVER = "public, max-age=31536000, immutable"
#: What phones and desktops show of the app: each file with its sizes, its kind and what it is for. Not all of them take
#: drawings.
ICONS = (
    ("drawings/icon.svg", "any", "svg+xml", "any"),
    ("drawings/icon-maskable.svg", "any", "svg+xml", "maskable"),
    ("icon-192.png", "192x192", "png", "any"),
    ("icon-512.png", "512x512", "png", "any"),
    ("icon-maskable-512.png", "512x512", "png", "maskable"),
)
#: What is there without a network.
OFFLINE_ASSETS = ("nevel.css", "nevel.js", "drawings.svg", "vendor/atkinson-hyperlegible-next.woff2")


mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("text/javascript", ".js")


async def serve_asset(request: Request) -> Response:
    """Serve a static file, the newest version whichever is asked for: pages may be older than an update."""
    request.scope[ROUTE] = "/static"
    name = request.path_params["name"]
    content = assets()(name)
    if content is None:
        return Response(status_code=404)
    is_current = request.path_params["version"] == assets().version
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(content, media_type=kind, headers={"cache-control": FOR_EVER if is_current else "no-cache"})


async def manifest(request: Request) -> Response:
    request.scope[ROUTE] = "/manifest.webmanifest"
    language = Visit(request).language
    icons = [
        {"src": assets().address(name), "sizes": sizes, "type": f"image/{kind}", "purpose": purpose}
        for name, sizes, kind, purpose in ICONS
    ]
    document = {
        "name": "Nevel",
        "short_name": "Nevel",
        "lang": language.code,
        "start_url": "/",
        "display": "standalone",
        "background_color": "#dfe6ea",
        "theme_color": "#dfe6ea",
        "icons": icons,
    }
    return Response(json.dumps(document), media_type="application/manifest+json")


async def worker(request: Request) -> Response:
    """The worker's script, which knows the newest version's files."""
    request.scope[ROUTE] = "/worker.js"
    script = (assets()("worker.js") or b"").decode()
    told = {"version": assets().version, "files": [assets().address(name) for name in OFFLINE_ASSETS]}
    text = f"const told = {json.dumps(told)};\n{script}"
    return Response(text, media_type="text/javascript", headers={"cache-control": "no-cache"})


async def offline(request: Request) -> Response:
    """The page that is shown without a network."""
    request.scope[ROUTE] = "/offline"
    text = templates(Visit(request).language.code).render("offline.html", theme="", here="/", person=None)
    return Response(text, media_type="text/html")
