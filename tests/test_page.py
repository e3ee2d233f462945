"""The parts of the studio's page that need no browser: their own tests run under node."""

import shutil
from pathlib import Path

import pytest

from .command import PACKAGE, process
from .helpers import write

TESTS = Path(__file__).parent / "page"
NODE = shutil.which("node")


@pytest.mark.sampled(2)
@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("name", sorted(path.name for path in TESTS.glob("*.test.js")))
def test_the_page_without_a_browser(name: str, tmp_path: Path) -> None:
    """Each test of a module passes."""
    write(tmp_path, {"package.json": '{"type": "module"}'})  # beside the modules, which name one another by file
    for path in (*(PACKAGE / "studio" / "page").glob("*.js"), PACKAGE / "render" / "player.js", *TESTS.glob("*.js")):
        shutil.copy(path, tmp_path)
    done = process([str(NODE), "--test", name], tmp_path)
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
