"""Chromium: where it is, the options with which it is quiet, a browser for tests, and pictures of pages."""

from __future__ import annotations  # selenium need not be there

import shutil
import subprocess
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
DRIVER = shutil.which("chromedriver")
# The marks of tests of the studio in a browser.
STUDIO = [
    pytest.mark.browser,
    pytest.mark.skipif(not find_spec("uvicorn"), reason="needs the extra studio"),
    pytest.mark.skipif(
        not CHROMIUM or not DRIVER, reason="needs Chromium and its driver: apt-get install chromium-driver"
    ),
]
# It shows no window, works as root, and asks nothing of the network.
QUIET = (
    "--headless --no-sandbox --disable-gpu --hide-scrollbars --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update"
).split()


@contextmanager
def chrome(profile: Path) -> Iterator[Chrome]:
    """Run a browser with a profile of its own; the test is skipped without selenium."""
    pytest.importorskip("selenium", reason="needs selenium: pip install '.[test]'")
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in [*QUIET, f"--user-data-dir={profile}"]:
        options.add_argument(argument)
    driver = Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def resize(browser: Chrome, wide: int, high: int = 800, *, dark: bool = False) -> None:
    """Make the screen so wide and high, that of a phone if it is narrow; nothing moves by itself."""
    metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    wishes = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in wishes.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})


def find(browser: Chrome, selector: str) -> WebElement:
    """Return the element of a CSS selector."""
    return browser.find_element("css selector", selector)


def wait_for(browser: Chrome, selector: str) -> WebElement:
    """Return the element of a CSS selector when it is there."""
    from selenium.webdriver.support.expected_conditions import element_to_be_clickable
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(browser, 30).until(element_to_be_clickable(("css selector", selector)))


def press(browser: Chrome, *keys: str) -> None:
    """Press keys where the focus is."""
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def screenshot(page: Path, anchor: str, size: tuple[int, int]) -> bytes:
    """Return a PNG of a page at an anchor, in a window of a width and a height in pixels."""
    assert CHROMIUM, "needs Chromium: apt-get install chromium"
    with TemporaryDirectory() as directory:
        target = Path(directory) / "picture.png"
        options = [f"--user-data-dir={directory}/profile", f"--window-size={size[0]},{size[1]}"]
        command = [CHROMIUM, *QUIET, *options, f"--screenshot={target}", f"{page.resolve().as_uri()}#{anchor}"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return target.read_bytes()
