"""Chromium: where it is, the options with which it is quiet, and pictures of pages."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
DRIVER = shutil.which("chromedriver")
# It shows no window, works as root, and asks nothing of the network.
QUIET = (
    "--headless --no-sandbox --disable-gpu --hide-scrollbars --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update"
).split()


def screenshot(page: Path, anchor: str, size: tuple[int, int]) -> bytes:
    """Return a PNG of a page at an anchor, in a window of a width and a height in pixels."""
    assert CHROMIUM, "needs Chromium: apt-get install chromium"
    with TemporaryDirectory() as directory:
        target = Path(directory) / "picture.png"
        options = [f"--user-data-dir={directory}/profile", f"--window-size={size[0]},{size[1]}"]
        command = [CHROMIUM, *QUIET, *options, f"--screenshot={target}", f"{page.resolve().as_uri()}#{anchor}"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return target.read_bytes()
