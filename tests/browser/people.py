"""People with browsers."""

from typing import Any

from playwright.sync_api import Browser, Page

from tests.web.serving import Serving

#: Milliseconds to wait for what has to come: a machine that compiles beside it may take its time.
PATIENCE = 60_000
#: What a browser context is at the two sizes everything is looked at.
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}


class People:
    """Opens browsers for people, and remembers what their consoles said."""

    def __init__(self, browser: Browser, serving: Serving) -> None:
        self.browser = browser
        self.serving = serving
        self.complaints: list[str] = []
        self.contexts: list[Any] = []

    @property
    def base(self) -> str:
        return f"http://{self.serving.address}"

    def come(self, language: str = "en", **how: Any) -> Page:
        """Somebody new, with a browser of their own."""
        context = self.browser.new_context(**{"locale": language, "base_url": self.base, **DESKTOP, **how})
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.listen(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        return page

    def listen(self, message: str) -> None:
        # When two press at once, one is too late and told so; Chromium notes every such answer by itself.
        if "status of 409" not in message:
            self.complaints.append(message)
