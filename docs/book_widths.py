#!/usr/bin/env python3
"""Opens each page of the book in Chromium, and reports the pages that are wider than the window.

    cargo xtask docs && python3 docs/book_widths.py               at 400 and 1280 pixels
    python3 docs/book_widths.py --width 320 --pictures FOLDER     another width, and a picture of each page

A table or a block of code may scroll in a box of its own. Everything else has to fit, so that no reader scrolls the page sideways.
It needs Debian's packages chromium and chromium-driver, and installs them if it may.

Exit code 0: every page fits. 1: a page is too wide. 2: it could not run.
"""

import argparse
import base64
import contextlib
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "testing"))
import xtask

BOOK = xtask.TARGET / "book/html"
WIDTHS = [400, 1280]
HEIGHT = 900
# Pages that link to others or hold copies of them, and that no reader opens by itself.
NOT_READ = {"toc.html", "print.html"}
# The boxes that may scroll, as CSS selectors: a table's and those of code.
MAY_SCROLL = ".table-wrapper, pre"
# Pages that must be reported, or the measurement is wrong: a part that is too wide, and a word in a frame that scrolls, as the book's.
TOO_WIDE = [
    "<!doctype html><title>part</title><main><p style='width: 1500px'>1500 pixels</p></main>",
    f"<!doctype html><title>word</title><div style='overflow: auto'><main><p>{'word' * 100}</p></main></div>",
]
# What is wider than the window: the document, a part that ends right of the window, or a part whose content does not fit into it. A part
# in a box that may scroll does not count. The book's own frame can scroll too, so that the document's width alone says little.
MEASURE = """
const [mayScroll] = arguments, found = [], width = window.innerWidth;
const document_width = document.documentElement.scrollWidth;
if (document_width > width) found.push(`the document has ${document_width} pixels`);
for (const part of document.querySelectorAll("main, main *")) {
    const box = part.getBoundingClientRect();
    const [ends, needs] = [Math.round(box.right), part.clientWidth > 0 ? part.scrollWidth : 0];
    const text = part.textContent.trim().slice(0, 40);
    if (ends > width + 1 && box.width > 0 && !part.parentElement.closest(mayScroll))
        found.push(`<${part.localName}> ends at ${ends}: ${text}`);
    else if (needs > part.clientWidth + 1 && !part.closest(mayScroll))
        found.push(`<${part.localName}> has ${part.clientWidth} pixels and needs ${needs}: ${text}`);
}
return found;
"""


class Browser:
    """Chromium without a window, which its driver controls by HTTP (https://www.w3.org/TR/webdriver2)."""

    def __init__(self, port):
        self.address = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        options = {"goog:chromeOptions": {"args": arguments}}
        self.address += "/" + self.ask("POST", "", {"capabilities": {"alwaysMatch": options}})["sessionId"]

    def ask(self, method, path, content=None):
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise xtask.CannotRun(f"Chromium: {json.load(error)['value']['message']}") from error

    def set_width(self, width, height=HEIGHT):
        # A window has a minimum width, but the emulated screen of a telephone does not.
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics})

    def open(self, page):
        self.ask("POST", "/url", {"url": page.as_uri()})

    def too_wide(self):
        """The parts of the page that do not fit, in words."""
        return self.ask("POST", "/execute/sync", {"script": MEASURE, "args": [MAY_SCROLL]})

    def picture(self):
        return base64.b64decode(self.ask("GET", "/screenshot"))

    def close(self):
        self.ask("DELETE", "")


@contextlib.contextmanager
def browser():
    xtask.install("chromium", "chromium-driver")
    driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = next((found[1] for line in driver.stdout if (found := re.search(r"started successfully on port (\d+)", line))), None)
        if port is None:
            raise xtask.CannotRun("chromedriver does not start")
        with contextlib.closing(Browser(port)) as opened:
            yield opened
    finally:
        driver.terminate()
        driver.wait()


def check_measurement(opened, widths):
    """Opens pages that are too wide at each width, which must be noticed."""
    with tempfile.TemporaryDirectory() as scratch:
        for width, text in itertools.product(widths, TOO_WIDE):
            page = pathlib.Path(scratch) / "wide.html"
            page.write_text(text)
            opened.set_width(width)
            opened.open(page)
            if not any(line.startswith("<p>") for line in opened.too_wide()):
                raise xtask.CannotRun(f"a page that is too wide is not noticed at {width} pixels: {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", action="append", type=int, help="in pixels, at most 1400 (repeatable; the default is 400 and 1280)")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER", help="write a picture of the top of each page")
    parser.add_argument("page", nargs="*", help="only these, such as docs/guide/install.html")
    arguments = parser.parse_args()
    widths = arguments.width or WIDTHS
    pages = [BOOK / page for page in arguments.page] or sorted(file for file in BOOK.rglob("*.html") if file.name not in NOT_READ)
    if not pages or not all(page.exists() for page in pages):
        raise xtask.CannotRun(f"there is no such page in {BOOK}: `cargo xtask docs` makes the book")
    totals = xtask.Totals()
    with browser() as opened:
        check_measurement(opened, widths)
        for width in widths:
            opened.set_width(width)
            for page in pages:
                name = page.relative_to(BOOK)
                opened.open(page)
                found = opened.too_wide()
                totals += xtask.Totals(passed=not found, failed=bool(found))
                if found:
                    print(f"{name} at {width} pixels:", *found[:8], sep="\n    ")
                if arguments.pictures:
                    arguments.pictures.mkdir(parents=True, exist_ok=True)
                    file = arguments.pictures / f"{width}-{str(name).replace('/', '-')}"
                    file.with_suffix(".png").write_bytes(opened.picture())
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
