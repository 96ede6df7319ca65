"""A user of an OpenBench instance: logs in, fills in the forms of the site as a browser does, and reads its pages."""

from __future__ import annotations

import html
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar


class Form(HTMLParser):
    """The values of a page's input fields, as a browser would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.select: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        name = attributes.get("name")
        if tag in ("input", "textarea") and name:
            self.values[name] = attributes.get("value") or ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            # The first option is the default unless another one is selected.
            if self.select not in self.values or "selected" in attributes:
                self.values[self.select] = attributes.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = None


class Website:
    """A session in an instance."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        # The instance is local: no proxy.
        handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)]
        self.opener = urllib.request.build_opener(*handlers)

    def get(self, path: str) -> bytes:
        """Returns a page. Raises `urllib.error.URLError` if it cannot be had."""
        with self.opener.open(self.address + path, timeout=60) as response:
            return response.read()

    def json(self, path: str) -> dict:
        return json.loads(self.get(path))

    def post(self, path: str, values: dict[str, str]) -> str:
        """Sends a form and returns the page to which the site redirects."""
        token = next((cookie.value for cookie in self.cookies if cookie.name == "csrftoken"), "") or ""
        data = urllib.parse.urlencode({**values, "csrfmiddlewaretoken": token}).encode()
        with self.opener.open(self.address + path, data, timeout=120) as response:
            return response.read().decode()

    def log_in(self, user: str, password: str) -> None:
        self.get("/login/")
        page = self.post("/login/", {"username": user, "password": password})
        if user not in page:
            raise RuntimeError(f"cannot log in: {messages(page)}")

    def create(self, kind: str, engine: str, preset: str, values: dict[str, str]) -> int:
        """Creates a workload (`test`, `tune` or `datagen`) from the form of the site, a preset of the engine and `values`.

        Returns its number. Raises `RuntimeError` with the errors that the site reports.
        """
        path = f"/{kind}/new/"
        form = Form(self.get(path).decode()).values
        config = self.json(f"/api/config/{engine}/")
        sides = ("dev", "base") if kind != "tune" else ("dev",)
        # The page's script sets these when the engine is chosen.
        form["scale_nps"] = str(config["nps"])
        form["scale_method"] = "DEV" if kind == "tune" else "BASE"
        for side in sides:
            form.update({f"{side}_engine": engine, f"{side}_repo": config["source"], f"{side}_network": ""})
        presets = config[f"{kind}_presets"]
        for key, value in [*presets["default"].items(), *presets[preset].items()]:
            targets = [key.replace("both_", f"{side}_") for side in sides] if key.startswith("both_") else [key]
            form.update({target: str(value) for target in targets})
        form.update(values)
        before = self.newest()
        page = self.post(path, form)
        number = self.newest()
        if number == before:
            raise RuntimeError(f"the site rejected the {kind}: {messages(page)}")
        return number

    def newest(self) -> int:
        """The number of the newest workload; 0 if there is none."""
        number = 0
        while "error" not in self.json(f"/api/workload/{number + 1}/info/"):
            number += 1
        return number

    def info(self, number: int) -> dict:
        return self.json(f"/api/workload/{number}/info/")["info"]


def messages(page: str) -> str:
    """The error messages on a page, or else its text."""
    found = re.findall(r"error-message.*?<pre>(.*?)</pre>", page, re.DOTALL)
    text = " ".join(found) or re.sub("<[^>]*>", " ", page)
    return re.sub(r"\s+", " ", html.unescape(text)).strip()[:1000]
