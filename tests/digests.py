"""The digests in the headers of files that follow from rules: `python -m tests.digests --write` writes them anew.

Before that, read again what follows from the rules that changed: it is used because the digest says that it holds.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pyasp_puzzles.asp.rules import encodings_directory
from pyasp_puzzles.asp.source import source_digest
from pyasp_puzzles.puzzles import consequences
from pyasp_puzzles.puzzles.consequences import FOLLOWS, RULES, TEXT

ROOT = encodings_directory()


def with_digests(file: Path) -> str:
    """Return the text of a file with the digests of the rules as they read now."""
    rules = {one.name: one for one in ROOT.rglob("*.lp") if one.stem == one.parent.name}
    text = file.read_text(encoding="utf-8")
    if RULES.search(text):
        own = consequences.rule_digests([rules[one[1]] for one in FOLLOWS.finditer(text)]).items()
        said = {f"{name}/" for name in re.findall(r"^\w+\((\w+)", text, re.MULTILINE)}
        listed = ", ".join(" ".join(one) for one in own if re.split(r"[(/]", one[0])[0] + "/" in said)
        text = TEXT.sub(f"% Text: {source_digest(text)}", RULES.sub(f"% Rules: {listed}", text))
    return FOLLOWS.sub(lambda match: consequences.line(rules[match[1]]), text)


def old() -> Iterator[Path]:
    """Yield the files with a digest of rules as they no longer read."""
    return (file for file in sorted(ROOT.rglob("*.lp")) if with_digests(file) != file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write them, instead of listing the files")
    write = parser.parse_args().write
    for file in old():
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")
        if write:
            file.write_text(with_digests(file), encoding="utf-8")
